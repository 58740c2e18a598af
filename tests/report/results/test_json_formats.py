"""Results as JSON and as JSON lines."""

from __future__ import annotations

import json

import pytest
from sample_results import ALL, ERROR, PASSED, SCORECARD_ALONE

from rubric_core.grading import exact_json
from rubric_core.grading.result_json import from_json
from rubric_core.report.formats import RESULT_FORMATS


def test_one_case_is_the_object_itself() -> None:
    """The fields that a caller looks for are at the top."""
    value = json.loads(RESULT_FORMATS["json"].render([PASSED]))
    assert (value["eval_id"], value["score"], value["verdict"], value["error"]) == ("port", 1, "pass", None)
    assert value["criteria"][0] == {
        "id": "names-port",
        "evaluator": "rubric",
        "mode": "checklist",
        "weight": 2.0,
        "satisfied": True,
        "value": 1,
        "gate": "passed",
        "outcome": "Names the port 5432",
        "reasoning": "The answer names port 5432.",
    }


def test_a_scorecard_has_all_numbers_of_its_pipeline() -> None:
    """Dimensions, composite, deductions, bonuses, final score, grade, label and history."""
    card = json.loads(RESULT_FORMATS["json"].render([SCORECARD_ALONE]))["scorecard"]
    assert card["dimensions"]["safety"] == {"score": 3, "weight": 0.1, "reasoning": "Why safety is 3."}
    numbers = ("composite", "deduction_total", "adjusted", "bonus_total", "final_score", "grade", "label")
    assert [card[name] for name in numbers] == [7.05, 0.5, 6.55, 0.25, 6.8, "C+", "Adequate"]
    assert card["history"]["flags"] == ["safety"]


@pytest.mark.parametrize("results", [(), ALL])
def test_several_cases_are_beside_a_summary(results: tuple[object, ...]) -> None:
    """So does none at all."""
    value = exact_json.read(RESULT_FORMATS["json"].render(results))  # type: ignore[arg-type]
    assert tuple(from_json(each) for each in value["results"]) == results
    assert value["summary"]["cases"] == len(results)


def test_the_summary_has_a_count_for_each_state_and_an_exact_mean() -> None:
    """A reader need not count."""
    summary = json.loads(RESULT_FORMATS["json"].render([PASSED, ERROR]))["summary"]
    assert summary == {
        "cases": 2,
        "pass": 1,
        "borderline": 0,
        "fail": 0,
        "error": 1,
        "partial": 0,
        "no_verdict": 0,
        "scorecard_errors": 0,
        "low_grades": 0,
        "scored": 1,
        "mean_score": 1,
        "mean_score_exact": "1",
        "usage": {"calls": 4, "remembered": 0, "input_tokens": 3212, "output_tokens": 136},
    }


def test_lines_are_one_case_each() -> None:
    """They can be read one by one, and cut and joined."""
    lines = RESULT_FORMATS["jsonl"].render(ALL).splitlines()
    assert tuple(from_json(exact_json.read(line)) for line in lines) == ALL


def test_every_format_of_the_table_can_be_written() -> None:
    """With nothing graded, too."""
    assert all(RESULT_FORMATS[name].render(ALL) for name in RESULT_FORMATS)
    assert RESULT_FORMATS["jsonl"].render([]) == ""
