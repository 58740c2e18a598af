"""Refactors of scorecards: to the suite's `scorecards`, and from there into a case."""

from collections.abc import Collection, Container

from rubric_core.assist.cursor import Cursor
from rubric_core.assist.refactors.refactor import USUAL_STEP, RefactorProposal, is_own_text, proposal
from rubric_core.dialects.registry import CASE_LIST_NAMES
from rubric_core.rules.problem import Severity
from rubric_core.syntax.chunks import Chunk, ChunkKind
from rubric_core.syntax.edits import column_of, render_text
from rubric_core.syntax.indentation import shifted
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, walk
from rubric_core.text.lines import line_end, line_start
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit, Span
from rubric_core.views.files import PlacedPair
from rubric_core.views.texts import numbered

# A text that is not cut has no chunk of its own for each entry of the suite, and JSON lines have no suite.
_CUT = frozenset({ChunkKind.ITEM, ChunkKind.ENTRY})
_ENTRIES = frozenset({ChunkKind.ENTRY, ChunkKind.LIST_HEAD})
_NOT_IN_NAMES = lazily(r"[^\w.]+")
_COMMENT_LINES_ABOVE = lazily(r"(?:[ \t]*#[^\r\n]*(?:\r\n?|\n))*\Z")
_BYTE_ORDER_MARK = "\ufeff"


def extract(cursor: Cursor) -> RefactorProposal | None:
    """Move the scorecard of a case to the suite's `scorecards`, under a name that other cases can use too.

    The name is made from the scorecard's `skill` or, without one, from the id of the case. Comments inside of the
    scorecard move with it.
    """
    pair = _scorecard_at(cursor)
    if pair is None or not isinstance(pair.value, Mapping) or not _is_movable(pair.value):
        return None
    present = named_scorecards(cursor)
    named = present.pair.value if present is not None else None
    name = _name(cursor, pair.value, named.index if isinstance(named, Mapping) else ())
    new = _insert(cursor, pair, name) if present is None else _append(cursor, pair, name, present)
    if new is None:
        return None
    edits = (*cursor.absolute(_refer(cursor, pair, name)), new)
    return RefactorProposal(f"Move the scorecard to `scorecards` as `{name}`", tuple(sorted(edits)))


def _name(cursor: Cursor, scorecard: Mapping, taken: Container[str]) -> str:
    skill, case = scorecard.get("skill"), cursor.case
    source = skill if isinstance(skill, Scalar) else case.identifier if case is not None else None
    words = _NOT_IN_NAMES.sub("-", source.value).strip("-").lower() if source is not None else ""
    name = words or "scorecard"
    return numbered(name, taken) if name in taken else name


def _refer(cursor: Cursor, pair: Pair, name: str) -> list[Edit]:
    """Put the name in the place of the scorecard; a comment behind the key stays there."""
    text, value = cursor.text, pair.value
    if isinstance(value, Mapping) and value.flow:
        return [Edit(value.start, value.end, render_text(name, flow=True))]
    colon = text.index(":", pair.key.end) + 1
    end = line_end(text, colon)
    return [Edit(colon, colon, f" {render_text(name)}"), Edit(end, line_end(text, value.end), "")]


def _insert(cursor: Cursor, pair: Pair, name: str) -> Edit | None:
    """Write the scorecard as the first one that has a name, above the cases."""
    document = cursor.document
    cases = suite_entry(cursor, CASE_LIST_NAMES)
    if cases is None:
        return None
    base = document.start_of(document.index_of(cases.chunk))
    at = base + _above(cases.chunk.text, cases.pair, starts_file=base == 0)
    end = cursor.line_break
    written = _written(cursor, pair, name, USUAL_STEP, USUAL_STEP)
    return Edit(at, at, f"scorecards:{end}{' ' * USUAL_STEP}{written}{end}{end}")


def _append(cursor: Cursor, pair: Pair, name: str, present: PlacedPair) -> Edit | None:
    document = cursor.document
    mapping = present.pair.value
    if not isinstance(mapping, Mapping) or mapping.flow or not mapping.pairs or mapping.meta is not None:
        return None
    text, last = present.chunk.text, mapping.pairs[-1]
    base = document.start_of(document.index_of(present.chunk))
    column = column_of(text, mapping.pairs[0].key.start)
    at = base + line_end(text, last.span.end)
    written = _written(cursor, pair, name, column, _step_of(text, last))
    return Edit(at, at, f"{cursor.line_break}{' ' * column}{written}")


def _above(text: str, cases: Pair, *, starts_file: bool) -> int:
    """Return where an entry goes above the list of cases: above its comments, unless those head the whole file."""
    start = line_start(text, cases.key.start)
    start += text.startswith(_BYTE_ORDER_MARK, start)
    comments = _COMMENT_LINES_ABOVE.search(text, 0, start)
    if comments is None or (starts_file and not text[: comments.start()].strip(_BYTE_ORDER_MARK)):
        return start
    return comments.start()


