"""Move the scorecard of a case to the suite's `scorecards`, under a name that other cases can use too.

The name is made from the scorecard's `skill` or, without one, from the id of the case. Comments inside of the scorecard
move with it.
"""

from collections.abc import Container

from rubric_core.assist.cursor import Cursor
from rubric_core.assist.refactors.layout import (
    USUAL_STEP,
    is_movable,
    moved_below,
    named_scorecards,
    scorecard_at,
    step_of,
    suite_entry,
)
from rubric_core.assist.refactors.refactor import Nature, Refactor, RefactorProposal
from rubric_core.dialects.registry import CASE_LIST_NAMES
from rubric_core.syntax.edits import column_of, render_text
from rubric_core.syntax.nodes import Mapping, Pair, Scalar
from rubric_core.text.lines import line_end, line_start
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit
from rubric_core.views.files import PlacedPair
from rubric_core.views.texts import numbered

_NOT_IN_NAMES = lazily(r"[^\w.]+")
_COMMENT_LINES_ABOVE = lazily(r"(?:[ \t]*#[^\r\n]*(?:\r\n?|\n))*\Z")
_BYTE_ORDER_MARK = "\ufeff"


def propose(cursor: Cursor) -> RefactorProposal | None:
    """Offer it on a scorecard that is written in the case itself."""
    pair = scorecard_at(cursor)
    if pair is None or not isinstance(pair.value, Mapping) or not is_movable(pair.value):
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
    return Edit(at, at, f"{cursor.line_break}{' ' * column}{_written(cursor, pair, name, column, step_of(text, last))}")


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
    return f"{render_text(name, flow=True)}:{moved_below(cursor.text, pair, column, step, cursor.line_break)}"


REFACTOR = Refactor("extract-scorecard", propose, Nature.EXTRACT, reaches_suite=True)
