"""Sets of evaluators, negated results, and minimums: from the results of parts to the result of an evaluator."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from rubric_core.grading.results import EvaluatorResult
from rubric_core.grading.usage import total
from rubric_core.model.evaluators import CompositeEvaluator, Evaluator
from rubric_core.schema.scales import VerdictMarks
from rubric_core.scoring.exact import exact, weighted_mean
from rubric_core.scoring.grades import Verdict, opposite, verdict_of

_THRESHOLD = "threshold"


class SetRule:
    """How the results of a set's members are combined; dialects have other rules by type of set."""

    def reason_not_run(self, _evaluator: CompositeEvaluator, /) -> str | None:
        """Return why a set is not run; None if it is."""
        return None

    def problem(self, _evaluator: CompositeEvaluator, /) -> str | None:
        """Return why the members of a set have no common result; None if they may have one."""
        return None

    def weighted(
        self, _evaluator: CompositeEvaluator, members: Sequence[EvaluatorResult], /
    ) -> Sequence[EvaluatorResult]:
        """Return members with their own weights."""
        return members

    def mean(self, members: Sequence[EvaluatorResult], /) -> Fraction:
        """Return the weighted mean of the results that were run. Raises ValueError if the weights sum to 0."""
        return weighted_mean([(member.weight, member.score) for member in members if member.score is not None])

    def verdict(self, _members: Sequence[EvaluatorResult], score: Fraction, marks: VerdictMarks, /) -> Verdict:
        """Return the verdict of a set without a threshold."""
        return verdict_of(score, gates_hold=True, marks=marks)


class AllMembersRule(SetRule):
    """A set without a threshold passes if each member with a weight passes."""

    def verdict(self, members: Sequence[EvaluatorResult], _score: Fraction, _marks: VerdictMarks, /) -> Verdict:
        """Return whether each member with a weight passes."""
        counted = [member for member in members if member.weight and member.verdict is not None]
        return Verdict.PASS if all(member.verdict is Verdict.PASS for member in counted) else Verdict.FAIL


def set_result(
    evaluator: CompositeEvaluator, rule: SetRule, members: Sequence[EvaluatorResult], marks: VerdictMarks
) -> EvaluatorResult:
    """Return the result of a set: by its rule from the members that were run, or the error of a member."""
    members = rule.weighted(evaluator, members)
    whole = EvaluatorResult(
        evaluator.name,
        evaluator.type,
        evaluator.weight,
        "not run",
        members=tuple(members),
        hits=tuple(hit for member in members for hit in member.hits),
        misses=tuple(miss for member in members for miss in member.misses),
        usage=total(member.usage for member in members),
    )
    problem = rule.problem(evaluator)
    if problem is not None:
        return replace(whole, status="error", error=problem)
    failed = next((member for member in members if member.status == "error"), None)
    if failed is not None:
        return replace(whole, status="error", error=f"{failed.name}: {failed.error}")
    if all(member.score is None for member in members):
        return replace(whole, error="None of its members was run.")
    try:
        score = rule.mean(members)
    except ValueError as error:
        return replace(whole, status="error", error=str(error))
    threshold = own_threshold(evaluator)
    if threshold is None:
        verdict = rule.verdict(members, score, marks)
    else:
        verdict = verdict_of(score, gates_hold=True, marks=VerdictMarks(exact(threshold)))
    return replace(whole, status="graded", score=score, verdict=verdict)


def own_threshold(evaluator: Evaluator) -> Decimal | None:
    """Return the set's own lowest passing score; None if its rule decides."""
    threshold = evaluator.config.get(_THRESHOLD) if isinstance(evaluator, CompositeEvaluator) else None
    return None if threshold is None else weight_in(threshold, Decimal(1))


def with_own_keys(evaluator: Evaluator, result: EvaluatorResult, threshold: Decimal | None) -> EvaluatorResult:
    """Return a result of an evaluator of a case with its `negate` and `required` applied; members have neither.

    `threshold` is that of the case: it is the minimum of an evaluator without its own.
    """
    if result.score is None or result.verdict is None:
        return result
    if evaluator.negate:
        result = negated(result)
    if evaluator.required:
        result = replace(result, minimum=threshold if evaluator.min_score is None else evaluator.min_score)
    return result


def negated(result: EvaluatorResult) -> EvaluatorResult:
    """Return the opposite of a result with a score."""
    assert result.score is not None  # noqa: S101 - only what has a verdict is negated.
    assert result.verdict is not None  # noqa: S101 - see above.
    return replace(
        result,
        negated=True,
        score=1 - result.score,
        verdict=opposite(result.verdict),
        hits=result.misses,
        misses=result.hits,
    )


def weight_in(value: Any, default: Decimal) -> Decimal:
    """Return a number of the file exactly as written, or the default."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return default
    try:
        number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    except InvalidOperation:
        return default
    return number if number.is_finite() and number >= 0 else default
