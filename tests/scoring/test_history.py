"""Historical consistency: what an evaluation looks like beside the ones before it."""

from __future__ import annotations

from fractions import Fraction
from statistics import mean, variance

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scoring_values import judgement, scorecard

from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.scoring.scorecards import DimensionHistory, HistoryReport, history_report, score_scorecard


def _report(past: list[int] | tuple[int, ...], score: int) -> HistoryReport:
    return history_report("review", {"safety": score}, [{"safety": each} for each in past])


def _only(past: list[int] | tuple[int, ...], score: int) -> DimensionHistory:
    (dimension,) = _report(past, score).dimensions
    return dimension


@pytest.mark.parametrize(
    ("past", "score", "shown"),
    [
        ((4, 6), 5, ("5.00", "1.41", "0.00")),
        ((7, 7, 8), 9, ("7.33", "0.58", "1.67")),
        ((5, 5, 5, 6), 2, ("5.25", "0.50", "3.25")),
        ((1, 10), 1, ("5.50", "6.36", "4.50")),
        ((8, 8), 8, ("8.00", "0.00", "0.00")),
        ((1, 1, 1, 1, 1, 1, 1, 2), 1, ("1.13", "0.35", "0.13")),
    ],
)
def test_mean_and_deviation(past: tuple[int, ...], score: int, shown: tuple[str, str, str]) -> None:
    """Historical Consistency (Supplementary) 1 and 2.

    The mean, the sample standard deviation, and the distance of the score, each rounded half up to two places.
    """
    dimension = _only(past, score)
    assert (str(dimension.mean), str(dimension.standard_deviation), str(dimension.deviation)) == shown
    assert (dimension.name, dimension.score) == ("safety", score)


@pytest.mark.parametrize(
    ("past", "score", "flagged"),
    [
        # The deviation is exactly 1, so that 2 away is not more than two of them.
        ((4, 5, 6), 5, False),
        ((4, 5, 6), 7, False),
        ((4, 5, 6), 3, False),
        ((4, 5, 6), 8, True),
        ((4, 5, 6), 2, True),
        # Shown as 2.20 and 1.10, and yet it is more than two deviations.
        ((1, 1, 1, 3, 3), 4, True),
        # Shown as 7.13 and 3.56, and yet it is less than two deviations.
        ((1, 1, 1, 1, 1, 1, 7, 10), 10, False),
        # Where the past never varied, whatever differs is worth a look.
        ((7, 7), 7, False),
        ((7, 7), 8, True),
        ((7, 7), 6, True),
    ],
)
def test_flags(past: tuple[int, ...], score: int, flagged: bool) -> None:  # noqa: FBT001 - a table.
    """Historical Consistency (Supplementary) 3.

    More than 2 standard deviations from the mean are flagged; that is decided exactly and not on what is shown.
    """
    report = _report(past, score)
    assert report.dimensions[0].flagged == flagged
    assert report.flags == (("safety",) if flagged else ())


def test_the_last_ten_count() -> None:
    """Historical Consistency (Supplementary) 1. The rolling average of the last 10 evaluations, oldest given first."""
    past = [1, 1, 1, *[8] * 10]
    assert not _only(past, 8).flagged
    assert str(_only(past, 8).mean) == "8.00"
    assert str(_only(past[:-1], 8).mean) == "7.30"
    assert [_report(past[:count], 8).evaluations for count in (2, 9, 10, 11, 13)] == [2, 9, 10, 10, 10]


@pytest.mark.parametrize("past", [[], [3]])
def test_the_past_begins_with_the_first_evaluation(past: list[int]) -> None:
    """Baseline Calibration. Without two earlier evaluations there is nothing to compare with, and no flag."""
    report = _report(past, 9)
    assert report == HistoryReport("review", len(past))
    assert report.flags == ()


def test_every_dimension_has_its_own_past() -> None:
    """Historical Consistency (Supplementary) 3. In any dimension."""
    past = [dict.fromkeys(DIMENSIONS, 7) | {"efficiency": each} for each in (2, 9)]
    current = dict.fromkeys(DIMENSIONS, 7) | {"safety": 6, "efficiency": 5}
    report = history_report("review", current, past)
    assert [each.name for each in report.dimensions] == list(DIMENSIONS)
    assert report.flags == ("safety",)


def test_history_never_changes_the_score() -> None:
    """Historical Consistency (Supplementary) 4.

    It does NOT directly affect the composite score: scoring does not even know of it.
    """
    said = judgement(9)
    scored = score_scorecard(scorecard(), said)
    current = {each.name: each.score for each in scored.dimensions}
    report = history_report("review", current, [dict.fromkeys(DIMENSIONS, 2)] * 5)
    assert report.flags == DIMENSIONS
    assert score_scorecard(scorecard(), said) == scored


@given(st.lists(st.integers(1, 10), min_size=2, max_size=14), st.integers(1, 10))
def test_a_flag_is_an_exact_comparison(past: list[int], score: int) -> None:
    """The standard library's exact statistics on fractions say the same."""
    window = [Fraction(each) for each in past[-10:]]
    distance = abs(score - mean(window))
    dimension = _only(past, score)
    assert dimension.flagged == (distance**2 > 4 * variance(window))
    half = Fraction(1, 200)
    assert abs(Fraction(dimension.mean) - mean(window)) <= half
    assert abs(Fraction(dimension.deviation) - distance) <= half
    assert max(Fraction(dimension.standard_deviation) - half, Fraction(0)) ** 2 <= variance(window)
    assert variance(window) < (Fraction(dimension.standard_deviation) + half) ** 2
