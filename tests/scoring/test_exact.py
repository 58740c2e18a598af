"""Numbers as written stay as written; only what is shown is rounded."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.schema.scales import BORDERLINE_MARK, PASS_MARK
from rubric_core.scoring.exact import (
    decimal_text,
    exact,
    fraction_text,
    read_fraction,
    rounded,
    rounded_root,
    sum_exactly,
    weighted_mean,
)

_TINY = Fraction(1, 10**40)
_SCORES = st.one_of(
    st.fractions(0, 1),
    # Close to a mark on both sides, closer than any float can tell.
    st.builds(
        lambda mark, sign, power: mark + sign * Fraction(1, 10**power),
        st.sampled_from([PASS_MARK, BORDERLINE_MARK, Fraction(1, 2)]),
        st.sampled_from([-1, 1]),
        st.integers(1, 60),
    ),
)


@pytest.mark.parametrize(
    ("written", "fraction"),
    [
        (Decimal("0.1"), Fraction(1, 10)),
        (Decimal("2.50"), Fraction(5, 2)),
        (7, Fraction(7)),
        (Decimal("1e-9999"), Fraction(1, 10**9999)),
        (Decimal("0." + "3" * 200), Fraction(int("3" * 200), 10**200)),
    ],
)
def test_a_number_is_what_somebody_wrote(written: Decimal | int, fraction: Fraction) -> None:
    """One tenth is one tenth, however many digits it takes."""
    assert exact(written) == fraction


def test_a_binary_float_is_refused() -> None:
    """0.6 as a float is a little less than six tenths, so that an answer on the mark would fail."""
    assert Fraction(0.6) < BORDERLINE_MARK
    with pytest.raises(TypeError, match=r"^0\.6 is a binary float"):
        exact(0.6)  # type: ignore[arg-type]


@pytest.mark.parametrize("written", ["NaN", "Infinity", "-Infinity"])
def test_what_is_not_finite_is_refused(written: str) -> None:
    """There is no fraction for it."""
    with pytest.raises(ValueError, match="is no finite number"):
        exact(Decimal(written))


@pytest.mark.parametrize("weighted", [[], [(Decimal(0), Fraction(1))], [(Decimal("0.0"), Fraction(1))] * 2])
def test_without_weight_there_is_no_mean(weighted: list[tuple[Decimal, Fraction]]) -> None:
    """It is neither 0 nor 1."""
    with pytest.raises(ValueError, match="The weights sum to 0"):
        weighted_mean(weighted)


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(1), "1"),
        (Fraction(10), "10"),
        (Fraction(4, 5), "0.8"),
        (Fraction(3, 4), "0.75"),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(2, 3), "0.66666666666666666"),
        (Fraction(-2, 3), "-0.66666666666666666"),
        (Fraction(1, 2**20), "0.00000095367431640625"),
        (Fraction(1, 10**28), "0." + "0" * 27 + "1"),
        (Fraction(1, 10**30), "0." + "0" * 29 + "1"),
        (Fraction(1, 10**31), "1E-31"),
        (Fraction(1, 10**100), "1E-100"),
        (Fraction(1, 3 * 10**50), "3.3333333333333333E-51"),
        (Fraction(1, 10**9999), "1E-9999"),
        # It ends, but only after 40 digits.
        (PASS_MARK - _TINY, "0.79999999999999999"),
        (PASS_MARK + _TINY, "0.8"),
    ],
)
def test_a_score_is_printed_unrounded_where_that_ends(score: Fraction, text: str) -> None:
    """28 digits are enough for what people write; longer ones are cut after 17."""
    assert decimal_text(score) == text


@given(_SCORES)
def test_a_printed_score_is_on_the_same_side_of_every_mark(score: Fraction) -> None:
    """Whoever reads the number draws the verdict that the number had."""
    shown = Fraction(Decimal(decimal_text(score)))
    assert shown <= score
    for mark in (PASS_MARK, BORDERLINE_MARK):
        assert (shown >= mark) == (score >= mark)
    assert score - shown <= score / 10**16


@given(st.integers(0, 10**28 - 1))
def test_a_decimal_of_28_digits_is_printed_exactly(digits: int) -> None:
    """Nothing is lost, and no zero is at the end for nothing."""
    score = Fraction(digits, 10**28)
    shown = decimal_text(score)
    assert Fraction(shown) == score
    assert shown == "0" or not shown.endswith("0")


@pytest.mark.parametrize(
    ("score", "text"),
    [(Fraction(4, 5), "4/5"), (Fraction(1), "1"), (Fraction(0), "0"), (Fraction(-1, 3), "-1/3")],
)
def test_a_score_is_also_reported_as_a_fraction(score: Fraction, text: str) -> None:
    """This one is exact always."""
    assert fraction_text(score) == text


@given(st.one_of(_SCORES, st.fractions(), st.integers(5000, 9999).map(lambda power: Fraction(1, 10**power + 1))))
def test_a_fraction_can_be_read_again(score: Fraction) -> None:
    """Also one with more digits than Python itself wants to write."""
    assert read_fraction(fraction_text(score)) == score


@pytest.mark.parametrize(
    "text", ["", "4/", "/5", "4/0", "4/-5", "0.8", "4 / 5", "1e3", "four", "4/5/6", "\u0664/\u0665", "NaN"]
)
def test_what_is_no_fraction_is_refused(text: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(ValueError, match="is no fraction of two whole numbers"):
        read_fraction(text)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("8.445", "8.45"),
        ("8.4449999", "8.44"),
        ("9.495", "9.50"),
        ("10", "10.00"),
        ("0.005", "0.01"),
        ("-0.005", "-0.01"),
        ("0", "0.00"),
    ],
)
def test_a_half_is_rounded_up(value: str, shown: str) -> None:
    """Two places, always written."""
    assert str(rounded(Fraction(value))) == shown


@given(st.fractions(-10, 10), st.integers(0, 8))
def test_rounding_is_that_of_decimals_without_their_context(value: Fraction, places: int) -> None:
    """The result does not depend on the precision that a notebook has set."""
    with localcontext() as context:
        context.prec = 2
        result = rounded(value, places)
    quotient = Decimal(value.numerator * 10**places) / Decimal(value.denominator)
    assert abs(exact(result) - value) <= Fraction(1, 2 * 10**places)
    if Fraction(quotient) == value * 10**places:
        assert result == quotient.quantize(Decimal(1), ROUND_HALF_UP).scaleb(-places)


@given(st.fractions(0, 100))
def test_a_root_is_rounded_half_up(square: Fraction) -> None:
    """The true root lies within half a hundredth, the lower end included."""
    root = exact(rounded_root(square))
    half = Fraction(1, 200)
    assert max(root - half, Fraction(0)) ** 2 <= square < (root + half) ** 2


@pytest.mark.parametrize(("square", "root"), [("0", "0.00"), ("2", "1.41"), ("0.000025", "0.01"), ("0.00002", "0.00")])
def test_some_roots(square: str, root: str) -> None:
    """The root of 0.000025 is 0.005, a half."""
    assert str(rounded_root(Fraction(square))) == root


def test_a_sum_is_not_rounded() -> None:
    """However small one of the amounts is."""
    with localcontext() as context:
        context.prec = 3
        total = sum_exactly([Decimal("0.5"), Decimal("1e-60"), Decimal("0.25")])
    assert exact(total) == Fraction(3, 4) + Fraction(1, 10**60)
    assert str(sum_exactly([])) == "0.00"
    assert str(sum_exactly([Decimal("0.5"), Decimal("0.5")])) == "1.00"
