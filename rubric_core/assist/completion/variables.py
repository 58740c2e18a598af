"""Variables inside of the double braces of a template: those of the test, of the suite and of its scenario."""

from collections.abc import Iterator

from rubric_core.analysis.counted_facts import CASES_IN_LISTS
from rubric_core.assist.by_chunk import ChunkView, on_tree
from rubric_core.assist.completion.branches import TypedEntry
from rubric_core.assist.completion.flow import behind
from rubric_core.assist.completion.insert_text import TemplateText
from rubric_core.assist.completion.proposals import CompletionList, ProposalKind, proposal
from rubric_core.assist.completion.tolerant_parser import TolerantTree
from rubric_core.assist.cursor import Cursor
from rubric_core.dialects.parts import NOTES
from rubric_core.text.lines import line_start
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span
from rubric_core.views.templates import names_of

# Braces that are open at the cursor, with nothing in them but the start of a name or a filter before it.
_OPEN = lazily(r"\{\{-?(?:[^{}]*[\s(|,])?(?P<word>[\w$]*)\Z")
_REST = lazily(r"[\w$]*")
_CLOSING = lazily(r"[ \t]*(?:[|.(\[+*/,~-]|\}\})")
# Of a long file, the first tests show which variables its prompts can use.
_MOST_CHUNKS = 50


def complete_variable(cursor: Cursor, tree: TolerantTree) -> CompletionList | None:
    """Return the variables that are valid at the cursor; None outside of templates."""
    text, at = cursor.text, cursor.at
    key = NOTES.of(cursor.dialect).variables
    match = _OPEN.search(text, line_start(text, at), at) if key else None
    if match is None:
        return None
    own = {entry.key: "variable of this test" for entry in _entries(tree, key)}
    inherited = cursor.analysis.facts.suite.inherited.vars
    names = own | dict.fromkeys(sorted(inherited - own.keys()), "variable of the suite")
    if not own:
        names |= dict.fromkeys(_of_cases(cursor, key), "variable of a test")
    span = Span(match.start("word"), behind(_REST, text, at))
    lead = " " if text[span.start - 1] == "{" else ""
    tail = "" if _CLOSING.match(text, span.end) else " }}"
    items = [
        proposal(name, ProposalKind.REFERENCE, detail, TemplateText(f"{lead}{name}{tail}", None), 0)
        for name, detail in names.items()
        if name
    ]
    ordered = tuple(item._replace(sort=f"{number:03}") for number, item in enumerate(items))
    return CompletionList(span.shifted(cursor.base), 0, ordered) if ordered else None


def _entries(tree: TolerantTree, key: str) -> Iterator[TypedEntry]:
    """Yield the variables that the text around the cursor defines."""
    for branch in tree.branches:
        if branch.owner is not None and branch.owner.key == key and not branch.is_list:
            yield from branch.entries


def _of_cases(cursor: Cursor, key: str) -> list[str]:
    """Return the variables of the first cases, for places outside of all cases."""

    def variables(view: ChunkView) -> frozenset[str]:
        return frozenset(name for case in view.cases() for name in names_of(case.node.get(key)))

    document, names = cursor.document, set[str]()
    index = 0
    while index < min(len(document.chunks), _MOST_CHUNKS):
        if document.chunks[index].kind in CASES_IN_LISTS and key in document.chunks[index].text:
            names |= on_tree(cursor.analysis, index, variables)
        index += 1
    return sorted(names)
