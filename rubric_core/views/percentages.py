"""Shares and scores in words: exact where that is short, rounded where it is not, never rounded across a limit."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from rubric_core.schema.scales import BORDERLINE_MARK, PASS_MARK
from rubric_core.views.apportionment import describe

_LARGEST_WRITTEN = 1_000
_ALL_TENTHS = 1_000


def percent(part: Fraction) -> str:
    """Return a share as a percentage with one decimal; what is not all or nothing is not called so."""
    tenths = _rounded(part * _ALL_TENTHS)
    if tenths == 0 and part > 0:
        return "under 0.1 %"
    if tenths == _ALL_TENTHS and part < 1:
        return "over 99.9 %"
    whole, tenth = divmod(tenths, 10)
    return f"{whole}.{tenth} %" if tenth else f"{whole} %"


def counted(weight: Decimal, total: Decimal, whole: str = "the score") -> str:
    """Return how much a weight counts: `weight 2 of 7, 28.6 % of the score`, with a fraction if it is another."""
    part = Fraction(weight) / Fraction(total)
    written = f"{describe(weight)} of {describe(total)}"
    fraction = f"{part.numerator} of {part.denominator}"
    # A fraction helps where the weights do not show it, and where a reader can picture it.
    if fraction == written or part == 1 or part.denominator > _LARGEST_WRITTEN:
        return f"weight {written}, {percent(part)} of {whole}"
    return f"weight {written}, {part.numerator}/{part.denominator} or {percent(part)} of {whole}"


def score_in_words(score: Fraction) -> str:
    """Return a score with as many decimals as keep it on its side of the limits, three where that does not matter."""
    for places in range(3, 8):
        rounded = Fraction(_rounded(score * 10**places), 10**places)
        if all((rounded >= limit) == (score >= limit) for limit in (BORDERLINE_MARK, PASS_MARK)):
            return describe(Decimal(rounded.numerator) / Decimal(rounded.denominator))
    return f"just under {describe(Decimal(4) / 5 if score > BORDERLINE_MARK else Decimal(3) / 5)}"


def _rounded(number: Fraction) -> int:
    """Round half up, which is what readers expect."""
    return (number + Fraction(1, 2)).__floor__()
