"""Did a change help?"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.scoring.comparison import CriterionChange, GradedCase, Interval, compare, paired_interval, t_quantile
from rubric_core.scoring.grades import Verdict

PASS, BORDERLINE, FAIL = Verdict.PASS, Verdict.BORDERLINE, Verdict.FAIL


def _case(name: str, score: str | None, verdict: Verdict | None, **criteria: str) -> GradedCase:
    values = {criterion: Fraction(value) for criterion, value in criteria.items()}
    return GradedCase(name, None if score is None else Fraction(score), verdict, values)


@pytest.mark.parametrize(
    ("before", "after", "flip"),
    [
        (FAIL, PASS, "better"),
        (FAIL, BORDERLINE, "better"),
        (BORDERLINE, PASS, "better"),
        (PASS, FAIL, "worse"),
        (PASS, BORDERLINE, "worse"),
        (BORDERLINE, FAIL, "worse"),
        (PASS, PASS, None),
        (FAIL, FAIL, None),
        # An error is no verdict, so that nothing flipped.
        (None, PASS, None),
        (PASS, None, None),
    ],
)
def test_flips(before: Verdict | None, after: Verdict | None, flip: str | None) -> None:
    """A verdict flips for the better or for the worse, whatever the score does."""
    found = compare([_case("a", "1/2", before)], [_case("a", "1/2", after)])
    assert found.cases[0].flip == flip


def test_cases_are_compared_by_name() -> None:
    """In the order of the first grading; what only one of them has is named and enters no number."""
    before = [_case("a", "1/2", FAIL), _case("b", "1", PASS), _case("gone", "1", PASS), _case("broken", None, None)]
    after = [_case("new", "0", FAIL), _case("broken", "1", PASS), _case("b", "4/5", PASS), _case("a", "1", PASS)]
    found = compare(before, after)
    assert [(each.case, each.difference) for each in found.cases] == [
        ("a", Fraction(1, 2)),
        ("b", Fraction(-1, 5)),
        ("broken", None),
    ]
    assert (found.only_before, found.only_after) == (("gone",), ("new",))
    assert [each.case for each in found.cases if each.flip is not None] == ["a"]
    assert found.interval is not None
    assert (found.interval.cases, found.interval.mean) == (2, Decimal("0.15"))


def test_criteria_are_compared_over_the_cases_that_have_them_twice() -> None:
    """The mean value before and after, and the change."""
    before = [_case("a", "1", PASS, style="1/2", codes="1"), _case("b", "1", PASS, style="1/5", old="1")]
    after = [_case("a", "1", PASS, style="1", codes="0"), _case("b", "1", PASS, style="3/10", new="1")]
    style, codes = compare(before, after).criteria
    assert style == CriterionChange("style", 2, Fraction(7, 20), Fraction(13, 20))
    assert style.change == Fraction(3, 10)
    assert codes == CriterionChange("codes", 1, Fraction(1), Fraction(0))
    assert codes.change == -1


def test_a_case_that_is_twice_is_refused() -> None:
    """Nobody knows which of the two is meant."""
    twice = [_case("a", "1", PASS)] * 2
    for before, after in ((twice, []), ([], twice)):
        with pytest.raises(ValueError, match="'a' occurs twice"):
            compare(before, after)


@pytest.mark.parametrize(
    ("degrees", "quantile"),
    [
        (1, "12.706"),
        (2, "4.303"),
        (3, "3.182"),
        (4, "2.776"),
        (5, "2.571"),
        (6, "2.447"),
        (7, "2.365"),
        (8, "2.306"),
        (9, "2.262"),
        (10, "2.228"),
        (15, "2.131"),
        (20, "2.086"),
        (29, "2.045"),
        (30, "2.042"),
        (60, "2.000"),
        (120, "1.980"),
        (1000, "1.962"),
        (5000, "1.960"),
    ],
)
def test_quantiles_are_those_of_the_tables(degrees: int, quantile: str) -> None:
    """Student's t, two-sided, 95 %."""
    assert f"{t_quantile(degrees):.3f}" == quantile


@pytest.mark.parametrize(
    ("differences", "interval", "direction"),
    [
        ([], None, None),
        (["1/2"], None, None),
        # The mean is 0.3, the deviation 0.1: 0.3 plus or minus 4.302653 * 0.1 / sqrt(3).
        (["0.2", "0.3", "0.4"], ("0.300000", "0.051586", "0.548414"), "better"),
        (["-0.2", "-0.3", "-0.4"], ("-0.300000", "-0.548414", "-0.051586"), "worse"),
        (["-0.1", "0.1"], ("0.000000", "-1.000000", "1.000000"), "unclear"),
        (["0", "0", "0"], ("0.000000", "0.000000", "0.000000"), "unclear"),
        # Sums are taken of twelve places, not of those that are shown.
        (["0.000000499", "0.000000499"], ("0.000000", "0.000000", "0.000000"), "unclear"),
        (["1/3", "1/3"], ("0.333333", "0.333333", "0.333333"), "better"),
    ],
)
def test_intervals(differences: list[str], interval: tuple[str, str, str] | None, direction: str | None) -> None:
    """One pair tells nothing of the spread; bounds stay on the scale from -1 to 1."""
    found = paired_interval([Fraction(each) for each in differences])
    if interval is None:
        assert found is None
        return
    assert found == Interval(len(differences), *(Decimal(each) for each in interval))
    assert found.direction == direction


@given(st.lists(st.fractions(-1, 1, max_denominator=1000), min_size=2, max_size=12))
def test_an_interval_is_that_of_the_textbook(differences: list[Fraction]) -> None:
    """Mean plus or minus t times the standard error; reversed differences give the reversed interval."""
    found = paired_interval(differences)
    reverse = paired_interval([-each for each in differences])
    assert found is not None
    assert reverse is not None
    values = [float(each) for each in differences]
    half = t_quantile(len(values) - 1) * stdev(values) / len(values) ** 0.5
    assert float(found.mean) == pytest.approx(mean(values), abs=2e-6)
    assert float(found.low) == pytest.approx(max(-1.0, mean(values) - half), abs=3e-6)
    assert float(found.high) == pytest.approx(min(1.0, mean(values) + half), abs=3e-6)
    assert (reverse.mean, reverse.low, reverse.high) == (-found.mean, -found.high, -found.low)
