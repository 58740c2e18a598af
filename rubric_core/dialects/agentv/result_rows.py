"""Rows of AgentV's own result files, of its releases 4 and 5, read as results with AgentV's verdicts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple, TypeGuard

from rubric_core.dialects.parts import ResultFiles
from rubric_core.grading.exact_json import (
    BOOLEAN,
    LABEL,
    NUMBER,
    OBJECT,
    TEXT,
    JsonField,
    JsonRecord,
    choice,
    read_field,
)
from rubric_core.grading.results import CaseResult, EvaluatorResult
from rubric_core.schema.scales import PASS_MARK
from rubric_core.scoring.grades import Verdict

# Rows that were written from AgentV's objects, without its conversion, have these names.
_OTHER_NAMES = {
    "testId": "test_id",
    "conversationId": "conversation_id",
    "executionStatus": "execution_status",
    "failureReasonCode": "failure_reason_code",
    "executionError": "execution_error",
}
_ERROR = "execution_error"
_STATUS_VERDICTS = {"ok": Verdict.PASS, "quality_failure": Verdict.FAIL, _ERROR: None}
_SKIP = "skip"
_NOT_IN_A_PROMPT_ID = re.compile(r"[^A-Za-z0-9_.-]+")
_LONGEST_PROMPT_ID = 48


class _Assertion(NamedTuple):
    """One assertion of a grader."""

    text: str
    passed: bool


def is_agentv_row(value: object) -> TypeGuard[dict[str, Any]]:
    """Return whether a JSON value is a result of AgentV and not one of ours, which has an `eval_id` too."""
    return isinstance(value, dict) and "eval_id" not in value and not {"test_id", "testId"}.isdisjoint(value)


def ids_with_prompts(values: Iterable[object]) -> frozenset[str]:
    """Return the ids of tests that some rows have for more than one prompt."""
    prompts: dict[str, set[str]] = {}
    for value in values:
        if is_agentv_row(value) and (prompt := _prompt_id(value)):
            prompts.setdefault(str(_named(value).get("test_id")), set()).add(prompt)
    return frozenset(test for test, ids in prompts.items() if len(ids) > 1)


def from_row(value: Mapping[str, Any], with_prompts: Collection[str] = ()) -> CaseResult:
    """Return the result of a row; unknown fields are ignored.

    The verdict is AgentV's: what `execution_status` says, and in rows without one, whether the score reaches 0.8. A
    test of `with_prompts` has the id that we give to the test with this prompt. Raises ValueError with one sentence.
    """
    result: CaseResult = _ROW.read(_named(value))
    prompt, test = _prompt_id(value), result.eval_id
    if not prompt or test not in with_prompts:
        return result
    return replace(result, eval_id=f"{test}__prompt_{prompt}", copy_of=test)


def _named(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with the names that rows have now."""
    return {**{now: value[name] for name, now in _OTHER_NAMES.items() if name in value}, **value}


def _prompt_id(value: Mapping[str, Any]) -> str:
    """Return the id of a row's prompt as it is in the id of a test; empty where there is none."""
    prompt = value.get("prompt")
    written = prompt.get("id") if isinstance(prompt, dict) else None
    safe = _NOT_IN_A_PROMPT_ID.sub("-", written.strip()).strip("-") if isinstance(written, str) else ""
    return safe[:_LONGEST_PROMPT_ID]


def _verdict_of(score: Fraction) -> Verdict:
    return Verdict.PASS if score >= PASS_MARK else Verdict.FAIL


def _read_score(value: Any, path: str) -> Fraction:
    number: Decimal = NUMBER.read(value, path)
    if not 0 <= number <= 1:
        raise ValueError(f"`{path}` must be from 0 to 1, not {number}.")
    return Fraction(number)


def _read_message(value: Any, path: str) -> str | None:
    return read_field(OBJECT.read(value, path), "message", TEXT.optional(), path)  # type: ignore[no-any-return]


def _texts(assertions: Iterable[_Assertion], *, passed: bool) -> tuple[str, ...]:
    return tuple(assertion.text for assertion in assertions if assertion.passed is passed)


