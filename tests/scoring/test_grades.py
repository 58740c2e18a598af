"""Letter grades."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scoring_values import composed, judgement, scorecard

from rubric_core.schema.grades import GRADES
from rubric_core.scoring.grades import describe_grade, grade_of, is_below
from rubric_core.scoring.scorecards import score_scorecard

_HUNDREDTH = Decimal("0.01")
_TABLE = [
    ("A+", "9.50", "10.00", "Exceptional", "Virtually flawless. Exceeds expectations in every dimension."),
    ("A", "9.00", "9.49", "Excellent", "Outstanding quality with only the most trivial imperfections."),
    ("A-", "8.50", "8.99", "Very Good", "High quality across all dimensions. Minor issues only."),
    ("B+", "8.00", "8.49", "Good", "Solid output with a few noticeable but non-critical issues."),
    ("B", "7.50", "7.99", "Above Average", "Competent output that meets expectations with room for improvement."),
    ("B-", "7.00", "7.49", "Satisfactory", "Meets basic requirements. Some dimensions need improvement."),
    ("C+", "6.50", "6.99", "Adequate", "Acceptable but clearly below professional standards."),
    ("C", "6.00", "6.49", "Mediocre", "Barely meets minimum requirements. Multiple areas need work."),
    ("C-", "5.50", "5.99", "Below Average", "Falls short of expectations in several dimensions."),
    ("D+", "5.00", "5.49", "Poor", "Significant deficiencies. Output requires major rework."),
    ("D", "4.00", "4.99", "Very Poor", "Fails to meet most requirements. Fundamental issues present."),
    ("F", "1.00", "3.99", "Failing", "Output is unusable or severely flawed. Does not fulfill the task."),
]
_BOUNDARIES = [(better[0], better[1], worse[0]) for better, worse in pairwise(_TABLE)]


@pytest.mark.parametrize(("grade", "lowest", "highest", "label", "description"), _TABLE)
def test_table(grade: str, lowest: str, highest: str, label: str, description: str) -> None:
    """Grade Thresholds. Both ends of each range, with label and description."""
    for end in (lowest, highest):
        row = grade_of(Decimal(end))
        assert (row.grade, row.label, row.description) == (grade, label, description)


def test_the_table_is_complete() -> None:
    """Grade Thresholds. There are twelve, and every hundredth from 1.00 to 10.00 has exactly one of them."""
    assert len(GRADES) == len(_TABLE) == 12
    for hundredths in range(100, 1001):
        final = hundredths * _HUNDREDTH
        inside = [grade for grade, lowest, highest, *_ in _TABLE if Decimal(lowest) <= final <= Decimal(highest)]
        assert [grade_of(final).grade] == inside


@pytest.mark.parametrize(("better", "boundary", "worse"), _BOUNDARIES)
def test_boundaries(better: str, boundary: str, worse: str) -> None:
    """Boundary Rules. Inclusive of the lower bound: 9.00 is an A and not an A-, and 8.99 is an A- and not an A."""
    assert grade_of(Decimal(boundary)).grade == better
    assert grade_of(Decimal(boundary) - _HUNDREDTH).grade == worse


@pytest.mark.parametrize(("better", "boundary", "worse"), _BOUNDARIES)
@pytest.mark.parametrize(
    ("distance", "is_better"),
    [("0", True), ("0.004", True), ("0.005", True), ("0.00500001", False), ("0.006", False), ("0.01", False)],
)
def test_rounding_before_the_boundaries(
    better: str,
    boundary: str,
    worse: str,
    distance: str,
    is_better: bool,  # noqa: FBT001 - a table.
) -> None:
    """Boundary Rules. Scores are computed to two decimal places first: 8.995 is 9.00, an A, and 8.9949 is an A-."""
    weights, scores = composed(str(Decimal(boundary) - Decimal(distance)))
    result = score_scorecard(scorecard(weights=weights), judgement(scores))
    assert result.grade == (better if is_better else worse)
    assert result.final_score == Decimal(boundary) - (0 if is_better else _HUNDREDTH)
    assert result.label == grade_of(result.final_score).label


@pytest.mark.parametrize("final", ["0.99", "10.01", "0", "-1", "NaN", "Infinity"])
def test_off_the_scale_there_is_no_grade(final: str) -> None:
    """Grade Thresholds. The table begins at 1.00 and ends at 10.00."""
    with pytest.raises(ValueError, match=r"it must be from 1\.00 to 10\.00"):
        grade_of(Decimal(final))


@given(st.decimals("1", "10", allow_nan=False), st.decimals("1", "10", allow_nan=False))
def test_a_higher_score_never_has_a_lower_grade(first: Decimal, second: Decimal) -> None:
    """Boundary Rules. Every score has one grade, the upper bound excluded, and the grades follow the scores."""
    places = {row.grade: place for place, row in enumerate(GRADES)}
    lower, higher = sorted((first, second))
    assert places[grade_of(higher).grade] <= places[grade_of(lower).grade]
    assert grade_of(lower).lowest <= lower


def test_a_grade_is_described_by_the_table() -> None:
    """A grade of another table has no description."""
    assert [describe_grade(row[0]) for row in _TABLE] == [row[4] for row in _TABLE]
    assert describe_grade("E") == ""


def test_a_grade_is_below_all_that_are_before_it_in_the_table() -> None:
    """A grade of another table is below every minimum."""
    grades = [row[0] for row in _TABLE]
    for place, minimum in enumerate(grades):
        assert [is_below(grade, minimum) for grade in grades] == [each > place for each in range(len(grades))]
        assert is_below("E", minimum)
