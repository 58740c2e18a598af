"""The band ruler: the scores 0 to 10 with the bands of a criterion below them, one a row, and the gate."""

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from math import ceil
from typing import NamedTuple

from rubric_core.assist.words import record_noun
from rubric_core.rules.messages import in_words
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.nodes import Node
from rubric_core.syntax.scalars import is_blank
from rubric_core.terminal.display import fitted
from rubric_core.views.bands import Band, BandsView, Gap
from rubric_core.views.criteria import CriterionView

# It looks like this:
#
#     0 1 2 3 4 5 6 7 8 9 10
#     ██████                  0-2   Sees no defect
#           ????              3-4   no band
#               ████!!        5-7   Names the missing limit
#                   !!██████  7-10  Names it and what follows
#     x x x x x ^             gate  below 5 the case fails

# A hover of an editor is about this wide before it wraps lines, which would tear the rows apart.
WIDTH = 60
_BAR, _GAP, _OVERLAP, _FAILS, _GATE, _NOTHING = "██", "??", "!!", "x ", "^ ", "  "
_SCORES = range(LOWEST, HIGHEST + 1)
_SCALE = frozenset(_SCORES)
_HEADER = "".join(f"{score:<2}" for score in _SCORES)
_MARKER, _NO_MARKER = "> ", "  "
_NO_TEXT = "(no text)"
# Bounds further out than this are not shown exactly.
_FAR_BELOW, _FAR_ABOVE = -99, 999


class RulerRow(NamedTuple):
    """One line of the ruler: eleven cells of two columns, which scores they are, and their text."""

    cells: str
    label: str
    text: str
    is_marked: bool = False


class Ruler(NamedTuple):
    """The rows from the lowest score up, and sentences about what is wrong with them."""

    rows: tuple[RulerRow, ...]
    notes: tuple[str, ...]

    def __str__(self) -> str:
        label_width = max((len(row.label) for row in self.rows), default=0)
        has_marker = any(row.is_marked for row in self.rows)
        left = _NO_MARKER if has_marker else ""
        lines = [left + _HEADER]
        for row in self.rows:
            start = f"{_MARKER if row.is_marked else left}{row.cells}  {row.label:<{label_width}}  "
            lines.append(start + fitted(row.text, WIDTH - len(start)))
        return "\n".join(line.rstrip() for line in lines)


def ruler_of(criterion: CriterionView, source: str, marked: Band | None = None) -> Ruler | None:
    """Return the ruler of a criterion, whose nodes are in the source; None where it has no ranges to show."""
    bands = criterion.bands
    if bands is None or bands.is_empty:
        return None
    rows = [*_band_rows(bands, marked), *_rows_without_scores(bands, source, marked), *_gate_rows(criterion, source)]
    return Ruler(tuple(rows), tuple(_notes(bands)))


def _band_rows(bands: BandsView, marked: Band | None) -> Iterable[RulerRow]:
    """Yield the rows of the bands that cover scores and of the gaps between them, lowest first."""
    shared = _shared_scores(bands)
    gap_above = {gap.below: gap for gap in _gaps(bands)}
    for band in (None, *bands.in_order()):
        if band is not None:
            low, high = band.extent or (LOWEST, LOWEST)
            marks = {score: _OVERLAP if score in shared else _BAR for score in range(low, high + 1)}
            yield RulerRow(_cells(marks), _name_of(band), band.text or _NO_TEXT, band is marked)
        gap = gap_above.get(band)
        if gap is not None:
            marks = dict.fromkeys(range(gap.low, gap.high + 1), _GAP)
            yield RulerRow(_cells(marks), in_words(gap.low, gap.high), "no band")


def _rows_without_scores(bands: BandsView, source: str, marked: Band | None) -> Iterable[RulerRow]:
    """Yield the rows of what covers no score: bands outside of the scale, and those that cannot be read."""
    for band in bands.bands:
        if band.flaws:
            yield _unreadable_row(source, band.place, is_marked=band is marked)
        elif band.extent is None:
            yield RulerRow(_cells({}), _name_of(band), f"off the scale: {band.text or _NO_TEXT}", band is marked)
    for item in bands.non_mappings:
        yield _unreadable_row(source, item, is_marked=False)


