"""Grading: from a case, a candidate answer and a judge to a result, for one case or for many at once."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from rubric_core.dialects.registry import BY_NAME
from rubric_core.grading.answers import Answer
from rubric_core.grading.ask import JudgementCache, RunSettings, all_of
from rubric_core.grading.evaluators.checks import ungraded
from rubric_core.grading.evaluators.code_judge import run_code_judge
from rubric_core.grading.evaluators.llm_judge import judge_scorecard, run_llm_judge
from rubric_core.grading.evaluators.sets import set_result, with_own_keys
from rubric_core.grading.failures import GradingFailed, PersonStopped
from rubric_core.grading.grader import grader_of, verdict_marks
from rubric_core.grading.judges.judge import Judge
from rubric_core.grading.options import DEFAULT_OPTIONS, Options
from rubric_core.grading.questions import reason_not_gradable, reason_not_run, scorecard_of
from rubric_core.grading.results import CASE_ATTRIBUTES, CaseResult, EvaluatorResult, ScorecardResult
from rubric_core.grading.secrets import NO_SECRETS, Redactor
from rubric_core.grading.usage import total
from rubric_core.model.evaluators import CodeJudge, CompositeEvaluator, Evaluator, LlmJudge, OtherEvaluator
from rubric_core.model.suite import EvalCase, Scorecard

if TYPE_CHECKING:
    from rubric_core.grading.sources import Sources

_Part = TypeVar("_Part", EvaluatorResult, ScorecardResult)

JudgeOf: TypeAlias = "Callable[[EvalCase, LlmJudge | None], Judge]"
"""Returns the judge for an evaluator of a case, or for its scorecard, which is None. Raises CannotGrade."""
DEFAULT_CONCURRENCY = 8
T = TypeVar("T")


async def grade(  # noqa: PLR0913 - what is graded by whom, and three choices with names.
    case: EvalCase,
    answer: str | Answer,
    judge: Judge | JudgeOf | str,
    *,
    options: Options = DEFAULT_OPTIONS,
    memory: JudgementCache | None = None,
    redactor: Redactor = NO_SECRETS,
) -> CaseResult:
    """Grade an answer to a case: its text, or an `Answer` with what is known of how it came about.

    `judge` is a judge, a function that returns one for each evaluator, or a name as on the command line; a judge that
    is named is made for this call alone. `memory` is where judgements are kept and found again.

    A case with an error or a placeholder, and a judge that gives no valid judgement, make the result an
    error: it has neither score nor verdict then. Raises PersonStopped where a person stops.
    """
    if isinstance(judge, str):
        return await _grade_by_name(case, answer, judge, RunSettings(options, memory))
    judge_of: JudgeOf = judge if callable(judge) else lambda _case, _evaluator: judge
    return await grade_case(case, answer, judge_of, RunSettings(options, memory, redactor))


async def _grade_by_name(case: EvalCase, answer: str | Answer, name: str, settings: RunSettings) -> CaseResult:
    from rubric_core.grading.targets.targets import Targets  # noqa: PLC0415 - not needed with a judge.

    targets = Targets(case.source)
    try:
        return await grade_case(
            case,
            answer,
            lambda case, evaluator: targets.judge_for(name, case, evaluator),
            replace(settings, redactor=targets.redactor),
        )
    finally:
        await targets.close()


async def grade_case(case: EvalCase, answer: str | Answer, judge_of: JudgeOf, settings: RunSettings) -> CaseResult:
    """Grade an answer to a case, as `grade` does."""
    started = time.monotonic()
    answer = Answer(answer) if isinstance(answer, str) else answer
    result = empty_result(case, settings.redactor.redact(answer.text))
    reason = reason_not_gradable(case)
    if reason is not None:
        return replace(result, error=reason)
    scorecard = scorecard_of(case, settings.options)
    grader = grader_of(case)
    evaluators = grader.evaluators_of(case)
    results = await _all_of(
        [
            *(_evaluate(evaluator, case, answer, judge_of, settings) for evaluator in evaluators),
            *([_grade_scorecard(scorecard, case, answer.text, judge_of, settings)] if scorecard is not None else []),
        ],
        at_once=scorecard is not None or any(map(_asks, evaluators)),
    )
    parts = [part for part in results if isinstance(part, EvaluatorResult)]
    card = next((part for part in results if isinstance(part, ScorecardResult)), None)
    if BY_NAME[case.dialect].table.thresholds:
        # The threshold that was asked for, else the case's, else that of its dialect.
        thresholds = (settings.options.threshold, case.threshold, grader.default_threshold)
        threshold = next((given for given in thresholds if given is not None), None)
        parts = [with_own_keys(evaluator, part, threshold) for evaluator, part in zip(evaluators, parts, strict=True)]
        result = replace(result, threshold=threshold)
    result = _with_parts(result, parts, card)
    if result.error is None and any(part.score is not None for part in parts):
        try:
            score = grader.case_score(evaluators, parts, result.threshold, verdict_marks(case))
            result = replace(result, score=score.score, verdict=score.verdict, upstream=score.upstream)
        except ValueError as error:
            result = replace(result, error=str(error))
    is_partial = settings.options.criteria is not None
    return replace(result, partial=is_partial, duration=time.monotonic() - started)


def empty_result(case: EvalCase, answer: str = "") -> CaseResult:
    """Return a result of a case with neither score nor error."""
    values = {name: getattr(case, attribute) for name, attribute in CASE_ATTRIBUTES.items()}
    now = datetime.now(timezone.utc).isoformat(timespec="seconds")
    return CaseResult(**values, candidate_answer=answer, timestamp=now)


async def _evaluate(
    evaluator: Evaluator, case: EvalCase, answer: Answer, judge_of: JudgeOf, settings: RunSettings
) -> EvaluatorResult:
    """Run one evaluator; a failure is its result."""
    options, redactor, grader = settings.options, settings.redactor, grader_of(case)
    reason = reason_not_run(evaluator, options, grader)
    if reason is not None:
        return replace(ungraded(evaluator), status="not run", error=reason)
    if isinstance(evaluator, LlmJudge):
        judged = await _judge(
            ungraded(evaluator),
            lambda: judge_of(case, evaluator),
            lambda judge: run_llm_judge(evaluator, case, answer, judge, settings),
            settings,
        )
        return grader.judged(evaluator, judged)
    if isinstance(evaluator, CodeJudge):
        return await run_code_judge(evaluator, case, answer, time_limit=options.time_limit, redactor=redactor)
    if isinstance(evaluator, CompositeEvaluator):
        work = [_evaluate(member, case, answer, judge_of, settings) for member in evaluator.evaluators]
        members = await _all_of(work, at_once=_asks(evaluator))
        return set_result(evaluator, grader.sets[evaluator.type], members, verdict_marks(case))
    assert isinstance(evaluator, OtherEvaluator)  # noqa: S101 - `reason_not_run` names all others.
    return await grader.check(evaluator, case, answer)


def _asks(evaluator: Evaluator) -> bool:
    """Return whether an evaluator may wait for a judge or a command."""
    if isinstance(evaluator, CompositeEvaluator):
        return any(map(_asks, evaluator.evaluators))
    return isinstance(evaluator, LlmJudge | CodeJudge)


async def _all_of(work: Sequence[Coroutine[Any, Any, T]], *, at_once: bool) -> list[T]:
    """Return the results of some work, at once where it waits; a task for what does not takes longer than the work."""
    if at_once:
        return await all_of(work)
    try:
        return [await coroutine for coroutine in work]
    finally:
        for coroutine in work:
            coroutine.close()


async def _grade_scorecard(
    scorecard: Scorecard, case: EvalCase, answer: str, judge_of: JudgeOf, settings: RunSettings
) -> ScorecardResult:
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


def _with_parts(
    result: CaseResult, evaluators: Sequence[EvaluatorResult], scorecard: ScorecardResult | None
) -> CaseResult:
    """Return a result with those of its parts, an error where an evaluator has one; the scorecard decides nothing."""
    parts: list[EvaluatorResult | ScorecardResult] = [*evaluators, *([scorecard] if scorecard else [])]
    return replace(
        result,
        evaluators=tuple(evaluators),
        scorecard=scorecard,
        judge=next((part.judge for part in parts if part.judge is not None), None),
        usage=total(part.usage for part in parts),
        error=_error(evaluators, scorecard),
    )


def _error(evaluators: Sequence[EvaluatorResult], scorecard: ScorecardResult | None) -> str | None:
    """Return why there is no verdict; None where there is one, or where only a scorecard was asked for."""
    for evaluator in evaluators:
        if evaluator.status == "error":
            return f"{evaluator.name}: {evaluator.error}"
    if evaluators and not any(evaluator.status == "graded" for evaluator in evaluators) and scorecard is None:
        names = ", ".join(f"{evaluator.name} ({evaluator.type})" for evaluator in evaluators)
        return f"None of the evaluators of this case was run: {names}."
    return None


async def grade_all(  # noqa: PLR0913 - the choices of a run, each by its name.
    cases: Sequence[EvalCase],
    sources: Sources,
    watch: Callable[[int, CaseResult], object],
    *,
    options: Options = DEFAULT_OPTIONS,
    concurrency: int = DEFAULT_CONCURRENCY,
    memory: JudgementCache | None = None,
    fingerprints: Sequence[str] = (),
    earlier: Callable[[str], CaseResult | None] | None = None,
) -> None:
    """Grade cases and pass each result on at once, with the place of its case among them.

    `fingerprints` are those of the plan; `earlier` finds the result of one that was graded before a run was resumed.
    When this is cancelled, or a person stops, every call ends; what was passed on is not touched.
    """
    limit = asyncio.Semaphore(concurrency)
    settings = RunSettings(options, memory, sources.redactor, limit)

    async def grade_one(place: int, named: tuple[EvalCase, str]) -> None:
        case, fingerprint = named
        # Work without a call never waits, so it must yield to let a cancellation run.
        await asyncio.sleep(0)
        resumed = earlier(fingerprint) if earlier is not None and fingerprint else None
        if resumed is None:
            result = replace(await _graded(case, sources, settings), fingerprint=fingerprint)
        else:
            # The same file may be named from another folder now.
            result = replace(resumed, file=case.source, dataset=case.dataset, other_fields=case.other_fields)
        watch(place, result)

    named = list(zip(cases, chain(fingerprints, repeat("")), strict=False))
    await for_each(named, grade_one, concurrency)


async def _graded(case: EvalCase, sources: Sources, settings: RunSettings) -> CaseResult:
    reason = reason_not_gradable(case)
    if reason is not None:
        return replace(empty_result(case), error=reason)
    try:
        async with settings.limit:
            answer = await sources.answer_of(case)
    except GradingFailed as failure:
        return replace(empty_result(case), error=failure.reason, usage=failure.usage)
    result = await grade_case(case, answer, sources.judge_of, settings)
    return replace(result, target=answer.target, usage=result.usage + answer.usage)


async def for_each(items: Sequence[T], work: Callable[[int, T], Coroutine[Any, Any, None]], concurrency: int) -> None:
    """Do some work for each item, with its place among them, for so many at once."""
    waiting = iter(enumerate(items))

    async def worker() -> None:
        for place, item in waiting:
            await work(place, item)

    await all_of(worker() for _ in range(min(concurrency, len(items))))
