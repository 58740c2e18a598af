"""An evaluator: how much it counts beside the others of its case."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from rubric_core.assist.hover.cases import case_at
from rubric_core.assist.hover.markup import Block, Bullets, Strong, Verbatim, paragraph
from rubric_core.syntax.nodes import Mapping, Sequence
from rubric_core.syntax.scalars import as_number, is_blank
from rubric_core.views.apportionment import exact_sum
from rubric_core.views.criteria import ONE
from rubric_core.views.evaluators import EvaluatorView
from rubric_core.views.percentages import counted
from rubric_core.views.wording import capitalised

if TYPE_CHECKING:
    from rubric_core.assist.hover.place import HoverChunk, HoverPlace
    from rubric_core.syntax.scalars import YamlVersion
    from rubric_core.views.evaluators import EvaluatorsView

_ON_ITSELF = frozenset({"name", "weight"})


def about_evaluator(spot: HoverChunk, place: HoverPlace) -> tuple[Block, ...]:
    """Return what an evaluator of a case counts, on its dash, its name and its weight."""
    evaluators = _list_at(spot, place)
    node = _evaluator_at(place)
    if evaluators is None or node is None:
        return ()
    pair = place.last.pair
    if place.node is not node and not (pair is not None and pair.name in _ON_ITSELF):
        return ()
    view = EvaluatorView(node, spot.version)
    name = (" ", Verbatim(view.name.value)) if view.name is not None else (" without a name",)
    head = paragraph(Strong("Evaluator"), *name, f": {view.kind}." if view.kind is not None else ".")
    return head, Bullets(((_share_line(evaluators, node, spot.version),),))


def _evaluator_at(place: HoverPlace) -> Mapping | None:
    """Return the evaluator that the cursor is directly in, or whose dash it is on."""
    last = place.last
    node = place.node if isinstance(last.node, Sequence) else last.node
    return node if isinstance(node, Mapping) else None


def _list_at(spot: HoverChunk, place: HoverPlace) -> EvaluatorsView | None:
    """Return the evaluators of the case that are used, where the cursor is directly in one of that list."""
    case = case_at(spot, place)
    used = case.evaluators[0] if case is not None and case.evaluators else None
    is_item = isinstance(place.last.node, Sequence)
    step = place.last if is_item else place.steps[-2] if len(place.steps) > 1 else None
    return used if used is not None and step is not None and step.node is used.pair.value else None


def _share_line(evaluators: EvaluatorsView, node: Mapping, version: YamlVersion) -> str:
    weights = [_weight(each.node, version) for each in evaluators.evaluators]
    own = _weight(node, version)
    known = [weight for weight in weights if weight is not None]
    if own is None or len(known) < len(weights):
        return "What it counts cannot be told: a weight of its list cannot be read."
    if not own:
        return "Counts nothing: its weight is 0."
    inline = ONE if evaluators.inline is not None else Decimal(0)
    share = capitalised(counted(own, exact_sum((*known, inline)), "the case's score"))
    return f"{share}; the criteria of the case count 1." if inline else f"{share}."


def _weight(evaluator: Mapping, version: YamlVersion) -> Decimal | None:
    """Return the weight as written, 1 where none is; None where it is no finite number of 0 or more."""
    node = evaluator.get("weight")
    if node is None or is_blank(node):
        return ONE
    weight = as_number(node, version)
    return weight if weight is not None and weight.is_finite() and weight >= 0 else None
