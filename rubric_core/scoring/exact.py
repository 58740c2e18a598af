"""Exact numbers: decimals become fractions, and are rounded for display, independent of the decimal context."""

import re
from collections.abc import Iterable
from decimal import ROUND_DOWN, Context, Decimal, Inexact
from fractions import Fraction
from functools import reduce
from math import isqrt

PLACES = 2
"""Scores of scorecards, and means and deviations of their history, have two decimal places."""

# More digits than any sum of numbers that a file can hold; `Decimal` makes only as many as it needs.
_WIDE = Context(prec=50_000, traps=[])
_MOST_DIGITS = 28
_CUT_DIGITS = 17
# Below this, an exponent is shorter than the leading zeros.
_SMALLEST_PLAIN = -30
_FRACTION = re.compile(r"(-?[0-9]+)(?:/(0*[1-9][0-9]*))?")


def exact(value: Decimal | int) -> Fraction:
    """Return a number as a fraction, unrounded. Raises TypeError for a binary float, and ValueError for infinity."""
    if isinstance(value, float):
        raise TypeError(f"{value!r} is a binary float; a score is computed from decimals as they are written.")
    if isinstance(value, Decimal) and not value.is_finite():
        raise ValueError(f"{value} is no finite number.")
    return Fraction(value)


def weighted_mean(weighted: Iterable[tuple[Decimal, Fraction]]) -> Fraction:
    """Return the mean of values, each with its weight. Raises ValueError if the weights sum to 0."""
    total = sum_of_weights = Fraction(0)
    for weight, value in weighted:
        total += exact(weight) * value
        sum_of_weights += exact(weight)
    if not sum_of_weights:
        raise ValueError("The weights sum to 0, so that there is no score; give at least one a weight above 0.")
    return total / sum_of_weights


def sum_exactly(amounts: Iterable[Decimal], start: Decimal = Decimal("0.00")) -> Decimal:
    """Return a sum without any rounding, with at least as many places as scores have."""
    return reduce(_WIDE.add, amounts, start)


def rounded(value: Fraction, places: int = PLACES) -> Decimal:
    """Return a value with so many decimal places; a half is rounded away from zero."""
    units = (2 * abs(value) * 10**places + 1) // 2
    return Decimal(units if value >= 0 else -units).scaleb(-places, _WIDE)


def rounded_root(square: Fraction, places: int = PLACES) -> Decimal:
    """Return a square root with so many decimal places, rounded half up, without binary floats."""
    halves = isqrt(int(square * (2 * 10**places) ** 2))
    return rounded(Fraction((halves + 1) // 2, 10**places), places)


def decimal_text(score: Fraction) -> str:
    """Return a score as a decimal: exact if it has at most 28 digits, else 17 digits, the rest cut off.

    As nothing is rounded away from zero, a score below a mark never looks like the mark.
    """
    context = Context(prec=_MOST_DIGITS, traps=[])
    numerator, denominator = Decimal(score.numerator), Decimal(score.denominator)
    number = context.divide(numerator, denominator)
    if context.flags[Inexact]:
        number = Context(prec=_CUT_DIGITS, rounding=ROUND_DOWN, traps=[]).divide(numerator, denominator)
    if number.adjusted() < _SMALLEST_PLAIN:
        return str(number.normalize(context))
    plain = f"{number:f}"
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def json_number(score: Fraction | None) -> int | Decimal | None:
    """Return a score as a JSON number, without a point if it is whole."""
    if score is None or score.denominator == 1:
        return None if score is None else score.numerator
    return Decimal(decimal_text(score))


def fraction_text(score: Fraction) -> str:
    """Return a score as numerator and denominator, such as `4/5`; a whole number has no denominator."""
    # Python refuses to write integers of more than 4,300 digits; decimals have no such limit.
    numerator, denominator = (f"{Decimal(part):f}" for part in (score.numerator, score.denominator))
    return numerator if score.denominator == 1 else f"{numerator}/{denominator}"


def read_fraction(text: str) -> Fraction:
    """Parse the output of `fraction_text`. Raises ValueError for any other text."""
    match = _FRACTION.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no fraction of two whole numbers, such as 4/5.")
    numerator, denominator = match.groups(default="1")
    return exact(Decimal(numerator)) / exact(Decimal(denominator))
