"""What each criterion of a list contributes to the score and to the verdict, in exact arithmetic."""

from decimal import Context, Decimal
from fractions import Fraction
from typing import NamedTuple

from rubric_core.schema.scales import PASS_MARK
from rubric_core.syntax.nodes import Node
from rubric_core.syntax.scalars import is_blank
from rubric_core.views.criteria import CriteriaView, CriterionView, Mode

# What a passing case can do without.
_SPARE = 1 - PASS_MARK
_FEWEST_PLACES, _MOST_PLACES = 2, 7
# Weights have exponents of four digits at most, so that no sum of them is rounded. Fractions would be exact as well,
# but ten times slower, and every list of criteria is looked at.
_EXACT = Context(prec=30_000)


class Share(NamedTuple):
    """A criterion with its weight, above 0, and the weight of the whole list."""

    criterion: CriterionView
    weight: Decimal
    total: Decimal

    @property
    def part(self) -> Fraction:
        """Return the share as a fraction of the whole, above 0 and at most 1."""
        return Fraction(self.weight) / Fraction(self.total)

    @property
    def is_needed(self) -> bool:
        """Return whether the others together do not reach a pass."""
        return _times(self.weight, _SPARE.denominator) > _times(self.total, _SPARE.numerator)

    @property
    def is_enough(self) -> bool:
        """Return whether this share alone reaches a pass."""
        return _times(self.weight, PASS_MARK.denominator) >= _times(self.total, PASS_MARK.numerator)


def _times(number: Decimal, factor: int) -> Decimal:
    return _EXACT.multiply(number, Decimal(factor))


def shares_of(criteria: CriteriaView) -> list[Share]:
    """Return the share of each criterion that counts; none where a weight or an item cannot be read."""
    weights: list[tuple[CriterionView, Decimal]] = []
    total = Decimal(0)
    if len(criteria.readable) != len(criteria.criteria):
        return []
    for criterion in criteria.criteria:
        weight = criterion.weight
        if weight is None:
            return []
        if weight:
            weights.append((criterion, weight))
            total = _EXACT.add(total, weight)
    return [Share(criterion, weight, total) for criterion, weight in weights]


def may_gate(criterion: CriterionView) -> bool:
    """Return whether failing this criterion alone may fail the case, whatever the score; an unreadable gate may."""
    if criterion.mode is Mode.CHECKLIST:
        return criterion.is_required
    gate = criterion.pair("required_min_score")
    return gate is not None and criterion.minimum != 0


def is_optional(criterion: CriterionView) -> bool:
    """Return whether the author says or shows that a case may pass without this criterion.

    A `required: true` beside score ranges and an empty `required_min_score` have no effect, but they show that the
    author means the opposite. Of ranges with an error nobody can tell what the author means.
    """
    if criterion.bands is None:
        return not criterion.is_required
    if criterion.required or criterion.pair("required_min_score") is not None:
        return False
    return criterion.bands.covers_once and criterion.bands.has_distinct_texts


def dominating(criteria: CriteriaView, shares: list[Share]) -> Share | None:
    """Return the criterion that decides the verdict alone: met it passes, failed it fails, whatever the rest do."""
    if len(shares) < 2:  # noqa: PLR2004 - a criterion that stands alone has nothing to dominate.
        return None
    largest = max(shares, key=lambda share: share.weight)
    # A criterion of weight 0 is no share, but it may well be a gate.
    others = (criterion for criterion in criteria.criteria if criterion is not largest.criterion)
    return largest if largest.is_enough and not any(map(may_gate, others)) else None


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
