"""Grade one case: from a case, a candidate answer and a judge to a result."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from typing import TypeAlias, TypeVar

from rubric_core.grading.ask import JudgementCache, RunSettings, all_of
from rubric_core.grading.evaluators.code_judge import run_code_judge
from rubric_core.grading.evaluators.llm_judge import judge_scorecard, run_llm_judge
from rubric_core.grading.failures import GradingFailed, PersonStopped
from rubric_core.grading.judges.judge import Judge
from rubric_core.grading.options import DEFAULT_OPTIONS, Options
from rubric_core.grading.questions import evaluators_of, reason_not_run, scorecard_of
from rubric_core.grading.results import CaseResult, EvaluatorResult, ScorecardResult
from rubric_core.grading.secrets import NO_SECRETS, Redactor
from rubric_core.grading.usage import total
from rubric_core.model.evaluators import CodeJudge, Evaluator, LlmJudge
from rubric_core.model.scorecards import Scorecard
from rubric_core.model.suite import EvalCase
from rubric_core.rules.placeholder_text import RULE as PLACEHOLDER_TEXT
from rubric_core.rules.problem import Problem, Severity
from rubric_core.scoring.grades import EvaluatorScore, combine

_MOST_REASONS = 10
"""How many problems of one case are told."""

_Part = TypeVar("_Part", EvaluatorResult, ScorecardResult)

JudgeOf: TypeAlias = "Callable[[EvalCase, LlmJudge | None], Judge]"
"""Returns the judge for an evaluator of a case, or for its scorecard, which is None. Raises CannotGrade."""


async def grade(  # noqa: PLR0913 - what is graded by whom, and three choices with names.
    case: EvalCase,
    answer: str,
    judge: Judge | JudgeOf | str,
    *,
    options: Options = DEFAULT_OPTIONS,
    memory: JudgementCache | None = None,
    redactor: Redactor = NO_SECRETS,
) -> CaseResult:
    """Grade an answer to a case.

    `judge` is a judge, a function that returns one for each evaluator, or a name as on the command line; a judge that
    is named is made for this call alone. `memory` is where judgements are kept and found again.

    A case with an error-level problem or a placeholder, and a judge that gives no valid judgement, make the result an
    error: it has neither score nor verdict then.

    Raises:
        PersonStopped: The judge is a person who wants to judge no more.
    """
    if isinstance(judge, str):
        return await _grade_by_name(case, answer, judge, RunSettings(options, memory))
    judge_of: JudgeOf = judge if callable(judge) else lambda _case, _evaluator: judge
    return await grade_case(case, answer, judge_of, RunSettings(options, memory, redactor))


async def _grade_by_name(case: EvalCase, answer: str, name: str, settings: RunSettings) -> CaseResult:
    from rubric_core.grading.targets.targets import Targets  # noqa: PLC0415 - whoever has a judge needs no targets.

    targets = Targets(case.source)
    try:
        return await grade_case(
            case,
            answer,
            lambda each, evaluator: targets.judge_for(name, each, evaluator),
            replace(settings, redactor=targets.redactor),
        )
    finally:
        await targets.close()


async def grade_case(case: EvalCase, answer: str, judge_of: JudgeOf, settings: RunSettings) -> CaseResult:
    """Grade an answer to a case, as `grade` does."""
    started = time.monotonic()
    result = empty_result(case, settings.redactor.redact(answer))
    reason = reason_not_gradable(case)
    if reason is not None:
        return replace(result, error=reason)
    scorecard = scorecard_of(case, settings.options)
    results = await all_of(
        [
            *(_evaluate(each, case, answer, judge_of, settings) for each in evaluators_of(case)),
            *([_grade_scorecard(scorecard, case, answer, judge_of, settings)] if scorecard is not None else []),
        ]
    )
    result = _aggregated(
        result,
        [each for each in results if isinstance(each, EvaluatorResult)],
        next((each for each in results if isinstance(each, ScorecardResult)), None),
    )
    is_partial = settings.options.criteria is not None
    return replace(result, partial=is_partial, duration=time.monotonic() - started)


def empty_result(case: EvalCase, answer: str = "") -> CaseResult:
    """Return a result of a case with neither score nor error."""
    return CaseResult(
        eval_id=case.id,
        file=case.source,
        dataset=case.dataset,
        conversation_id=case.conversation_id,
        target=case.target,
        candidate_answer=answer,
        timestamp=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        other_fields=case.other_fields,
    )


def reason_not_gradable(case: EvalCase) -> str | None:
    """Return why a case cannot be graded as it is written: each problem with its place, on a line of its own.

    The words are right on the command line and in an editor, which shows the same result.
    """
    # A case that was made in Python stands in no file.
    places = case.places or [""] * len(case.problems)
    placed = zip(case.problems, places, strict=True)
    errors = [(f"{each.message} ({each.code})", place) for each, place in placed if prevents_grading(each)]
    found = errors or [(each.reason, each.place) for each in case.left_out]
    reasons = [f"{place}: {reason}" if place else reason for reason, place in found]
    more = len(reasons) - _MOST_REASONS
    if more > 0:
        reasons[_MOST_REASONS:] = [f"{more:,} more; a check of the file shows all of them."]
    return "\n".join(reasons) or None


def prevents_grading(problem: Problem) -> bool:
    """Return whether a case with this problem is not graded: an error, or a placeholder."""
    return problem.severity is Severity.ERROR or problem.code == PLACEHOLDER_TEXT.code


async def _evaluate(
    evaluator: Evaluator, case: EvalCase, answer: str, judge_of: JudgeOf, settings: RunSettings
) -> EvaluatorResult:
    """Run one evaluator; a failure is its result."""
    empty = EvaluatorResult(evaluator.name, evaluator.type, evaluator.weight, "error")
    options, redactor = settings.options, settings.redactor
    reason = reason_not_run(evaluator, options)
    if reason is not None:
        return replace(empty, status="not run", error=reason)
    if isinstance(evaluator, CodeJudge):
        return await run_code_judge(evaluator, case, answer, time_limit=options.time_limit, redactor=redactor)
    assert isinstance(evaluator, LlmJudge)  # noqa: S101 - `reason_not_run` names all others.
    return await _judge(
        empty,
        lambda: judge_of(case, evaluator),
        lambda judge: run_llm_judge(evaluator, case, answer, judge, settings),
        settings,
    )


async def _grade_scorecard(
    scorecard: Scorecard, case: EvalCase, answer: str, judge_of: JudgeOf, settings: RunSettings
) -> ScorecardResult:
    """Grade the scorecard; a failure is its result."""
    return await _judge(
        ScorecardResult(scorecard.skill),
        lambda: judge_of(case, None),
        lambda judge: judge_scorecard(scorecard, case, answer, judge, settings),
        settings,
    )


async def _judge(
    empty: _Part, find_judge: Callable[[], Judge], ask: Callable[[Judge], Awaitable[_Part]], settings: RunSettings
) -> _Part:
    judge: Judge | None = None
    try:
        judge = find_judge()
        return await ask(judge)
    except PersonStopped:
        raise
    except GradingFailed as failure:
        return replace(
            empty,
            error=settings.redactor.redact(failure.reason),
            judge=None if judge is None else judge.identity,
            samples=settings.options.samples,
            usage=failure.usage,
        )


def _aggregated(
    result: CaseResult, evaluators: Sequence[EvaluatorResult], scorecard: ScorecardResult | None
) -> CaseResult:
    """Return the result of a case: a weighted mean, failed by any failed gate, an error where an evaluator has one.

    The scorecard stands beside the verdict and takes no part in it.
    """
    parts: list[EvaluatorResult | ScorecardResult] = [*evaluators, *([scorecard] if scorecard else [])]
    result = replace(
        result,
        evaluators=tuple(evaluators),
        scorecard=scorecard,
        judge=next((each.judge for each in parts if each.judge is not None), None),
        usage=total(each.usage for each in parts),
        error=_error(evaluators, scorecard),
    )
    scores = [
        EvaluatorScore(each.name, each.weight, each.score, all(one.gate != "failed" for one in each.criteria))
        for each in evaluators
        if each.score is not None
    ]
    if result.error is not None or not scores:
        return result
    try:
        score, verdict = combine(scores)
    except ValueError as error:
        return replace(result, error=str(error))
    return replace(result, score=score, verdict=verdict)


def _error(evaluators: Sequence[EvaluatorResult], scorecard: ScorecardResult | None) -> str | None:
    """Return why there is no verdict; None where there is one, or where only a scorecard was asked for."""
    for each in evaluators:
        if each.status == "error":
            return f"{each.name}: {each.error}"
    if evaluators and not any(each.status == "graded" for each in evaluators) and scorecard is None:
        names = ", ".join(f"{each.name} ({each.type})" for each in evaluators)
        return f"None of the evaluators of this case was run: {names}."
    return None
