"""What AgentV would have said of the same checks.

AgentV counts in binary floats, and a criterion that fails by its gate fails the assertion, but not the test. Its answer
is computed for a test in which everything was run; nobody can tell what an assertion that was not run would have given.
"""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from rubric_core.grading.results import EvaluatorResult, Upstream
from rubric_core.scoring.grades import Verdict
from rubric_core.scoring.rubrics import CriterionScore

_ROUNDING = 1e-9
"""Scores that are closer to each other are the same number, which one of two ways of counting has rounded."""


def upstream_of(
    evaluators: Sequence[EvaluatorResult], threshold: Decimal, score: Fraction, verdict: Verdict
) -> Upstream | None:
    """Return what AgentV would have said where it is something else than this score and verdict, and None elsewhere."""
    if any(part.score is None for evaluator in evaluators for part in (evaluator, *evaluator.parts)):
        return None
    scores = [(_score(evaluator), float(evaluator.weight)) for evaluator in evaluators]
    minimums = [None if each.minimum is None else float(each.minimum) for each in evaluators]
    is_zero = any(low is not None and found < low for (found, _), low in zip(scores, minimums, strict=True))
    theirs = 0.0 if is_zero else _mean(scores)
    said = Verdict.PASS if theirs >= float(threshold) else Verdict.FAIL
    if said is verdict and abs(theirs - float(score)) <= _ROUNDING:
        return None
    return Upstream(Decimal(repr(theirs)), said)


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