def _grader(**fields: Any) -> EvaluatorResult:
    """Return the result of one grader."""
    looked_at: tuple[_Assertion, ...] = fields["assertions"] or fields["checks"]
    misses = _texts(looked_at, passed=False)
    result = EvaluatorResult(
        name=fields["name"],
        type=fields["type"],
        weight=fields["weight"],
        status="graded",
        hits=_texts(looked_at, passed=True),
        misses=misses,
        reasoning=fields["reason"] or fields["reasoning"],
    )
    if fields["verdict"] == _SKIP:
        return replace(result, status="error", error="; ".join(misses) or "AgentV skipped this grader.")
    verdict_word = fields["verdict"] or {True: "pass", False: "fail", None: None}[fields["passed"]]
    verdict = _verdict_of(fields["score"]) if verdict_word is None else Verdict(verdict_word)
    return replace(result, score=fields["score"], verdict=verdict)


def _result(**fields: Any) -> CaseResult:
    """Return the result of a row."""
    status, score = fields["execution_status"], fields["score"]
    graders: tuple[EvaluatorResult, ...] = fields["scores"]
    result = CaseResult(
        eval_id=fields["test_id"],
        dataset=fields["suite"],
        conversation_id=fields["conversation_id"],
        target=fields["target"],
        timestamp=fields["timestamp"],
        candidate_answer=fields["output"] or fields["answer"],
        evaluators=graders,
    )
    skipped = [grader for grader in graders if grader.status == "error"]
    # Releases before `execution_status` have only `error`, also for a grader that was skipped.
    if status == _ERROR or (status is None and (fields["error"] or skipped)):
        message = fields["error"] or fields["execution_error"] or fields["failure_reason_code"]
        message = message or "; ".join(f"{grader.name}: {grader.error}" for grader in skipped)
        return replace(result, error=message or "AgentV could not run this test.")
    verdict = _verdict_of(score) if status is None else _STATUS_VERDICTS[status]
    if not graders and fields["assertions"]:
        graders = (_only_grader(fields["assertions"], score, verdict),)
    return replace(result, score=score, verdict=verdict, evaluators=graders)


def _only_grader(assertions: Iterable[_Assertion], score: Fraction, verdict: Verdict | None) -> EvaluatorResult:
    """Return the grader of a row that lists none: its assertions are in the row itself."""
    hits, misses = _texts(assertions, passed=True), _texts(assertions, passed=False)
    return EvaluatorResult(
        "assertions", "assertions", Decimal(1), "graded", score=score, verdict=verdict, hits=hits, misses=misses
    )


_SCORE = JsonField("a number", _read_score)
# Only AgentV reads messages in place of a text.
_ANSWER = JsonField("a string", lambda value, _path: value if isinstance(value, str) else "", default="")
_ASSERTIONS = JsonRecord(_Assertion, text=TEXT, passed=BOOLEAN).list_field().optional(())
_CHECKS = JsonRecord(_Assertion, text=TEXT, **{"pass": BOOLEAN.of("passed")}).list_field().optional(())
_GRADER = JsonRecord(
    _grader,
    name=TEXT,
    type=LABEL,
    score=_SCORE,
    weight=NUMBER.optional(Decimal(1)),
    verdict=choice([*(verdict.value for verdict in Verdict), _SKIP]).optional(),
    assertions=_ASSERTIONS,
    checks=_CHECKS,
    reason=LABEL,
    reasoning=LABEL,
    **{"pass": BOOLEAN.optional().of("passed")},
)
_ROW = JsonRecord(
    _result,
    test_id=TEXT,
    suite=LABEL,
    conversation_id=TEXT.optional(),
    target=TEXT.optional(),
    timestamp=LABEL,
    score=_SCORE,
    execution_status=choice(_STATUS_VERDICTS).optional(),
    error=LABEL,
    execution_error=JsonField("an object", _read_message, default=None),
    failure_reason_code=LABEL,
    scores=_GRADER.list_field().optional(()),
    assertions=_ASSERTIONS,
    output=_ANSWER,
    answer=_ANSWER,
)
RESULT_ROWS = ResultFiles(
    "AgentV", is_agentv_row, lambda values: partial(from_row, with_prompts=ids_with_prompts(values))
)
"""Files of such rows."""
