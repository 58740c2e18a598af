"""The way in: from a case, a candidate answer and a judge to a result."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Literal, TypeAlias

from rubric_core.grading.conclusion import conclude
from rubric_core.grading.evaluators.code_judge import run_code_judge
from rubric_core.grading.evaluators.free_form import judge_free_form
from rubric_core.grading.evaluators.rubrics import chosen, judge_rubric
from rubric_core.grading.evaluators.scorecard import judge_scorecard
from rubric_core.grading.failures import GradingFailed, PersonStopped
from rubric_core.grading.options import DEFAULT_OPTIONS, Options
from rubric_core.grading.results import CaseResult, EvaluatorResult, ScorecardResult
from rubric_core.grading.secrets import NO_SECRETS, Redactor
from rubric_core.grading.terms import Terms
from rubric_core.grading.together import all_of
from rubric_core.model.evaluators import CodeJudge, LlmJudge
from rubric_core.rules.placeholder_text import RULE as PLACEHOLDER_TEXT
from rubric_core.rules.problem import Severity

if TYPE_CHECKING:
    from collections.abc import Callable

    from rubric_core.grading.judges.judge import Judge
    from rubric_core.grading.memory import Memory
    from rubric_core.model.evaluators import Evaluator
    from rubric_core.model.suite import EvalCase
    from rubric_core.rules.problem import Problem

DEFAULT_EVALUATOR = LlmJudge(name="llm_judge")
"""What judges a case that names nobody: one score for the answer as a whole."""

_MOST_REASONS = 10
"""How many problems of one case are told."""

JudgeOf: TypeAlias = "Callable[[EvalCase, LlmJudge | None], Judge]"
"""Who judges for an evaluator of a case; None stands for the scorecard. Raises CannotGrade."""


async def grade(  # noqa: PLR0913 - what is graded by whom, and three choices with names.
    case: EvalCase,
    answer: str,
    judge: Judge | JudgeOf | str,
    *,
    options: Options = DEFAULT_OPTIONS,
    memory: Memory | None = None,
    redactor: Redactor = NO_SECRETS,
) -> CaseResult:
    """Grade an answer to a case.

    `judge` is a judge, a function that gives one for each evaluator, or a name as on the command line; a judge that is
    named is made for this call alone.

    A case with an error-level problem or a placeholder, and a judge that gives no valid judgement, make the result an
    error: it has neither score nor verdict then.

    Raises:
        PersonStopped: The judge is a person who wants to judge no more.
    """
    if isinstance(judge, str):
        return await _grade_by_name(case, answer, judge, options, memory)
    started = time.monotonic()
    result = begun(case, redactor.redact(answer))
    reason = unfit(case)
    if reason is not None:
        return replace(result, error=reason)
    judge_of: JudgeOf = judge if callable(judge) else lambda _case, _evaluator: judge
    terms = Terms(options, memory, redactor)
    said = await all_of(
        [
            *(_evaluated(each, case, answer, judge_of, terms) for each in evaluators_of(case)),
            *([_scored(case, answer, judge_of, terms)] if case.scorecard and not options.criteria else []),
        ]
    )
    evaluators = tuple(each for each in said if isinstance(each, EvaluatorResult))
    scorecard = next((each for each in said if isinstance(each, ScorecardResult)), None)
    concluded = conclude(evaluators, scorecard)
    return replace(
        result,
        score=concluded.score,
        verdict=concluded.verdict,
        error=concluded.error,
        evaluators=evaluators,
        scorecard=scorecard,
        judge=concluded.judge,
        usage=concluded.usage,
        partial=options.criteria is not None,
        duration=time.monotonic() - started,
    )


async def _grade_by_name(case: EvalCase, answer: str, name: str, options: Options, memory: Memory | None) -> CaseResult:
    from rubric_core.grading.targets.targets import Targets  # noqa: PLC0415 - whoever has a judge needs no targets.

    targets = Targets.for_file(case.source)
    try:
        return await grade(
            case,
            answer,
            lambda each, evaluator: targets.judge_for(name, each, evaluator),
            options=options,
            memory=memory,
            redactor=targets.redactor,
        )
    finally:
        await targets.close()


def begun(case: EvalCase, answer: str = "") -> CaseResult:
    """Return a result that says nothing yet but whose it is."""
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


def unfit(case: EvalCase) -> str | None:
    """Return why a case cannot be graded as it is written: each problem with its place, on a line of its own.

    The words are right on the command line and in an editor, which shows the same result.
    """
    # A case that was made in Python stands in no file.
    places = case.places or [""] * len(case.problems)
    placed = zip(case.problems, places, strict=True)
    stopping = [(each, place) for each, place in placed if stops(each)]
    errors = [_told(f"{each.message} ({each.code})", place) for each, place in stopping]
    reasons = errors or [_told(each.reason, each.place) for each in case.left_out]
    if not reasons:
        return None
    more = len(reasons) - _MOST_REASONS
    if more > 0:
        reasons[_MOST_REASONS:] = [f"{more:,} more; a check of the file shows all of them."]
    return "\n".join(reasons)


def stops(problem: Problem) -> bool:
    """Return whether a case with this problem is not graded: an error, or a placeholder."""
    return problem.severity is Severity.ERROR or problem.code == PLACEHOLDER_TEXT.code


def _told(reason: str, place: str) -> str:
    return f"{place}: {reason}" if place else reason


def evaluators_of(case: EvalCase) -> tuple[Evaluator, ...]:
    """Return who evaluates a case: those that it names, or one judgement of the whole answer where nobody is named."""
    if case.evaluators or case.scorecard is not None:
        return case.evaluators
    return (DEFAULT_EVALUATOR,)


async def _evaluated(
    evaluator: Evaluator, case: EvalCase, answer: str, judge_of: JudgeOf, terms: Terms
) -> EvaluatorResult:
    """Let one evaluator look at the answer; a failure is its result."""
    reason = not_run(evaluator, terms.options)
    if reason is not None:
        return _without_score(evaluator, "not run", reason)
    if isinstance(evaluator, CodeJudge):
        return await run_code_judge(
            evaluator, case, answer, time_limit=terms.options.time_limit, redactor=terms.redactor
        )
    assert isinstance(evaluator, LlmJudge)  # noqa: S101 - `not_run` names all others.
    judge: Judge | None = None
    try:
        judge = judge_of(case, evaluator)
        ask = judge_rubric if evaluator.criteria else judge_free_form
        return await ask(evaluator, case, answer, judge, terms)
    except PersonStopped:
        raise
    except GradingFailed as failure:
        return replace(
            _without_score(evaluator, "error", terms.redactor.redact(failure.reason)),
            judge=None if judge is None else judge.identity,
            samples=terms.options.samples,
            usage=failure.usage,
        )


async def _scored(case: EvalCase, answer: str, judge_of: JudgeOf, terms: Terms) -> ScorecardResult:
    assert case.scorecard is not None  # noqa: S101 - the caller looked.
    try:
        judge = judge_of(case, None)
    except GradingFailed as failure:
        return ScorecardResult(skill=case.scorecard.skill, error=failure.reason)
    return await judge_scorecard(case.scorecard, case, answer, judge, terms)


def not_run(evaluator: Evaluator, options: Options) -> str | None:
    """Return why an evaluator is passed over; None where it is run."""
    if options.criteria is not None and not (isinstance(evaluator, LlmJudge) and chosen(evaluator, options)):
        return "None of its criteria was asked for."
    if not isinstance(evaluator, LlmJudge | CodeJudge):
        return f"Evaluators of the type {evaluator.type} are not run by this grader."
    return None


def _without_score(evaluator: Evaluator, status: Literal["error", "not run"], reason: str) -> EvaluatorResult:
    return EvaluatorResult(evaluator.name, evaluator.type, evaluator.weight, status, error=reason)
