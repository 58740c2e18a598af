"""Rows of AgentV's own result files: the ids, scores and verdicts that AgentV means, and reasons for what is broken."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rubric_core.dialects.agentv.result_rows import from_row, ids_with_prompts, is_agentv_row
from rubric_core.grading import exact_json
from rubric_core.grading.result_json import to_json
from rubric_core.grading.results import CaseResult
from rubric_core.scoring.grades import Verdict

ROW: dict[str, Any] = {"test_id": "port", "score": 1}
FOUR = exact_json.read(
    """{"timestamp": "2026-02-20T21:40:12.230Z", "test_id": "port", "suite": "ports", "score": 0.75,
     "target": "default", "conversation_id": "talk", "output": "5432", "trace": {"events": 2},
     "execution_status": "quality_failure",
     "scores": [
       {"name": "rubrics", "type": "llm-grader", "score": 0.5, "weight": 3, "verdict": "fail", "assertions": [
         {"text": "[rubric-1] Names the port", "passed": true, "evidence": "It does."},
         {"text": "[rubric-2] Says how to change it", "passed": false}]},
       {"name": "short", "type": "code-grader", "score": 1, "verdict": "pass", "assertions": []}],
     "assertions": [{"text": "[rubric-1] Names the port", "passed": true}]}"""
)
FIVE = exact_json.read(
    """{"timestamp": "2026-07-08T10:00:00.000Z", "test_id": "port", "suite": "ports", "score": 0.9, "target": "gpt",
     "execution_status": "ok", "named_scores": {"llm-rubric": 0.9}, "result_dir": "port",
     "scores": [{"name": "llm-rubric", "type": "llm-rubric", "pass": true, "score": 0.7, "reason": "Good.", "weight": 1,
       "checks": [{"id": "a", "text": "Names the port", "pass": true, "score": 1, "reason": "Yes."}]}]}"""
)


def test_a_row_of_agentv_4_is_a_result() -> None:
    """With its graders, what they looked at, and their verdicts."""
    result = from_row(FOUR)
    assert (result.eval_id, result.dataset, result.target, result.conversation_id) == (
        *("port", "ports", "default"),
        "talk",
    )
    assert (result.score, result.verdict, result.error) == (Fraction(3, 4), Verdict.FAIL, None)
    rubrics, short = result.evaluators
    assert (rubrics.name, rubrics.type, rubrics.weight, rubrics.score) == ("rubrics", "llm-grader", 3, Fraction(1, 2))
    assert (rubrics.hits, rubrics.misses) == (("[rubric-1] Names the port",), ("[rubric-2] Says how to change it",))
    assert (short.weight, short.verdict) == (1, Verdict.PASS)
    assert result.candidate_answer == "5432"


def test_a_row_of_agentv_5_is_a_result() -> None:
    """It has `pass`, `reason` and `checks` for what 4 calls `verdict` and `assertions`."""
    result = from_row(FIVE)
    assert (result.score, result.verdict) == (Fraction(9, 10), Verdict.PASS)
    (rubric,) = result.evaluators
    # What the grader says of itself goes before its score, which is below 0.8.
    assert (rubric.verdict, rubric.reasoning, rubric.hits) == (Verdict.PASS, "Good.", ("Names the port",))


@pytest.mark.parametrize(
    ("score", "verdict"),
    [
        ("1", "pass"),
        ("0.8", "pass"),
        ("0.80", "pass"),
        ("8e-1", "pass"),
        ("0.7999999999999999", "fail"),
        ("0.79999999999999999999999999999999", "fail"),
        ("0", "fail"),
    ],
)
def test_without_a_status_the_score_must_reach_the_mark(score: str, verdict: str) -> None:
    """Exactly as it is written: AgentV's binary floats mean what they print."""
    result = from_row(exact_json.read(f'{{"test_id": "a", "score": {score}}}'))
    assert (result.score, result.verdict) == (Fraction(score), Verdict(verdict))


@pytest.mark.parametrize(("status", "verdict"), [("ok", Verdict.PASS), ("quality_failure", Verdict.FAIL)])
def test_the_status_shows_the_verdict(status: str, verdict: Verdict) -> None:
    """The run may have had another threshold."""
    result = from_row({"test_id": "a", "score": exact_json.read("0.5"), "execution_status": status})
    assert (result.score, result.verdict) == (Fraction(1, 2), verdict)


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"error": "Exited with 1"}, "Exited with 1"),
        ({"error": "Exited with 1", "execution_status": "execution_error"}, "Exited with 1"),
        ({"execution_status": "execution_error", "execution_error": {"message": "No key", "stage": "agent"}}, "No key"),
        ({"execution_status": "execution_error", "failure_reason_code": "timeout"}, "timeout"),
        ({"execution_status": "execution_error"}, "AgentV could not run this test."),
        ({"scores": [{"name": "tone", "score": 0, "verdict": "skip"}]}, "tone: AgentV skipped this grader."),
        (
            {"scores": [{"name": "b", "score": 0, "verdict": "skip", "assertions": [{"text": "No", "passed": False}]}]},
            "b: No",
        ),
    ],
)
def test_an_error_stays_an_error(fields: dict[str, Any], error: str) -> None:
    """AgentV writes score 0 for it; here nobody can take it for one."""
    result = from_row({"test_id": "a", "score": 0, **fields})
    assert (result.score, result.verdict, result.error) == (None, None, error)