def _unreadable_row(source: str, node: Node, *, is_marked: bool) -> RulerRow:
    return RulerRow(_cells({}), "?", f"cannot be read: {source[node.start : node.end]}", is_marked)


def _gate_rows(criterion: CriterionView, source: str) -> Iterable[RulerRow]:
    pair = criterion.gate
    if pair is None or is_blank(pair.value):
        return
    if criterion.minimum is None:
        yield RulerRow(_cells({}), "gate", f"cannot be read: {source[pair.value.start : pair.value.end]}")
        return
    # A gate between two scores is as good as the higher one.
    gate = ceil(criterion.minimum)
    marks = {**dict.fromkeys(range(gate), _FAILS), gate: _GATE}
    gates = criterion.dialect.table.gates
    written, what = gates.written(criterion.minimum), record_noun(criterion.dialect, gates.fails)
    yield RulerRow(_cells(marks), "gate", f"below {written} the {what} fails" if gate else f"0 never fails the {what}")


def _cells(marks: dict[int, str]) -> str:
    return "".join(marks.get(score, _NOTHING) for score in _SCORES)


def _gaps(bands: BandsView) -> list[Gap]:
    """Return the gaps; none where a band cannot be read, which may well cover them."""
    return bands.gaps() if bands.is_readable else []


def _shared_scores(bands: BandsView) -> frozenset[int]:
    extents = (band.extent for band in bands.bands)
    covered = Counter(score for extent in extents if extent for score in range(extent[0], extent[1] + 1))
    return frozenset(score for score, count in covered.items() if count > 1)


def _notes(bands: BandsView) -> Iterable[str]:
    """Yield a sentence for each kind of thing that is wrong, with its numbers."""
    gaps = [in_words(gap.low, gap.high) for gap in _gaps(bands)]
    if gaps:
        yield f"No band covers {_listed(gaps, 'or')}."
    shared = sorted(_shared_scores(bands))
    if shared:
        stretches = _stretches(shared)
        yield f"{_listed(stretches, 'and')} {'lies' if len(shared) == 1 else 'lie'} in more than one band."
    read = [band for band in bands.bands if band.lower is not None and band.upper is not None]
    beyond = [_name_of(band) for band in read if not {band.lower, band.upper} <= _SCALE]
    if beyond:
        yield f"{_listed(beyond, 'and')} {'goes' if len(beyond) == 1 else 'go'} beyond 0-10."
    inverted = [f"[{_bound(band.lower)}, {_bound(band.upper)}]" for band in bands.bands if band.is_inverted]
    if inverted:
        yield f"{_listed(inverted, 'and')} {'is' if len(inverted) == 1 else 'are'} reversed: the higher score is first."
    if not bands.is_readable:
        yield "A band cannot be read, so gaps are not shown."
    if [band for band in bands.bands if band.extent is not None] != bands.in_order():
        yield "Rows are sorted by score; the file has another order."


def _stretches(scores: list[int]) -> list[str]:
    """Return sorted scores as messages name them, neighbours together."""
    runs = (list(run) for _, run in groupby(enumerate(scores), lambda entry: entry[1] - entry[0]))
    return [in_words(run[0][1], run[-1][1]) for run in runs]


def _listed(words: list[str], conjunction: str) -> str:
    return f" {conjunction} ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _name_of(band: Band) -> str:
    """Return the scores of a band, lower bound first, as far out as they are written."""
    low, high = sorted((band.lower or 0, band.upper or 0))
    return _bound(low) if low == high else f"{_bound(low)}-{_bound(high)}"


def _bound(score: int | None) -> str:
    if score is None or _FAR_BELOW <= score <= _FAR_ABOVE:
        return str(score)
    return "<-99" if score < _FAR_BELOW else ">999"
