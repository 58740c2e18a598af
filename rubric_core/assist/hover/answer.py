"""Choosing what to say: documentation on a key, what it means here on a key and on a value, nothing in prose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.assist.hover.anchors import about_alias, hover_on_anchor
from rubric_core.assist.hover.bands import about_bands
from rubric_core.assist.hover.cases import about_case, case_at, count_of_evaluators
from rubric_core.assist.hover.comments import hover_on_comment
from rubric_core.assist.hover.criteria import about_criteria, about_criterion, criterion_at, speaks_of_criterion
from rubric_core.assist.hover.evaluators import about_evaluator
from rubric_core.assist.hover.fields import about_field
from rubric_core.assist.hover.markup import Block, Divider
from rubric_core.assist.hover.place import CollectionPart, Hover, HoverChunk, HoverPlace, place_at, spot_at
from rubric_core.assist.hover.scorecards import about_adjustment, about_named_scorecard, about_scorecard
from rubric_core.assist.hover.vocabulary import about_word
from rubric_core.syntax.nodes import Mapping, Scalar, Sequence
from rubric_core.text.spans import Span
from rubric_core.views.criteria import CriteriaView
from rubric_core.views.scorecards import ScorecardView

if TYPE_CHECKING:
    from rubric_core.analysis.analysis import Analysis


def hover(analysis: Analysis, offset: int) -> Hover | None:
    """Return what is said about a place of the text; None where there is nothing to say."""
    spot = spot_at(analysis, offset)
    if spot is None:
        return None
    found = hover_on_comment(spot) or hover_on_anchor(spot) or _hover_on_node(spot)
    return found or (_hover_on_broken(spot) if spot.is_broken else None)


def _hover_on_broken(spot: HoverChunk) -> Hover | None:
    from rubric_core.assist.hover.broken import hover_on_broken  # noqa: PLC0415 - sound text needs none of it.

    return hover_on_broken(spot)


def _hover_on_node(spot: HoverChunk) -> Hover | None:
    place = place_at(spot)
    if place is None:
        return None
    general = _documentation(place)
    here = _about_this(spot, place)
    divider = (Divider(),) if general and here else ()
    blocks = (*general, *divider, *here)
    return spot.hover(_span(place, spot), *blocks) if blocks else None


def _documentation(place: HoverPlace) -> tuple[Block, ...]:
    """Return what is always so of the key under the cursor; names that the author made up have no such thing."""
    field, pair, record = place.last.field, place.last.pair, place.last.record
    if place.part is not CollectionPart.KEY or field is None or pair is None or pair.name is None or record is None:
        return ()
    return about_field(pair.name, field) if record.get(pair.name) is field else ()


def _about_this(spot: HoverChunk, place: HoverPlace) -> tuple[Block, ...]:
    """Return what is so at this place only."""
    if place.part is CollectionPart.ALIAS:
        return (*about_alias(spot, place.node), *about_bands(spot, place))
    return (
        *about_bands(spot, place),
        *_about_criteria(spot, place),
        *_about_criterion(spot, place),
        *about_evaluator(spot, place),
        *_about_case(spot, place),
        *_about_scorecard(spot, place),
        *about_adjustment(spot, place),
        *_about_word(place),
    )


def _about_criteria(spot: HoverChunk, place: HoverPlace) -> tuple[Block, ...]:
    last = place.last
    is_list = place.part is CollectionPart.KEY and last.field is not None and last.field.record == "criterion"
    if not is_list or last.pair is None or not isinstance(last.node, Mapping):
        return ()
    return about_criteria(CriteriaView(last.pair, last.node, spot.version))


def _about_criterion(spot: HoverChunk, place: HoverPlace) -> tuple[Block, ...]:
    found = criterion_at(spot, place)
    if found is None or not speaks_of_criterion(place, found[1]):
        return ()
    case = case_at(spot, place)
    is_beside_others = case is not None and count_of_evaluators(spot, case) > 1
    return about_criterion(*found, is_beside_others=is_beside_others)


def _about_case(spot: HoverChunk, place: HoverPlace) -> tuple[Block, ...]:
    last = place.last
    if last.record is None or last.record.name != "case":
        return ()
    is_item = place.part is CollectionPart.DASH
    is_id = isinstance(last.node, Mapping) and last.pair is not None and last.pair.name == "id"
    case = case_at(spot, place) if is_item or is_id else None
    return about_case(spot, case) if case is not None else ()


def _about_scorecard(spot: HoverChunk, place: HoverPlace) -> tuple[Block, ...]:
    last = place.last
    if last.record is None or last.pair is None or last.pair.name is None:
        return ()
    if last.record.name == "scorecards" and isinstance(last.pair.value, Mapping) and place.part is CollectionPart.KEY:
        return about_scorecard(last.pair.name, ScorecardView(last.pair.value, spot.version))
    if last.record.name == "case" and last.pair.name == "scorecard" and isinstance(last.pair.value, Scalar):
        return about_named_scorecard(spot, last.pair.value.value)
    return ()


def _about_word(place: HoverPlace) -> tuple[Block, ...]:
    field = place.last.field
    if place.part is not CollectionPart.VALUE or field is None or not isinstance(place.node, Scalar):
        return ()
    return about_word(field, place.node.value) or ()


def _span(place: HoverPlace, spot: HoverChunk) -> Span:
    """Return what the hover is about, as far as it stands on one line."""
    if place.part is CollectionPart.DASH:
        return Span(spot.at, spot.at + 1)
    pair = place.last.pair
    if place.part is CollectionPart.ALIAS and pair is not None and pair.key.start <= spot.at <= pair.key.end:
        # On the `<<` that merges an alias.
        return pair.key.span
    if isinstance(place.node, (Mapping, Sequence)) and place.node.origin is None:
        return place.node.span if isinstance(place.node, Sequence) and place.node.flow else Span(spot.at, spot.at)
    return place.node.span
