"""Score ranges: the band ruler, with the band under the cursor marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.hover.markup import Block, Listing, paragraph
from rubric_core.assist.hover.place import CollectionPart
from rubric_core.assist.ruler import ruler_of
from rubric_core.syntax.nodes import Mapping, Sequence
from rubric_core.syntax.scalars import is_blank
from rubric_core.views.bands import Form
from rubric_core.views.criteria import CriterionView

if TYPE_CHECKING:
    from rubric_core.assist.hover.place import HoverChunk, HoverPlace
    from rubric_core.views.bands import Band

_RANGES, _BOUNDS, _GATE = "score_ranges", "score_range", "required_min_score"


def about_bands(spot: HoverChunk, place: HoverPlace) -> tuple[Block, ...]:
    """Return the ruler where the cursor is on score ranges, on the bounds of a band or on the gate."""
    index = _ranges_step(spot, place)
    if index is None:
        return ()
    criterion = CriterionView(place.steps[index].node, 1, spot.version)
    if index == len(place.steps) - 1:
        # On the key itself, on the gate beside it, or on an alias that stands for the ranges.
        return _ruler(spot, criterion, None)
    band = _band_at(place, index, criterion)
    is_bounds = _is_key_of_map(place, index, criterion) or _is_in_bounds(place, index)
    return _ruler(spot, criterion, band) if is_bounds else ()


def _ranges_step(spot: HoverChunk, place: HoverPlace) -> int | None:
    """Return which step leads into score ranges, or to the gate of a criterion that has some."""
    has_table = spot.analysis.facts.suite.dialect.records is not None
    for index, step in enumerate(place.steps):
        name = step.pair.name if step.pair is not None else None
        # Where the table does not know the format, ranges are ranges wherever they stand.
        is_criterion = step.record is not None and step.record.name == "criterion"
        if is_criterion if has_table else step.pair is not None:
            is_gate = name == _GATE and isinstance(step.node, Mapping) and _RANGES in step.node.index
            if name == _RANGES or is_gate:
                return index
    return None


def _ruler(spot: HoverChunk, criterion: CriterionView, band: Band | None) -> tuple[Block, ...]:
    bands = criterion.bands
    ruler = ruler_of(criterion, spot.text, band)
    if ruler is not None:
        notes = " ".join(ruler.notes)
        return (Listing(str(ruler)), paragraph(notes)) if notes else (Listing(str(ruler)),)
    if bands is None or bands.form is not None or is_blank(bands.node):
        return (paragraph("There are no bands yet."),)
    return (paragraph("The bands cannot be read: this is neither a mapping nor a list."),)


def _band_at(place: HoverPlace, index: int, criterion: CriterionView) -> Band | None:
    """Return the band that the way down goes through."""
    through = place.steps[index + 1]
    whole = through.pair if isinstance(through.node, Mapping) else place.node_below(index + 1)
    bands = criterion.bands.bands if criterion.bands is not None else []
    return next((band for band in bands if band.whole is whole), None)


def _is_key_of_map(place: HoverPlace, index: int, criterion: CriterionView) -> bool:
    is_map = criterion.bands is not None and criterion.bands.form is Form.MAP
    return is_map and place.part is CollectionPart.KEY and len(place.steps) == index + 2


def _is_in_bounds(place: HoverPlace, index: int) -> bool:
    """Tell whether the cursor is on `score_range` or its value, or on an item of the list by itself."""
    inner = place.steps[index + 1 :]
    if isinstance(inner[0].node, Sequence) and len(inner) == 1:
        return True
    return any(step.pair is not None and step.pair.name == _BOUNDS for step in inner)
