"""Results as JSON: what is written comes back, numbers are exact, and what is not a result is refused with a reason."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from result_strategies import case_results

from rubric_core.grading import exact_json
from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.result_json import from_json, json_line, stored_line, to_json
from rubric_core.grading.results import CaseResult, EvaluatorResult, ScorecardResult
from rubric_core.scoring.grades import Verdict
from rubric_core.scoring.rubrics import CriterionScore, ScoreBand
from rubric_core.scoring.scorecards import DimensionScore, ScorecardScore

if TYPE_CHECKING:
    from collections.abc import Callable

RESULT = CaseResult(
    eval_id="port",
    file="evals/ports.eval.yaml",
    candidate_answer="5432",
    score=Fraction(2, 3),
    verdict=Verdict.FAIL,
    evaluators=(
        EvaluatorResult(
            name="rubric",
            type="llm_judge",
            weight=Decimal("1.0"),
            status="graded",
            score=Fraction(2, 3),
            verdict=Verdict.FAIL,
            criteria=(
                CriterionScore(
                    "names-port",
                    "checklist",
                    Decimal("0.1"),
                    Fraction(0),
                    satisfied=False,
                    gate="failed",
                    outcome="Bad",
                ),
                CriterionScore(
                    "clear",
                    "score-range",
                    Decimal(2),
                    Fraction(7, 10),
                    score=7,
                    gate="passed",
                    outcome="Good",
                    bands=(ScoreBand(0, 4, "Bad"), ScoreBand(5, 10, "Good")),
                    required_min_score=6,
                ),
            ),
            misses=("names-port",),
            reasoning="Only half of it.",
            judge=JudgeIdentity("gpt", "openai", "gpt-4o-mini"),
            samples=3,
            agreement={"names-port": Fraction(2, 3)},
        ),
        EvaluatorResult("slow", "latency", Decimal(1), "not run", error="`latency` is not run."),
    ),
)
SCORECARD = ScorecardScore(
    dimensions=(DimensionScore("correctness", 7, Decimal("0.25"), "Right"),),
    composite=Decimal("7.00"),
    deductions=(),
    deduction_total=Decimal("0.00"),
    adjusted=Decimal("7.00"),
    bonuses=(),
    bonus_total=Decimal("0.00"),
    final_score=Decimal("7.00"),
    grade="B-",
    label="Satisfactory",
)


@given(case_results())
def test_every_result_comes_back_as_it_was(result: CaseResult) -> None:
    """Writing a line and reading it again loses nothing, whatever the texts and however odd the numbers."""
    for line in (json_line(result), stored_line(result)):
        assert from_json(exact_json.read(line)) == result
        assert "\n" not in line
        assert line.isascii()


@given(case_results())
def test_a_reader_with_binary_floats_gets_the_same_verdicts_and_scores(result: CaseResult) -> None:
    """`json.loads` without any option is enough: the exact score is a string, and weights come back as written."""
    back = from_json(json.loads(json_line(result)))
    assert (back.score, back.verdict, back.error) == (result.score, result.verdict, result.error)
    assert [each.value for each in back.criteria] == [each.value for each in result.criteria]


def test_an_entry_of_criteria_has_the_field_of_its_mode() -> None:
    """A checklist criterion has `satisfied`, a score-range one has `score` and its scale."""
    checklist, score_range = to_json(RESULT)["criteria"]
    assert checklist == {
        "id": "names-port",
        "evaluator": "rubric",
        "mode": "checklist",
        "weight": Decimal("0.1"),
        "satisfied": False,
        "value": 0,
        "gate": "failed",
        "outcome": "Bad",
        "reasoning": "",
    }
    assert (score_range["score"], score_range["value"], "satisfied" in score_range) == (7, Decimal("0.7"), False)
    assert score_range["required_min_score"] == 6
    assert score_range["bands"][1] == {"score_range": (5, 10), "expected_outcome": "Good"}


@pytest.mark.parametrize(
    ("seconds", "milliseconds"),
    [
        (0.0023592300021846313, "2.359"),
        (1.25, "1250"),
        (0.0, "0"),
        (1e-9, "0"),
        (100000.0000006, "100000000.001"),
        (1e22, "10000000000000000000000000"),
    ],
)
def test_a_time_has_three_decimals_at_most(seconds: float, milliseconds: str) -> None:
    """A clock tells no more; the rest is noise."""
    assert str(to_json(replace(RESULT, duration=seconds))["duration_ms"]) == milliseconds


def test_what_follows_from_the_evaluators_is_reported_for_the_case() -> None:
    """Hits, misses, gates and reasoning of all evaluators are at the top as well."""
    value = to_json(RESULT)
    assert value["gates"] == [
        {"id": "names-port", "evaluator": "rubric", "state": "failed"},
        {"id": "clear", "evaluator": "rubric", "state": "passed"},
    ]
    assert (value["hits"], value["misses"], value["reasoning"]) == ([], ["names-port"], "Only half of it.")
    second = replace(RESULT.evaluators[0], name="style", reasoning="Too long.")
    both = to_json(replace(RESULT, evaluators=(RESULT.evaluators[0], second)))
    assert both["reasoning"] == "rubric: Only half of it.\nstyle: Too long."


@pytest.mark.parametrize(
    ("score", "shown", "exact"),
    [
        (Fraction(4, 5), "0.8", "4/5"),
        (Fraction(1), "1", "1"),
        (Fraction(0), "0", "0"),
        (Fraction(2, 3), "0.66666666666666666", "2/3"),
        (
            Fraction(4, 5) - Fraction(1, 3 * 10**20),
            "0.79999999999999999",
            "239999999999999999999/300000000000000000000",
        ),
    ],
)
def test_scores_are_numbers_with_all_their_digits(score: Fraction, shown: str, exact: str) -> None:
    """A score below a mark is never written as the mark, and the exact fraction is beside it."""
    line = json_line(CaseResult("a", score=score, verdict=Verdict.PASS))
    assert f'"score": {shown}, "score_exact": "{exact}"' in line


def test_weights_are_written_as_they_are_in_the_file() -> None:
    """0.1 is `0.1`, 1.0 is `1.0`: nothing passes through a binary float."""
    line = json_line(RESULT)
    assert '"weight": 0.1,' in line
    assert '"weight": 1.0,' in line


def test_an_error_has_neither_score_nor_verdict() -> None:
    """Nobody can take an error for a zero."""
    value = to_json(CaseResult("a", error="No answer."))
    assert (value["score"], value["score_exact"], value["verdict"]) == (None, None, None)


def test_a_scorecard_in_error_has_all_fields_and_no_numbers() -> None:
    """A reader finds each field, and none that could be taken for a grade."""
    value = to_json(CaseResult("a", scorecard=ScorecardResult("advice", error="The judge gave no JSON.")))["scorecard"]
    assert value["error"] == "The judge gave no JSON."
    assert {name: value[name] for name in ("composite", "final_score", "grade", "label")} == dict.fromkeys(
        ("composite", "final_score", "grade", "label")
    )
    assert value["dimensions"] == {}


def _plain(result: CaseResult) -> dict[str, Any]:
    value: dict[str, Any] = exact_json.read(json_line(result))
    return value


def _without(*names: str) -> Callable[[dict[str, Any]], None]:
    def change(value: dict[str, Any]) -> None:
        for name in names:
            del value[name]

    return change


def _with(**fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda value: value.update(fields)


def _in_criterion(index: int, **fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda value: value["evaluator_results"][0]["criteria"][index].update(fields)


def _in_evaluator(**fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda value: value["evaluator_results"][0].update(fields)


def _in_scorecard(**fields: Any) -> Callable[[dict[str, Any]], None]:
    return lambda value: value["scorecard"].update(fields)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_without("eval_id"), "`eval_id` is missing; it must be a string."),
        (_with(eval_id=7), "`eval_id` must be a string, not a number."),
        (_without("evaluator_results"), "`evaluator_results` is missing; it must be a list."),
        (_with(evaluator_results={}), "`evaluator_results` must be a list, not an object."),
        (_with(evaluator_results=[None]), "`evaluator_results[0]` must be an object, not null."),
        (_without("score_exact"), "`score_exact` is missing; it must be a fraction such as `4/5`."),
        (_with(score_exact="0.8"), "`score_exact` must be a fraction such as `4/5`, not a string."),
        (_with(score_exact="1/0"), "`score_exact` must be a fraction such as `4/5`, not a string."),
        (_with(score_exact="7/5"), "`score_exact` must be from 0 to 1."),
        (_with(score=1), "`score` is 1, but `score_exact` is 2/3."),
        (_with(score=None), "`score` is missing, but `score_exact` is 2/3."),
        (_without("verdict"), "`verdict` and `score` must both be given, or both be null."),
        (_with(verdict="good"), "`verdict` must be one of `pass`, `borderline`, `fail`, not `good`."),
        (_with(verdict="x" * 60), f"`verdict` must be one of `pass`, `borderline`, `fail`, not `{'x' * 40}...`."),
        (_with(verdict=True), "`verdict` must be a string, not a boolean."),
        (_with(error="Broken."), "`score` must be null where `error` is given: an error has no score."),
        (_with(partial="no"), "`partial` must be a boolean, not a string."),
        (_with(usage=[]), "`usage` must be an object, not a list."),
        (_with(usage={"calls": True}), "`usage.calls` must be a number, not a boolean."),
        (_with(usage={"calls": Decimal("1.5")}), "`usage.calls` must be a whole number, not `1.5`."),
        (_with(duration_ms=float("nan")), "`duration_ms` must be a finite number, not `NaN`."),
        (_with(duration_ms=Decimal("1E+999999")), "`duration_ms` must be a finite number, not `1E+999999`."),
        (_with(judge={"kind": "openai"}), "`judge.name` is missing; it must be a string."),
        (
            _in_evaluator(status="done"),
            "`evaluator_results[0].status` must be one of `graded`, `error`, `not run`, not `done`.",
        ),
        (_in_evaluator(weight=True), "`evaluator_results[0].weight` must be a number, not a boolean."),
        (_in_evaluator(hits=[1]), "`evaluator_results[0].hits` must be a list of strings."),
        (_in_evaluator(agreement={"a": "b"}), "`evaluator_results[0].agreement.a` must be a number, not a string."),
        (
            _in_criterion(0, mode=None),
            "`evaluator_results[0].criteria[0].mode` is missing; it must be one of `checklist`, `score-range`.",
        ),
        (
            _in_criterion(0, satisfied=None),
            "`evaluator_results[0].criteria[0].satisfied` is missing; it must be a boolean.",
        ),
        (
            _in_criterion(1, score="7"),
            "`evaluator_results[0].criteria[1].score` must be a number, not a string.",
        ),
        (
            _in_criterion(1, score=None),
            "`evaluator_results[0].criteria[1].score` is missing; it must be a whole number.",
        ),
        (
            _in_criterion(1, bands=[{"score_range": [1], "expected_outcome": "Bad"}]),
            "`evaluator_results[0].criteria[1].bands[0].score_range` must be a list of two whole numbers.",
        ),
        (
            _in_criterion(1, weight=None),
            "`evaluator_results[0].criteria[1].weight` is missing; it must be a number.",
        ),
        (_in_scorecard(dimensions={"safety": 3}), "`scorecard.dimensions.safety` must be an object, not a number."),
        (
            _in_criterion(1, bands=[{"score_range": [1, None], "expected_outcome": "Bad"}]),
            "`evaluator_results[0].criteria[1].bands[0].score_range.1` is missing; it must be a whole number.",
        ),
        (_in_scorecard(composite=None), "`scorecard.composite` is missing; it must be a number."),
        (
            _in_scorecard(history={"skill": "advice"}),
            "`scorecard.history.evaluations` is missing; it must be a whole number.",
        ),
    ],
)
def test_a_damaged_result_is_refused_with_the_field(change: Callable[[dict[str, Any]], None], message: str) -> None:
    """One sentence says which field is wrong and what it should be."""
    value = _plain(replace(RESULT, scorecard=ScorecardResult("advice", SCORECARD)))
    assert from_json(value)
    change(value)
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole message is compared.
        from_json(value)
    assert str(caught.value) == message


@pytest.mark.parametrize("value", [None, [], "text", 3, True])
def test_something_else_than_an_object_is_refused(value: object) -> None:
    """A list or a text is no result."""
    with pytest.raises(ValueError, match=r"The whole value must be an object, not .+\."):
        from_json(value)


def test_fields_that_a_later_version_may_add_are_let_be() -> None:
    """A reader of today reads the results of tomorrow."""
    assert from_json({**_plain(RESULT), "mood": "good"}) == RESULT


def test_fields_without_a_meaning_for_the_score_may_be_absent() -> None:
    """An id, evaluators, a score and a verdict make a result."""
    assert from_json({"eval_id": "a", "evaluator_results": []}) == CaseResult("a")
    assert from_json({"eval_id": "a", "evaluator_results": [], "usage": {}}) == CaseResult("a")
