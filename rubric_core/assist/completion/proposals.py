"""What completion gives: proposals, all for one stretch of text."""

from enum import Enum
from typing import NamedTuple

from rubric_core.assist.completion.place import CompletionPlace
from rubric_core.assist.completion.snippets import SNIPPETS, Snippet
from rubric_core.assist.completion.templates import Piece, Template, TemplateText, block_lines, write
from rubric_core.text.spans import Edit, Span


class ProposalKind(Enum):
    """What a proposal is; editors show an icon for it."""

    KEY = "key"
    VALUE = "value"
    REFERENCE = "reference"
    SNIPPET = "snippet"
    RULE = "rule"
    DIRECTIVE = "directive"


class Topic(NamedTuple):
    """What a proposal is about, so that its documentation can be made when somebody asks: see `documentation`."""

    kind: str
    name: str
    part: str = ""


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
        aside: Spaces that have to go as well; they stand directly before the stretch that is replaced.
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


class CompletionList(NamedTuple):
    """All proposals at a cursor. `span` is what each of them replaces; it is on the cursor's line and holds the cursor.

    `indent` is how many spaces stand at the start of that line, up to the cursor. `is_quiet` tells that an editor
    should show the list only if somebody asked for it, not because a space was typed.
    """

    span: Span
    indent: int
    items: tuple[CompletionProposal, ...]
    is_quiet: bool = False


class Draft(NamedTuple):
    """A proposal before it is put into its place. `rank` sorts: lower ones first, in the order in which they came."""

    label: str
    kind: ProposalKind
    detail: str
    written: TemplateText
    rank: int
    topic: Topic | None = None
    aside: Edit | None = None


def inline_draft(  # noqa: PLR0913, PLR0917 - the fields of a draft.
    place: CompletionPlace,
    label: str,
    kind: ProposalKind,
    detail: str,
    pieces: list[Piece],
    rank: int,
    topic: Topic | None = None,
) -> Draft:
    """Return a draft that is written on the line of the cursor."""
    return Draft(label, kind, detail, write([pieces], 0, "\n", lead=place.lead, tail=place.tail), rank, topic)


def snippet_draft(place: CompletionPlace, snippet: Snippet, template: Template, rank: int) -> Draft:
    """Return a draft of a snippet in block style."""
    written = write(block_lines(template, place.style), place.column, place.style.line_break, lead=place.lead)
    return Draft(snippet.name, ProposalKind.SNIPPET, snippet.doc, written, rank, snippet_topic(snippet))


def snippet_topic(snippet: Snippet) -> Topic:
    """Return what documents a snippet: its own page, or what a score range is where it was made for a gap."""
    return Topic("snippet", snippet.name) if snippet.name in SNIPPETS else Topic("record", "score-range")


def finished(drafts: list[Draft], place: CompletionPlace, base: int, quote: str = "") -> list[CompletionProposal]:
    """Turn drafts into proposals with offsets in the whole text."""
    found: list[CompletionProposal] = []
    for number, draft in enumerate(sorted(drafts, key=lambda draft: draft.rank)):
        label, kind, detail, written, rank, topic, _ = draft
        sort, filtered = f"{rank:02}{number:03}", f"{quote}{label}"
        aside = draft.aside or place.aside
        moved = aside.shifted(base) if aside is not None else None
        found.append(
            CompletionProposal(label, kind, detail, written.plain, written.snippet, sort, filtered, moved, topic)
        )
    return found
