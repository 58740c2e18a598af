"""From what the evaluators of a case say to what is said of the case."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rubric_core.grading.usage import Usage, total
from rubric_core.scoring.combination import EvaluatorScore, combine

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from rubric_core.grading.judges.judge import JudgeIdentity
    from rubric_core.grading.results import EvaluatorResult, ScorecardResult
    from rubric_core.scoring.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A score and a verdict, or an error and neither, or nothing at all where only a scorecard was graded."""

    usage: Usage
    judge: JudgeIdentity | None
    score: Fraction | None = None
    verdict: Verdict | None = None
    error: str | None = None


def conclude(evaluators: Sequence[EvaluatorResult], scorecard: ScorecardResult | None) -> Conclusion:
    """Combine the evaluators: a weighted mean, failed by any failed gate, and an error where one of them is in error.

    The scorecard stands beside the verdict and takes no part in it.
    """
    judged: list[EvaluatorResult | ScorecardResult] = [*evaluators, *([scorecard] if scorecard else [])]
    usage = total(each.usage for each in judged)
    judge = next((each.judge for each in judged if each.judge is not None), None)
    reason = _failure(evaluators, scorecard)
    if reason is not None:
        return Conclusion(usage, judge, error=reason)
    parts = [
        EvaluatorScore(
            each.name, each.weight, each.score, all(criterion.gate != "failed" for criterion in each.criteria)
        )
        for each in evaluators
        if each.score is not None
    ]
    if not parts:
        return Conclusion(usage, judge)
    try:
        combined = combine(parts)
    except ValueError as error:
        return Conclusion(usage, judge, error=str(error))
    return Conclusion(usage, judge, combined.score, combined.verdict)


def _failure(evaluators: Sequence[EvaluatorResult], scorecard: ScorecardResult | None) -> str | None:
    """Return why there is no verdict; None where there is one, or where only a scorecard was asked for."""
    for each in evaluators:
        if each.status == "error":
            return f"{each.name}: {each.error}"
    if evaluators and not any(each.status == "graded" for each in evaluators) and scorecard is None:
        names = ", ".join(f"{each.name} ({each.type})" for each in evaluators)
        return f"None of the evaluators of this case was run: {names}."
    return None
