"""The score and verdict that AgentV and promptfoo compute from the same checks.

Both count in binary floats. In AgentV a criterion that fails by its gate fails the assertion, but not the test; in
promptfoo a rubric without a threshold passes where the judge gives a score alone. Their answer is computed for a test
in which everything was run; the result of an assertion that was not run is unknown.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from rubric_core.grading.evaluators.sets import threshold_of_set
from rubric_core.grading.results import EvaluatorResult, Upstream
from rubric_core.model.evaluators import CompositeEvaluator, Evaluator, LlmJudge
from rubric_core.schema.profiles import Profile
from rubric_core.scoring.grades import Verdict
from rubric_core.scoring.rubrics import CriterionScore

_ROUNDING = 1e-9
"""Scores that are closer to each other are the same number, which one of two ways of counting has rounded."""


def upstream_of(
    evaluators: Sequence[EvaluatorResult], threshold: Decimal, score: Fraction, verdict: Verdict
) -> Upstream | None:
    """Return the score and verdict of AgentV if they differ from these, and None otherwise."""
    if any(part.score is None for evaluator in evaluators for part in (evaluator, *evaluator.parts)):
        return None
    scores = [(_score(evaluator), float(evaluator.weight)) for evaluator in evaluators]
    minimums = [None if each.minimum is None else float(each.minimum) for each in evaluators]
    is_zero = any(low is not None and found < low for (found, _), low in zip(scores, minimums, strict=True))
    theirs = 0.0 if is_zero else _mean(scores)
    upstream_verdict = Verdict.PASS if theirs >= float(threshold) else Verdict.FAIL
    return unless_same((theirs, upstream_verdict), score, verdict)


def unless_same(upstream: tuple[float, Verdict] | None, score: Fraction, verdict: Verdict) -> Upstream | None:
    """Return a score and a verdict where they are others than these, and None elsewhere."""
    if upstream is None or (upstream[1] is verdict and abs(upstream[0] - float(score)) <= _ROUNDING):
        return None
    return Upstream(Decimal(repr(upstream[0])), upstream[1])


def joined_upstream(
    written: Sequence[Evaluator], results: Sequence[EvaluatorResult], threshold: Decimal | None, profile: Profile
) -> tuple[float, Verdict] | None:
    """Return the score and verdict of promptfoo for assertions and their results; None if one was not run."""
    if any(part.score is None for result in results for part in (result, *result.parts)):
        return None
    total = sum_of_weights = 0.0
    has_failed = False
    for evaluator, result in zip(written, results, strict=True):
        score, passes = _assertion(evaluator, result, profile)
        total += score * float(result.weight)
        sum_of_weights += float(result.weight)
        has_failed = has_failed or not passes
    score = total / sum_of_weights if sum_of_weights > 0 else 0.0
    passes = not has_failed if threshold is None else score >= float(threshold)
    return score, Verdict.PASS if passes else Verdict.FAIL


def _assertion(evaluator: Evaluator, result: EvaluatorResult, profile: Profile) -> tuple[float, bool]:
    """Return the score of an assertion in promptfoo's arithmetic, and whether it passes."""
    if isinstance(evaluator, CompositeEvaluator):
        joined = joined_upstream(evaluator.evaluators, result.members, threshold_of_set(evaluator), profile)
        return (0.0, False) if joined is None else (joined[0], joined[1] is Verdict.PASS)
    exact = result.score or Fraction(0)
    score = 1 - float(1 - exact) if result.negated else float(exact)
    if isinstance(evaluator, LlmJudge) and evaluator.type in profile.unjudged_types and result.weight:
        own = evaluator.config.get("threshold")
        passes = own is None or float(1 - exact if result.negated else exact) >= float(str(own))
        return score, passes is not result.negated
    return score, result.verdict is Verdict.PASS


def _score(result: EvaluatorResult) -> float:
    """Return the score of an evaluator in AgentV's arithmetic."""
    if result.members:
        found = _mean([(_score(member), float(member.weight)) for member in result.members])
    elif result.criteria:
        found = _mean([(_value(each), float(each.weight)) for each in result.criteria])
    else:
        exact = result.score or Fraction(0)
        found = float(1 - exact if result.negated else exact)
    return 1 - found if result.negated else found


def _value(criterion: CriterionScore) -> float:
    """Return what a criterion earned. In a list with score ranges AgentV scores all of them from 0 to 10."""
    return float(bool(criterion.satisfied)) if criterion.score is None else criterion.score / 10


def _mean(weighted: Sequence[tuple[float, float]]) -> float:
    """Return a weighted mean, added up in the order of the list; 0 where all weights are 0."""
    total = sum_of_weights = 0.0
    for value, weight in weighted:
        sum_of_weights += weight
        total += value * weight
    return min(1.0, max(0.0, total / sum_of_weights)) if sum_of_weights > 0 else 0.0
