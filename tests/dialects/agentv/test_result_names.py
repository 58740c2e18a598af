"""AgentV's names in our results: each generation has its own, ours stay, and AgentV's rows read back the same."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from result_strategies import case_results
from sample_results import ERROR, GATE_FAILED, PASSED

from rubric_core.dialects.agentv.result_rows import from_row
from rubric_core.grading import exact_json
from rubric_core.grading.result_json import dialect_fields, json_line, to_json
from rubric_core.grading.results import CaseResult, EvaluatorResult
from rubric_core.scoring.grades import Verdict
from rubric_core.scoring.rubrics import CriterionScore

CRITERIA = (
    CriterionScore("port", "checklist", Decimal(2), Fraction(1), satisfied=True, outcome="Names it", reasoning="Yes."),
    CriterionScore("tone", "score-range", Decimal(1), Fraction(7, 10), score=7, outcome="Friendly"),
    CriterionScore("safe", "score-range", Decimal(1), Fraction(9, 10), score=9, gate="failed", outcome="Safe"),
)
RUBRIC = EvaluatorResult(
    "quality", "llm-rubric", Decimal(2), "graded", Fraction(2, 3), Verdict.FAIL, CRITERIA, reasoning="Two of three."
)
SHORT = EvaluatorResult("short", "script", Decimal(1), "graded", Fraction(1), Verdict.PASS, hits=("12 words",))
NOT_RUN = EvaluatorResult("steps", "trajectory:step-count", Decimal(1), "not run", error="It is not run.")
RESULT = CaseResult(
    "greet",
    dataset="greetings",
    candidate_answer="Hello",
    score=Fraction(7, 9),
    verdict=Verdict.FAIL,
    evaluators=(RUBRIC, SHORT, NOT_RUN),
    duration=1.25,
    dialect="agentv-5",
)


def _fields(dialect: str, **changes: Any) -> dict[str, Any]:
    return dialect_fields(replace(RESULT, dialect=dialect, **changes))


@pytest.mark.needs("agentv-4")
def test_agentv_4_has_its_names() -> None:
    """A row as AgentV 4 writes it, with the time of grading apart."""
    fields = _fields("agentv-4")
    assert (fields["suite"], fields["output"]) == ("greetings", "Hello")
    assert fields["execution_status"] == "quality_failure"
    assert fields["assertions"] == [
        {"text": "[port] Names it", "passed": True, "evidence": "Yes."},
        {"text": "[tone] Friendly", "passed": True},
        {"text": "[safe] Safe", "passed": False},
        {"text": "12 words", "passed": True},
    ]
    assert fields["scores"][1] == {
        "name": "short",
        "type": "script",
        "score": 1,
        "weight": 1,
        "verdict": "pass",
        "assertions": [{"text": "12 words", "passed": True}],
    }
    assert [each["name"] for each in fields["scores"]] == ["quality", "short"]
    assert fields["eval_run"] == {"duration_ms": 1250, "token_usage": {"input": 0, "output": 0}}


@pytest.mark.needs("agentv-4", "agentv-5")
def test_agentv_5_has_its_names() -> None:
    """`component_results` are the public ones of 5, with the criteria below each assertion."""
    four, five = _fields("agentv-4"), _fields("agentv-5")
    assert set(five) - set(four) == {"pass", "reason", "named_scores", "component_results"}
    assert (five["pass"], five["reason"]) == (False, "Two of three.")
    assert five["named_scores"] == {"quality": Decimal("0.66666666666666666"), "short": 1}
    quality = five["component_results"][0]
    assert (quality["pass"], quality["assertion"]) == (False, {"name": "quality", "type": "llm-rubric", "weight": 2})
    assert quality["component_results"][0] == {
        "pass": True,
        "score": 1,
        "reason": "Yes.",
        "assertion": {"id": "port", "name": "quality", "type": "llm-rubric", "value": "Names it", "weight": 2},
    }
    assert five["scores"][0]["reason"] == "Two of three."


@pytest.mark.parametrize("dialect", ["agentv-2", "promptfoo", "of-the-future"])
def test_other_dialects_have_our_names(dialect: str) -> None:
    """Nothing is added but the dialect and the id of the test, and to AgentV 2 not even these."""
    assert _fields(dialect) == {}
    written = to_json(replace(RESULT, dialect=dialect))
    assert ("dialect" in written, "test_id" in written) == (dialect != "agentv-2", dialect != "agentv-2")


def test_the_id_of_the_test_is_the_one_in_the_file() -> None:
    """The case that is made of it has another one, which recordings name."""
    written = to_json(replace(RESULT, eval_id="greet__prompt_short", copy_of="greet"))
    assert (written["eval_id"], written["test_id"]) == ("greet__prompt_short", "greet")


@pytest.mark.parametrize("result", [PASSED, GATE_FAILED, ERROR, RESULT])
@pytest.mark.parametrize("dialect", ["agentv-4", "agentv-5"])
def test_our_names_stay_as_they_are(result: CaseResult, dialect: str) -> None:
    """What is written for AgentV 2 is written for the others, and more."""
    plain = to_json(replace(result, dialect="agentv-2"))
    written = to_json(replace(result, dialect=dialect))
    assert {name: written[name] for name in plain} == plain
    assert written["dialect"] == dialect


@pytest.mark.needs("agentv-5")
def test_an_error_has_no_score_under_any_name() -> None:
    """Its status tells it, and a grader in error is one that was skipped."""
    broken = EvaluatorResult("quality", "llm-rubric", Decimal(1), "error", error="No JSON.")
    fields = _fields("agentv-5", score=None, verdict=None, error="quality: No JSON.", evaluators=(broken,))
    assert (fields["execution_status"], fields["pass"], fields["reason"]) == (
        "execution_error",
        None,
        "quality: No JSON.",
    )
    (score,) = fields["scores"]
    assert (score["score"], score["verdict"], score["reason"]) == (None, "skip", "No JSON.")


@pytest.mark.needs("agentv-5")
@pytest.mark.parametrize("verdict", [Verdict.PASS, Verdict.FAIL])
def test_what_is_written_is_what_agentv_would_have_meant(verdict: Verdict) -> None:
    """Read as a row of AgentV, without our names, a result has the same verdict."""
    row = exact_json.read(json_line(replace(RESULT, score=Fraction(4, 5), verdict=verdict)))
    back = from_row({name: value for name, value in row.items() if name not in {"eval_id", "verdict"}})
    assert (back.eval_id, back.score, back.verdict) == ("greet", Fraction(4, 5), verdict)
    assert [each.verdict for each in back.evaluators] == [Verdict.FAIL, Verdict.PASS]


@given(case_results())
def test_every_result_can_be_written(result: CaseResult) -> None:
    """Whatever the texts and numbers are."""
    fields = dialect_fields(result)
    assert exact_json.read(exact_json.write(fields)).keys() == fields.keys()


@pytest.mark.needs("agentv-5")
def test_the_members_of_a_set_are_below_it() -> None:
    """As AgentV nests them; what was looked at names the member."""
    whole = EvaluatorResult(
        "all", "assert-set", Decimal(1), "graded", Fraction(5, 6), Verdict.PASS, members=(RUBRIC, SHORT, NOT_RUN)
    )
    fields = _fields("agentv-5", evaluators=(whole,))
    assert [each["text"] for each in fields["assertions"]][-2:] == ["[quality] [safe] Safe", "[short] 12 words"]
    (score,) = fields["scores"]
    assert [each["name"] for each in score["scores"]] == ["quality", "short"]
    (component,) = fields["component_results"]
    assert [each["assertion"]["name"] for each in component["component_results"]] == ["quality", "short"]
    assert len(component["component_results"][0]["component_results"]) == len(CRITERIA)
    assert list(fields["named_scores"]) == ["all", "quality", "short"]
