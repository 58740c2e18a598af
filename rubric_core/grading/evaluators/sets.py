"""Sets of evaluators, what is turned around, and minimums: from the results of parts to the result of an evaluator."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

from rubric_core.grading.results import EvaluatorResult
from rubric_core.grading.usage import total
from rubric_core.model.evaluators import CompositeEvaluator, Evaluator
from rubric_core.schema.profiles import SetRule
from rubric_core.schema.scales import VerdictMarks
from rubric_core.scoring.exact import exact, weighted_mean
from rubric_core.scoring.grades import Verdict, opposite, verdict_of

_THRESHOLD = "threshold"


def as_written(evaluator: Evaluator, result: EvaluatorResult, threshold: Decimal | None) -> EvaluatorResult:
    """Return a result of an evaluator of a case with its `negate` and `required` applied; members have neither.

    `threshold` is that of the case: it is the minimum of an evaluator without its own.
    """
    if result.score is None or result.verdict is None:
        return result
    if evaluator.negate:
        result = turned(result)
    if evaluator.required:
        result = replace(result, minimum=threshold if evaluator.min_score is None else evaluator.min_score)
    return result


def set_result(
    evaluator: CompositeEvaluator, rule: SetRule, members: Sequence[EvaluatorResult], marks: VerdictMarks
) -> EvaluatorResult:
    """Return the result of a set: the weighted mean of the members that were run, an error where a member has one."""
    members = _weighted(evaluator, rule, members)
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
    if not rule.nests and any(isinstance(each, CompositeEvaluator) for each in evaluator.evaluators):
        return replace(whole, status="error", error="A set cannot contain another set; move its assertions out of it.")
    failed = next((member for member in members if member.status == "error"), None)
    if failed is not None:
        return replace(whole, status="error", error=f"{failed.name}: {failed.error}")
    if all(member.score is None for member in members):
        return replace(whole, error="None of its members was run.")
    try:
        score = mean_of(members, rule)
    except ValueError as error:
        return replace(whole, status="error", error=str(error))
    return replace(whole, status="graded", score=score, verdict=_verdict(evaluator, rule, members, score, marks))


def mean_of(parts: Sequence[EvaluatorResult], rule: SetRule) -> Fraction:
    """Return the weighted mean of what was run. Raises ValueError where the weights sum to 0 and may not."""
    scored = [(part.weight, part.score) for part in parts if part.score is not None]
    if rule.allows_no_weight and not any(weight for weight, _ in scored):
        return Fraction(0)
    return weighted_mean(scored)


def joined(parts: Sequence[EvaluatorResult], rule: SetRule, threshold: Decimal | None) -> tuple[Fraction, Verdict]:
    """Return score and verdict of a case: by its threshold, or else a pass if nothing that was run failed."""
    score = mean_of(parts, rule)
    if threshold is not None:
        return score, verdict_of(score, gates_hold=True, marks=VerdictMarks(exact(threshold)))
    failed = any(part.verdict is Verdict.FAIL for part in parts)
    return score, Verdict.FAIL if failed else Verdict.PASS


def turned(result: EvaluatorResult) -> EvaluatorResult:
    """Return a result turned around."""
    assert result.score is not None  # noqa: S101 - only what has a verdict is turned around.
    assert result.verdict is not None  # noqa: S101 - see above.
    return replace(
        result,
        negated=True,
        score=1 - result.score,
        verdict=opposite(result.verdict),
        hits=result.misses,
        misses=result.hits,
    )


def threshold_of_set(evaluator: Evaluator) -> Decimal | None:
    """Return the score from which a set passes, or None where each member must pass."""
    threshold = evaluator.config.get(_THRESHOLD) if isinstance(evaluator, CompositeEvaluator) else None
    return None if threshold is None else _number(threshold, Decimal(1))


def _weighted(
    evaluator: CompositeEvaluator, rule: SetRule, members: Sequence[EvaluatorResult]
) -> Sequence[EvaluatorResult]:
    """Return members with the weights that count: their own, or those of the aggregator, by name."""
    if rule.aggregator is None:
        return members
    aggregator = evaluator.config.get(rule.aggregator)
    written = aggregator.get("weights") if isinstance(aggregator, dict) else None
    weights: Mapping[str, Any] = written if isinstance(written, dict) else {}
    return [replace(member, weight=_number(weights.get(member.name), Decimal(1))) for member in members]


def _verdict(
    evaluator: CompositeEvaluator,
    rule: SetRule,
    members: Sequence[EvaluatorResult],
    score: Fraction,
    marks: VerdictMarks,
) -> Verdict:
    threshold = threshold_of_set(evaluator)
    if threshold is not None:
        return verdict_of(score, gates_hold=True, marks=VerdictMarks(exact(threshold)))
    if rule.needs_all:
        counted = [member for member in members if member.weight and member.verdict is not None]
        return Verdict.PASS if all(member.verdict is Verdict.PASS for member in counted) else Verdict.FAIL
    return verdict_of(score, gates_hold=True, marks=marks)


def _number(value: Any, default: Decimal) -> Decimal:
    """Return a number of the file exactly as it is written, or the default where there is none."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return default
    try:
        number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    except InvalidOperation:
        return default
    return number if number.is_finite() and number >= 0 else default
