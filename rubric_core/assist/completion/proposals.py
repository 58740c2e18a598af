"""The result of completion: proposals, all for one stretch of text."""

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from rubric_core.assist.completion.branches import dialect_of_branch
from rubric_core.assist.completion.insert_text import TemplateText
from rubric_core.assist.completion.place import CompletionPlace
from rubric_core.assist.completion.snippets import Snippet
from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.text.spans import Edit, Span


class ProposalKind(Enum):
    """What a proposal is; editors show an icon for it."""

    KEY = "key"
    VALUE = "value"
    REFERENCE = "reference"
    SNIPPET = "snippet"
    FILE = "file"
    RULE = "rule"
    DIRECTIVE = "directive"


class Topic(NamedTuple):
    """The subject of a proposal, from which `documentation` makes its documentation when it is requested."""

    kind: str
    name: str
    part: str = ""
    dialect: str = DEFAULT_DIALECT.name


class CompletionProposal(NamedTuple):
    """One thing to insert.

    Attributes:
        label: What the list shows.
        kind: What it is.
        detail: What it is, in a few words.
        text: What is inserted, for editors without snippets. Further lines hold all of their indentation.
        snippet: The same with tab stops; None where there are none.
        sort: Sorts the list.
        filter: What the typed word is compared with.
        aside: Spaces that have to go as well; they are directly before the stretch that is replaced.
        topic: What the documentation is about.
    """

    label: str
    kind: ProposalKind
    detail: str
    text: str
    snippet: str | None
    sort: str
    filter: str
    aside: Edit | None = None
    topic: Topic | None = None


Proposals = Iterator[CompletionProposal]


class CompletionList(NamedTuple):
    """All proposals at a cursor. `span` is what each of them replaces; it is on the cursor's line and holds the cursor.

    `indent` is how many spaces are at the start of that line, up to the cursor. `is_quiet` means that an editor
    should show the list only on request, not because a space was typed.
    """

    span: Span
    indent: int
    items: tuple[CompletionProposal, ...]
    is_quiet: bool = False


def proposal(  # noqa: PLR0913, PLR0917 - the fields of a proposal.
    label: str,
    kind: ProposalKind,
    detail: str,
    written: TemplateText,
    rank: int,
    topic: Topic | None = None,
    aside: Edit | None = None,
) -> CompletionProposal:
    """Return a proposal with offsets of its chunk. Lower ranks come first, equal ones in the order that they have."""
    return CompletionProposal(label, kind, detail, written.plain, written.snippet, f"{rank:02}", label, aside, topic)


def snippet_proposal(snippet: Snippet, written: TemplateText, rank: int) -> CompletionProposal:
    """Return a proposal of a snippet; its page is that of a record where it was made for a place."""
    topic = Topic("record", snippet.record) if snippet.record else Topic("snippet", snippet.name)
    return proposal(snippet.name, ProposalKind.SNIPPET, snippet.doc, written, rank, topic)


def sorted_at(place: CompletionPlace, proposals: Proposals, base: int, quote: str) -> Proposals:
    """Yield the proposals of a place in their order, with offsets in the whole text."""
    dialect = dialect_of_branch(place.branch).name
    for number, item in enumerate(sorted(proposals, key=lambda proposal: proposal.sort)):
        topic = item.topic._replace(dialect=dialect) if item.topic is not None else None
        aside = item.aside or place.aside
        moved = aside.shifted(base) if aside is not None else None
        yield item._replace(sort=f"{item.sort}{number:03}", filter=f"{quote}{item.label}", aside=moved, topic=topic)
