"""What each criterion of a list contributes to the score and to the verdict, in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.syntax.scalars import as_boolean, is_blank
from rubric_core.views.criteria import CriteriaView, CriterionView, Mode

if TYPE_CHECKING:
    from rubric_core.syntax.nodes import Node

PASS = Fraction(4, 5)
"""The score from which a case passes."""
BORDERLINE = Fraction(3, 5)
"""The score from which a case is borderline."""
_FEWEST_PLACES, _MOST_PLACES = 2, 7


class Share(NamedTuple):
    """A criterion with its part of the whole weight, more than 0 and at most 1."""

    criterion: CriterionView
    part: Fraction


def shares_of(criteria: CriteriaView) -> list[Share]:
    """Return the part of each criterion that counts; none where a weight or an item cannot be read."""
    weights: list[tuple[CriterionView, Fraction]] = []
    for criterion in criteria.criteria:
        weight = criterion.weight if criterion.is_readable else None
        if weight is None:
            return []
        if weight:
            weights.append((criterion, Fraction(weight)))
    total = sum((weight for _, weight in weights), Fraction(0))
    return [Share(criterion, weight / total) for criterion, weight in weights]


def may_gate(criterion: CriterionView) -> bool:
    """Tell whether failing this criterion alone may fail the case, whatever the score; an unreadable gate may."""
    if criterion.mode is Mode.CHECKLIST:
        return criterion.is_required
    gate = criterion.pair("required_min_score")
    return gate is not None and not is_blank(gate.value) and criterion.minimum != 0


def is_optional(criterion: CriterionView) -> bool:
    """Tell whether the author says or shows that a case may pass without this criterion.

    A `required: true` beside score ranges has no effect, but it shows that the author means the opposite. Of ranges
    that are not sound nobody can tell what the author means.
    """
    if criterion.bands is None:
        return not criterion.is_required
    if not criterion.bands.is_sound:
        return False
    gate, required = criterion.pair("required_min_score"), criterion.pair("required")
    wants_gate = required is not None and as_boolean(required.value, criterion.version) is True
    return not wants_gate and (gate is None or is_blank(gate.value))


def dominating(criteria: CriteriaView, shares: list[Share]) -> Share | None:
    """Return the criterion that decides the verdict alone: met it passes, failed it fails, whatever the rest do."""
    if len(shares) < 2:  # noqa: PLR2004 - a criterion that stands alone has nothing to dominate.
        return None
    largest = max(shares, key=lambda share: share.part)
    # A criterion of weight 0 is no share, but it may well be a gate.
    others = (criterion for criterion in criteria.criteria if criterion is not largest.criterion)
    return None if largest.part < PASS or any(map(may_gate, others)) else largest


def place_of_weight(criterion: CriterionView) -> Node:
    """Return the node that says best where a criterion's weight comes from: the weight, else the id or the text."""
    fields = criterion.fields
    if fields is None or not fields.pairs:
        return criterion.node
    for name in ("weight", "id"):
        pair = fields.index.get(name)
        if pair is not None and not is_blank(pair.value):
            return pair.value
    return fields.pairs[0].key


def describe_score(score: Fraction, below: Fraction) -> str:
    """Return a score with two decimals, or with as many as show that it lies below a threshold."""
    for places in range(_FEWEST_PLACES, _MOST_PLACES):
        rounded = round(score, places)
        if rounded < below:
            return f"{float(rounded):.{places}f}".rstrip("0").rstrip(".")
    return f"just under {float(below)}"
