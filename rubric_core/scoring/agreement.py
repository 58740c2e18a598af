"""How far two judges agree on a criterion: raw agreement, and Cohen's kappa, which corrects for chance."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

Rating = bool | int
"""The judgement of one criterion: met or not, or a score."""
RatingPair = tuple[Rating, Rating]
"""The judgements of two judges on the same criterion and answer."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far two judges agree.

    `raw` is the share of equal ratings. `kappa` is Cohen's: 1 is full agreement, 0 chance, below 0 less than chance.
    For scores, `weighted_kappa` counts a disagreement by the square of its distance, so that 7 against 8 is nearly
    agreement. A kappa is None if it is undefined: both judges always gave the same rating.
    """

    pairs: int
    raw: Fraction
    kappa: Fraction | None
    weighted_kappa: Fraction | None = None


def agreement_of(pairs: Sequence[RatingPair]) -> Agreement:
    """Return the agreement on all pairs. Raises ValueError without pairs, or if booleans and scores are mixed."""
    if not pairs:
        raise ValueError("There are no ratings to compare.")
    kinds = {isinstance(rating, bool) for pair in pairs for rating in pair}
    if len(kinds) > 1:
        raise ValueError("The ratings are partly booleans and partly scores.")
    equal = sum(first == second for first, second in pairs)
    return Agreement(
        pairs=len(pairs),
        raw=Fraction(equal, len(pairs)),
        kappa=_kappa(pairs, lambda first, second: int(first != second)),
        weighted_kappa=None if True in kinds else _kappa(pairs, lambda first, second: (first - second) ** 2),
    )


def _kappa(pairs: Sequence[RatingPair], disagreement: Callable[[Rating, Rating], int]) -> Fraction | None:
    """Return 1 minus the ratio of the observed disagreement to that by chance."""
    seen = sum(disagreement(first, second) for first, second in pairs)
    of_first, of_second = Counter(first for first, _ in pairs), Counter(second for _, second in pairs)
    by_chance = sum(
        times * others * disagreement(first, second)
        for first, times in of_first.items()
        for second, others in of_second.items()
    )
    # Both sums lack the number of pairs in their denominators: once in the observed one, twice in that by chance.
    return 1 - Fraction(seen * len(pairs), by_chance) if by_chance else None
