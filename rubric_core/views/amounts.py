"""Weights, shares and scores: exact division, and their wording."""

from collections.abc import Iterable, Mapping
from decimal import Context, Decimal
from fractions import Fraction
from functools import reduce

from rubric_core.schema.scales import BORDERLINE_MARK, PASS_MARK

# Enough digits for every sum of numbers of a file; `Decimal` uses only as many as it needs.
_EXACT = Context(prec=50_000, traps=[])
_FEWEST_PLACES = 2
_PLACES_FOR_EQUALITY = 4
_MOST_PLACES = 6
_LONGEST_SHOWN = 24
# Numbers beyond these sizes are no weights, and exact fractions of them would be slow.
_LARGEST_EXPONENT = 15


def exact_sum(numbers: Iterable[Decimal]) -> Decimal:
    """Return a sum without any rounding."""
    return reduce(_EXACT.add, numbers, Decimal(0))


def describe(number: Decimal) -> str:
    """Return a number for a message: without trailing zeros, and rounded if it is very long."""
    if not number:
        return "0"
    if abs(number.adjusted()) <= _LARGEST_EXPONENT:
        shown = f"{number:f}"
        shown = shown.rstrip("0").rstrip(".") if "." in shown else shown
        if len(shown) <= _LONGEST_SHOWN:
            return shown
    return f"about {number:.6g}"


def scaled_to_one(weights: Mapping[str, Decimal]) -> dict[str, Decimal] | None:
    """Return weights in the same proportions that sum to exactly 1; None if they have no proportions."""
    if any(weight < 0 for weight in weights.values()) or not any(weights.values()):
        return None
    return apportioned(Decimal(1), weights)


def apportioned(whole: Decimal, shares: Mapping[str, Decimal]) -> dict[str, Decimal] | None:
    """Divide a whole in proportion to shares, with as few decimals as possible, but at least two.

    Equal shares get equal parts if four decimals are enough, and no part is 0. Returns None if six decimals are not
    enough.
    """
    fewest = max(_FEWEST_PLACES, -int(whole.as_tuple().exponent))
    sizes = [abs(number.adjusted()) for number in (whole, *shares.values()) if number]
    if fewest > _MOST_PLACES or max(sizes, default=0) > _LARGEST_EXPONENT:
        return None
    first: dict[str, Decimal] | None = None
    for places in range(fewest, _MOST_PLACES + 1):
        parts = _largest_remainder(whole, shares, places)
        if any(share and not parts[name] for name, share in shares.items()):
            continue
        pairs = {(share, parts[name]) for name, share in shares.items()}
        if len(pairs) == len(set(shares.values())) and places <= _PLACES_FOR_EQUALITY:
            return parts
        first = first or parts
    return first


def _largest_remainder(whole: Decimal, shares: Mapping[str, Decimal], places: int) -> dict[str, Decimal]:
    """Round every part down, then give the rest to those that lost most; the first wins among equals."""
    total = sum(map(Fraction, shares.values()), Fraction(0))
    units = Fraction(whole) * 10**places
    quotas = {name: units * Fraction(share) / total for name, share in shares.items()}
    parts = {name: int(quota) for name, quota in quotas.items()}
    left = int(units) - sum(parts.values())
    for name in sorted(quotas, key=lambda name: parts[name] - quotas[name])[:left]:
        parts[name] += 1
    return {name: Decimal(count).scaleb(-places) for name, count in parts.items()}


_LARGEST_WRITTEN = 1_000
_ALL_TENTHS = 1_000


def percent(part: Fraction) -> str:
    """Return a share as a percentage with one decimal; only 0 and 1 are shown as 0 % and 100 %."""
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
    # A fraction is useful if the weights do not show it and its numbers are small.
    if fraction == written or part == 1 or part.denominator > _LARGEST_WRITTEN:
        return f"weight {written}, {percent(part)} of {whole}"
    return f"weight {written}, {part.numerator}/{part.denominator} or {percent(part)} of {whole}"


def score_in_words(score: Fraction) -> str:
    """Return a score with three decimals, or as many as keep it on its side of the limits."""
    for places in range(3, 8):
        rounded = Fraction(_rounded(score * 10**places), 10**places)
        if all((rounded >= limit) == (score >= limit) for limit in (BORDERLINE_MARK, PASS_MARK)):
            return describe(Decimal(rounded.numerator) / Decimal(rounded.denominator))
    return f"just under {describe(Decimal(4) / 5 if score > BORDERLINE_MARK else Decimal(3) / 5)}"


def _rounded(number: Fraction) -> int:
    """Round half up, as readers expect."""
    return (number + Fraction(1, 2)).__floor__()