def test_an_error_beside_a_verdict_is_none() -> None:
    """One sample of several failed, and AgentV took another."""
    result = from_row({**ROW, "error": "Exited with 1", "execution_status": "ok"})
    assert (result.verdict, result.error) == (Verdict.PASS, None)


def test_what_was_looked_at_without_a_grader_is_kept() -> None:
    """Old rows with one judge list it in the row alone."""
    looked_at = [{"text": "Polite", "passed": True}, {"text": "Short", "passed": False, "evidence": "Long."}]
    (grader,) = from_row({**ROW, "assertions": looked_at}).evaluators
    assert (grader.name, grader.hits, grader.misses) == ("assertions", ("Polite",), ("Short",))


def test_names_of_objects_that_were_not_converted_are_read() -> None:
    """As AgentV itself reads them; the usual name goes first."""
    row = {"testId": "a", "score": 1, "executionStatus": "quality_failure", "durationMs": 3}
    assert (from_row(row).eval_id, from_row(row).verdict) == ("a", Verdict.FAIL)
    assert from_row({**row, "test_id": "b"}).eval_id == "b"


def test_messages_in_place_of_an_answer_are_left_out() -> None:
    """An answer is a text; older rows call it `answer`."""
    assert from_row({**ROW, "output": [{"role": "assistant", "content": "5432"}]}).candidate_answer == ""
    assert from_row({**ROW, "output": [], "answer": "5432"}).candidate_answer == "5432"


def test_a_test_with_several_prompts_has_the_id_of_each() -> None:
    """AgentV 5 writes the id of the test and the prompt beside it; one prompt alone changes no id."""
    rows = [{**ROW, "prompt": {"id": name, "kind": "string"}} for name in ("Be short!", "long")]
    rows.append({"test_id": "other", "score": 1, "prompt": {"id": "long"}})
    with_prompts = ids_with_prompts(rows)
    assert [from_row(row, with_prompts).eval_id for row in rows] == [
        "port__prompt_Be-short",
        "port__prompt_long",
        "other",
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"test_id": 7}, "`test_id` must be a string, not a number."),
        ({"score": None}, "`score` is missing; it must be a number."),
        ({"score": "0.8"}, "`score` must be a number, not a string."),
        ({"score": True}, "`score` must be a number, not a boolean."),
        ({"score": 8}, "`score` must be from 0 to 1, not 8."),
        ({"score": -1}, "`score` must be from 0 to 1, not -1."),
        (
            {"execution_status": "fine"},
            "`execution_status` must be one of `ok`, `quality_failure`, `execution_error`, not `fine`.",
        ),
        ({"error": {"message": "No"}}, "`error` must be a string, not an object."),
        ({"scores": {}}, "`scores` must be a list, not an object."),
        ({"scores": [{"score": 1}]}, "`scores[0].name` is missing; it must be a string."),
        ({"scores": [{"name": "a"}]}, "`scores[0].score` is missing; it must be a number."),
        (
            {"scores": [{"name": "a", "score": 1, "verdict": "good"}]},
            "`scores[0].verdict` must be one of `pass`, `borderline`, `fail`, `skip`, not `good`.",
        ),
        ({"assertions": [{"text": "a"}]}, "`assertions[0].passed` is missing; it must be a boolean."),
    ],
)
def test_a_broken_row_has_a_reason(change: dict[str, Any], message: str) -> None:
    """One sentence that names the field."""
    with pytest.raises(ValueError, match=r".") as raised:
        from_row({**ROW, **change})
    assert str(raised.value) == message


@pytest.mark.parametrize("value", [None, [], "test_id", {}, {"eval_id": "a", "test_id": "a"}, {"id": "a", "score": 1}])
def test_other_values_are_no_rows_of_agentv(value: object) -> None:
    """Ours have an `eval_id` too, and cases an `id`."""
    assert not is_agentv_row(value)
    assert ids_with_prompts([value]) == frozenset()


def test_ours_of_a_later_dialect_are_not_taken_for_agentvs() -> None:
    """They have AgentV's names beside our own."""
    assert not is_agentv_row(to_json(CaseResult("a", score=Fraction(1), verdict=Verdict.PASS, dialect="agentv-5")))
