"""The words that formats share."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from sample_results import BORDERLINE, CODE_JUDGED, ERROR, GATE_FAILED, PASSED, SCORECARD_ALONE, scorecard_of

from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.results import CaseResult
from rubric_core.report.results.wording import (
    agreement_words,
    error_beside,
    evaluators_with_shares,
    failed_gate_words,
    gate_words,
    history_words,
    judge_words,
    pipeline,
    provenance_words,
    score_words,
    share_words,
    short_score,
    with_shares,
)
from rubric_core.scoring.rubrics import CriterionScore
from rubric_core.scoring.scorecards import HistoryReport


@pytest.mark.parametrize(
    ("score", "short", "words"),
    [
        (Fraction(4, 5), "0.8", "0.8"),
        (Fraction(1), "1", "1"),
        (Fraction(2, 3), "0.6666…", "0.6666… (2/3)"),
        (Fraction(7999, 10_000), "0.7999", "0.7999"),
        # A score just below the mark of a pass never looks like the mark.
        (Fraction(4, 5) - Fraction(1, 10**18), "0.7999…", "0.799999999999999999"),
        (Fraction(1, 10**40), "1E-40", "1E-40"),
    ],
)
def test_scores_are_cut_and_never_rounded(score: Fraction, short: str, words: str) -> None:
    """An ellipsis tells that digits are missing, and the exact score is beside it."""
    assert short_score(score) == short
    assert score_words(score) == words


def test_shares_are_of_the_weight_of_all() -> None:
    """Where all weights are zero, there is nothing to share."""
    weights = [CriterionScore("a", "checklist", Decimal(weight), Fraction(1)) for weight in ("2", "0.5", "0")]
    assert [share for _, share in with_shares(weights)] == [Fraction(4, 5), Fraction(1, 5), 0]
    assert [share for _, share in with_shares(weights[2:])] == [None]
    assert share_words(Decimal("2.0"), Fraction(2, 3)) == "weight 2 (66.7 %)"
    assert share_words(Decimal("2.0"), None) == "weight 2"


def test_an_evaluator_that_was_not_run_has_no_share() -> None:
    """It takes no part in the score, and in a case in error nothing does."""
    assert [share for _, share in evaluators_with_shares(BORDERLINE)] == [1, None]
    assert [share for _, share in evaluators_with_shares(ERROR)] == [None]


def test_gates_show_what_they_need() -> None:
    """A criterion that gates nothing has no words for it."""
    correctness, style, _ = BORDERLINE.criteria
    assert gate_words(correctness) == "gate passed, needs 7"
    assert gate_words(style) == ""
    assert failed_gate_words(GATE_FAILED) == "gate failed: names-port"
    twice = replace(GATE_FAILED, evaluators=GATE_FAILED.evaluators * 2)
    assert failed_gate_words(twice) == "gates failed: names-port, names-port"
    assert failed_gate_words(PASSED) == ""


@pytest.mark.parametrize(
    ("judge", "words"),
    [
        (None, ""),
        (JudgeIdentity("manual", "manual"), "manual"),
        (JudgeIdentity("openai:gpt-4o-mini", "openai", "gpt-4o-mini"), "openai:gpt-4o-mini"),
        (JudgeIdentity("strict", "openai", "gpt-4o-mini"), "strict (openai, gpt-4o-mini)"),
    ],
)
def test_a_judge_is_named_without_saying_anything_twice(judge: JudgeIdentity | None, words: str) -> None:
    """The name, and of kind and model what the name does not say."""
    assert judge_words(judge) == words


def test_agreement_names_what_samples_agree_least_on() -> None:
    """Nothing is said where nothing is known."""
    assert agreement_words({}) == ""
    assert agreement_words({"a": Fraction(1)}) == " in full agreement"
    assert agreement_words({"a": Fraction(1), "b": Fraction(2, 3)}) == ", 83.3 % agreement, least on b (66.7 %)"
    assert provenance_words(BORDERLINE.evaluators[0]) == (
        "judge strict (openai, gpt-4o-mini)",
        "3 samples, 88.9 % agreement, least on correctness (66.7 %)",
        "prompt 9f2c41d7a0b3",
    )
    assert provenance_words(CODE_JUDGED.evaluators[0]) == ()


def test_an_error_is_reported_once() -> None:
    """An evaluator does not repeat what the case says already."""
    assert error_beside(ERROR, ERROR.evaluators[0]) == ""
    assert error_beside(BORDERLINE, BORDERLINE.evaluators[1]) == "Evaluators of type `latency` are not run."
    assert error_beside(PASSED, PASSED.evaluators[0]) == ""


def _steps(*arguments: object) -> list[tuple[str, str, Decimal, Decimal]]:
    score = scorecard_of(*arguments).score  # type: ignore[arg-type]
    assert score is not None
    return [(step.label, step.amount, step.start, step.end) for step in pipeline(score)]


def test_a_scorecard_without_findings_goes_straight_to_its_final_score() -> None:
    """Nothing is adjusted, so nothing is notified of it."""
    assert [step[:2] for step in _steps((8,) * 7)] == [("composite", "8.00"), ("final score", "8.00")]


def test_every_flag_and_bonus_is_a_step_with_its_amount() -> None:
    """Reporting: the composite before deductions, each flag with its amount, the bonuses, and the final score."""
    assert _steps((8,) * 7, ["invented-flag", "data-loss"], ["cites-manual"]) == [
        ("composite", "8.00", 0, Decimal("8.00")),
        ("invented-flag", "-0.50", Decimal("8.00"), Decimal("7.50")),
        ("data-loss", "-1.50", Decimal("7.50"), Decimal("6.00")),
        ("after deductions", "6.00", 0, Decimal("6.00")),
        ("cites-manual", "+0.25", Decimal("6.00"), Decimal("6.25")),
        ("final score", "6.25", 0, Decimal("6.25")),
    ]


def test_the_cap_of_the_deductions_is_reported() -> None:
    """The third flag takes nothing any more, and the report says why."""
    steps = _steps((8,) * 7, ["invented-flag", "data-loss", "rude"])
    assert steps[3:5] == [
        ("rude", "-0.50", Decimal("6.00"), Decimal("6.00")),
        ("all red flags together take 2.00 at most", "", Decimal("6.00"), Decimal("6.00")),
    ]


def test_the_floor_and_the_ceiling_are_reported() -> None:
    """No score falls below 1 or rises above 10."""
    assert ("no score falls below 1.00", "", 1, 1) in _steps((1,) * 7, ["rude"])
    assert ("no score rises above 10.00", "", 10, 10) in _steps((10,) * 7, [], ["cites-manual"])


def test_the_cap_of_the_bonuses_is_reported() -> None:
    """More than four bonuses give no more than four."""
    score = scorecard_of((5,) * 7, [], ["cites-manual"]).score
    assert score is not None
    many = replace(score, bonuses=score.bonuses * 5, bonus_total=Decimal("1.00"), final_score=Decimal("6.00"))
    assert "all bonuses together give 1.00 at most" in [step.label for step in pipeline(many)]


def test_an_amount_with_more_places_is_shown_whole() -> None:
    """A deduction of 0.125 is not told as 0.12."""
    score = scorecard_of((8,) * 7, ["rude"]).score
    assert score is not None
    odd = replace(score, deductions=(replace(score.deductions[0], amount=Decimal("0.125"), explanation=""),))
    step = pipeline(odd)[1]
    assert step.amount == "-0.125"


def test_a_flag_without_explanation_says_so() -> None:
    """Its own text is not what the judge said of the answer; it is reported as the text of the flag."""
    score = scorecard_of((8,) * 7, ["rude"], ["cites-manual"]).score
    assert score is not None
    (flag,), (bonus,) = score.deductions, score.bonuses
    bare = replace(
        score, deductions=(replace(flag, explanation=""),), bonuses=(replace(bonus, explanation="", outcome=""),)
    )
    told = {step.kind: step.explanation for step in pipeline(bare) if step.kind != "total"}
    assert told == {
        "deduction": "The judge gave no explanation (red flag: Is rude to the user).",
        "bonus": "The judge gave no explanation.",
    }
    assert [step.explanation for step in pipeline(score) if step.kind == "deduction"] == ["The answer shows rude."]


def test_the_past_is_reported_in_sentences() -> None:
    """Too short a past, nothing unusual, or one sentence for each dimension to review."""
    assert history_words(None) == ()
    assert history_words(HistoryReport("advice", 0)) == (
        "History of advice: no earlier evaluations, too few to compare with.",
    )
    assert history_words(HistoryReport("advice", 1)) == (
        "History of advice: 1 earlier evaluation, too few to compare with.",
    )
    assert history_words(scorecard_of((8, 8, 8, 7, 7, 9, 8)).history) == (
        "In line with 4 earlier evaluations of database-advice.",
    )
    assert SCORECARD_ALONE.scorecard is not None
    assert history_words(SCORECARD_ALONE.scorecard.history) == (
        "Review safety: 3 is 6.00 away from the mean 9.00 of 4 earlier evaluations, with a standard deviation of 0.00.",
    )


def test_a_case_without_criteria_has_no_gates() -> None:
    """Nothing failed where nothing was judged."""
    assert failed_gate_words(CaseResult("a")) == ""
