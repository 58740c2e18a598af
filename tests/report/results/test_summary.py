"""What all results come to."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from sample_results import ALL, BORDERLINE, ERROR, GATE_FAILED, PASSED, SCORECARD_ALONE, SCORECARD_IN_ERROR

from rubric_core.grading.usage import Usage
from rubric_core.report.results.wording import count_words, side_words, state_of, summarize


def test_every_case_has_one_state() -> None:
    """A case with a scorecard alone has no verdict, which is neither a pass nor an error."""
    states = [state_of(result) for result in (PASSED, BORDERLINE, GATE_FAILED, ERROR, SCORECARD_ALONE)]
    assert states == ["pass", "borderline", "fail", "error", "no verdict"]


def test_a_scorecard_in_error_leaves_the_verdict_standing() -> None:
    """It is counted on its own."""
    assert state_of(SCORECARD_IN_ERROR) == "pass"
    assert summarize([SCORECARD_IN_ERROR]).scorecard_errors == 1


def test_the_summary_counts_cases_means_scores_exactly_and_adds_up_usage() -> None:
    """Errors take no part in the mean, so that they are not taken for zeros."""
    summary = summarize(ALL)
    assert summary.cases == 7
    assert summary.counts == {"pass": 2, "borderline": 1, "fail": 2, "error": 1, "partial": 0, "no verdict": 1}
    assert summary.mean_score == (1 + Fraction(1, 3) + Fraction(23, 35) + 1 + Fraction(1, 3)) / 5
    assert summary.usage == Usage(calls=8, input_tokens=7148, output_tokens=724)


def test_nothing_graded_has_no_mean() -> None:
    """There is no mean of nothing, and nothing to say beside."""
    summary = summarize([])
    assert (summary.cases, summary.mean_score) == (0, None)
    assert count_words(summary) == side_words(summary) == ()


def test_only_what_is_worth_saying_is_said() -> None:
    """A single case has no mean, and what cost nothing has no tokens."""
    assert side_words(summarize([PASSED])) == ("1 call", "812 tokens in, 96 out")
    assert side_words(summarize([ERROR, SCORECARD_IN_ERROR])) == (
        "1 scorecard in error",
        "mean of 1 graded: 1",
        "4 calls",
        "3,212 tokens in, 136 out",
    )


def test_a_mean_of_fewer_cases_than_there_are_says_so() -> None:
    """Errors, partial results and scorecards alone have no score of their case."""
    partial = replace(PASSED, partial=True)
    assert side_words(summarize([PASSED, GATE_FAILED]))[0] == "mean score 0.6666…"
    assert side_words(summarize([PASSED, GATE_FAILED, partial, SCORECARD_ALONE]))[0] == "mean of 2 graded: 0.6666…"
