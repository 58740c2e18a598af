"""How sure a mean of paired differences is: Student's t interval, which needs no library and no random numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import cos, pi, sin, sqrt, tan
from typing import Literal

from rubric_core.scoring.exact import exact, rounded, rounded_root

CONFIDENCE = 0.95
METHOD = "Student's t interval of the mean paired difference, 95 %"
_FEWEST = 2
_PLACES = 6
# Halving an angle this often leaves less than a binary float can hold.
_HALVINGS = 60

Direction = Literal["better", "worse", "unclear"]


@dataclass(frozen=True, slots=True)
class Interval:
    """The mean difference of `cases` pairs, and the bounds between which it lies with 95 % confidence.

    All have six places. The bounds never leave the scale from -1 to 1, as no difference of two scores does.
    """

    cases: int
    mean: Decimal
    low: Decimal
    high: Decimal

    @property
    def direction(self) -> Direction:
        """Return whether the change is surely for the better or for the worse; unclear where 0 lies in the interval."""
        if self.low > 0:
            return "better"
        return "worse" if self.high < 0 else "unclear"


def paired_interval(differences: Sequence[Fraction]) -> Interval | None:
    """Return the interval of the mean difference; None for fewer than two pairs, which tell nothing of their spread.

    Where all differences are equal the interval has no width. The pairs count as independent of each other.
    """
    count = len(differences)
    if count < _FEWEST:
        return None
    # Exact sums of thousands of fractions could have denominators of millions of digits. These have twelve.
    close = [exact(rounded(each, 2 * _PLACES)) for each in differences]
    mean = sum(close, Fraction(0)) / count
    variance = sum(((each - mean) ** 2 for each in close), Fraction(0)) / (count - 1)
    quantile = Fraction(t_quantile(count - 1))
    half = exact(rounded_root(quantile**2 * variance / count, _PLACES))
    low, high = max(mean - half, Fraction(-1)), min(mean + half, Fraction(1))
    return Interval(count, *(rounded(each, _PLACES) for each in (mean, low, high)))


def t_quantile(degrees: int) -> float:
    """Return the bound that Student's t stays within, on either side of 0, with a probability of 95 %."""
    low, high = 0.0, pi / 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _probability_within(middle, degrees) < CONFIDENCE:
            low = middle
        else:
            high = middle
    return sqrt(degrees) * tan(low)


def _probability_within(angle: float, degrees: int) -> float:
    """Return how probable it is that t lies within plus or minus sqrt(degrees) * tan(angle).

    For a whole number of degrees of freedom the distribution is a finite sum of powers of the cosine.
    """
    odd = degrees % 2
    square = cos(angle) ** 2
    term, total = cos(angle) ** odd, 0.0
    for power in range(odd, degrees - 1, 2):
        total += term
        term *= square * (power + 1) / (power + 2)
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total