def _written(cursor: Cursor, pair: Pair, name: str, column: int, step: int) -> str:
    """Return the scorecard under its name, whose key is in a column."""
    return f"{render_text(name, flow=True)}:{_moved_below(cursor.text, pair, column, step, cursor.line_break)}"


def inline(cursor: Cursor) -> RefactorProposal | None:
    """Copy a named scorecard into the case, where it can be changed for this case alone; others keep the named one."""
    pair = _scorecard_at(cursor)
    if pair is None or not isinstance(pair.value, Scalar) or not is_own_text(pair.value):
        return None
    present = named_scorecards(cursor)
    cards = present.pair.value if present is not None else None
    named = cards.index.get(pair.value.value) if isinstance(cards, Mapping) else None
    if present is None or named is None or not is_own_text(named.key) or not _is_movable(named.value):
        return None
    if _has_errors(cursor, present.chunk, named):
        # They would be there twice.
        return None
    edits = _copy(cursor, pair, present.chunk.text, named)
    return proposal(cursor, f"Copy the scorecard `{named.name}` into this case", edits)


def _has_errors(cursor: Cursor, chunk: Chunk, named: Pair) -> bool:
    analysis = cursor.analysis
    start = analysis.document.start_of(analysis.document.index_of(chunk))
    analysis.check_first(Span(start, start))
    return any(
        problem.severity is Severity.ERROR and named.span.start <= problem.span.start <= named.span.end
        for problem in analysis.chunk_problems(chunk)
    )


def _copy(cursor: Cursor, pair: Pair, source: str, named: Pair) -> list[Edit]:
    text, value, card = cursor.text, pair.value, named.value
    case = cursor.case.node if cursor.case is not None else None
    written = _moved_below(source, named, column_of(text, pair.key.start), _step_of(source, named), cursor.line_break)
    if isinstance(card, Mapping) and card.flow:
        return [Edit(value.start, value.end, written.removeprefix(" "))]
    if case is None or case.flow:
        return []
    end = line_end(text, value.end)
    return [Edit(text.index(":", pair.key.end) + 1, value.end, ""), Edit(end, end, written)]


def _is_movable(node: Node) -> bool:
    """Return whether a node is a mapping with entries, of which every node is its own text."""
    return isinstance(node, Mapping) and bool(node.pairs) and all(map(is_own_text, walk(node)))


def _scorecard_at(cursor: Cursor) -> Pair | None:
    """Return the `scorecard` of the case if the place is on it and it is there for itself alone."""
    case = cursor.case.node if cursor.case is not None else None
    pair = case.index.get("scorecard") if case is not None else None
    if case is None or pair is None or cursor.tree.external or cursor.chunk.kind not in _CUT:
        return None
    if not cursor.holds(pair.span, flow=case.flow) or not is_own_text(pair.key) or case.duplicates:
        return None
    behind = cursor.text[pair.key.end : pair.value.start].lstrip(" \t")
    return pair if behind.startswith(":") else None


def named_scorecards(cursor: Cursor) -> PlacedPair | None:
    """Return the `scorecards` of the suite."""
    return suite_entry(cursor, ("scorecards",))


def suite_entry(cursor: Cursor, names: Collection[str]) -> PlacedPair | None:
    """Return the first top-level entry of one of the names in the YAML document of the cursor."""
    document = cursor.document
    index = 0
    # Reading a chunk may join it with others, so that the list is not gone through as it was.
    while index < len(document.chunks):
        chunk = document.chunks[index]
        if chunk.kind in _ENTRIES and chunk.section == cursor.chunk.section:
            index = document.read(index)
            root = document.tree(index).root
            for pair in root.pairs if isinstance(root, Mapping) else ():
                if pair.name in names:
                    return PlacedPair(document.chunks[index], pair)
        index += 1
    return None


def _moved_below(text: str, pair: Pair, column: int, step: int, line_break: str) -> str:
    """Return the mapping of a pair as it follows a key in another column; its own keys are one step further in.

    A comment between the key and the mapping is part of it, and so is one behind its last line.
    """
    value = pair.value
    if isinstance(value, Mapping) and value.flow:
        return f" {shifted(text[value.start : value.end], column - column_of(text, pair.key.start))}"
    lines = text[line_end(text, pair.key.end) : line_end(text, value.end)].lstrip("\r\n").lstrip(" ")
    below = shifted(lines, column + step - column_of(text, value.start))
    return f"{line_break}{' ' * (column + step)}{below}"


def _step_of(text: str, pair: Pair) -> int:
    """Return how far the value of a key is indented."""
    value = pair.value
    if not isinstance(value, Mapping) or value.flow or not value.pairs:
        return USUAL_STEP
    return max(column_of(text, value.pairs[0].key.start) - column_of(text, pair.key.start), 1)
