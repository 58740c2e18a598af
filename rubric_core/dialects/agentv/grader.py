"""How suites of AgentV 4 and 5 are graded, and what AgentV itself computes from the same checks.

AgentV counts in binary floats, and a criterion that fails by its gate fails the assertion, but not the test. Its result
is computed for a test in which everything was run; the result of an assertion that was not run is unknown.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

from rubric_core.dialects.agentv.assertions import SHARED_TYPES
from rubric_core.dialects.agentv.checks import run_assertion
from rubric_core.grading.answers import Answer
from rubric_core.grading.grader import CaseScore, DefaultGrader, same_names, unless_same, verdict_marks
from rubric_core.grading.results import EvaluatorResult, Upstream
from rubric_core.model.evaluators import Evaluator, OtherEvaluator
from rubric_core.model.suite import EvalCase
from rubric_core.schema.scales import VerdictMarks
from rubric_core.scoring.grades import Verdict
from rubric_core.scoring.rubrics import CriterionScore

_VARIABLES: Mapping[str, str] = {
    "output": "candidate_answer",
    "input": "question",
    "expected_output": "reference_answer",
    **same_names("criteria", "rubrics", "rubrics_json", "metadata", "metadata_json"),
    **dict.fromkeys(("file_changes", "tool_calls"), "unknown"),
}
_PAYLOAD: Mapping[str, str] = {
    "criteria": "expected_outcome",
    "expected_output": "expected_messages",
    "output": "candidate_answer",
    "messages": "answer_messages",
    "input_files": "input_files",
    "input": "input_messages",
    **same_names("metadata", "trace", "trace_summary", "token_usage", "cost_usd", "duration_ms"),
    **dict.fromkeys(("start_time", "end_time", "file_changes", "workspace_path"), "unknown"),
    "config": "config",
}
_TURNS = "The turns of a conversation are not graded; grade each turn as a test of its own."


@dataclass(frozen=True, eq=False)
class AgentvGrader(DefaultGrader):
    """Grades tests of AgentV 4 and 5."""

    offline_types: frozenset[str] = frozenset(SHARED_TYPES)
    ungraded_keys: Mapping[str, str] = field(default_factory=lambda: {"turns": _TURNS})
    variables: Mapping[str, str] = field(default_factory=lambda: _VARIABLES)
    payload: Mapping[str, str] = field(default_factory=lambda: _PAYLOAD)

    async def check(self, evaluator: OtherEvaluator, case: EvalCase, answer: Answer, /) -> EvaluatorResult:
        """Return the result of an assertion that needs no judge."""
        return await run_assertion(evaluator, case, answer, verdict_marks(case))

    def case_score(
        self,
        written: Sequence[Evaluator],
        results: Sequence[EvaluatorResult],
        threshold: Decimal | None,
        marks: VerdictMarks,
        /,
    ) -> CaseScore:
        """Return score and verdict of a test, beside those of AgentV if they differ."""
        ours = super().case_score(written, results, threshold, marks)
        if threshold is None:
            return ours
        return ours._replace(upstream=upstream_of(results, threshold, ours.score, ours.verdict))


def upstream_of(
    results: Sequence[EvaluatorResult], threshold: Decimal, score: Fraction, verdict: Verdict
) -> Upstream | None:
    """Return the score and verdict of AgentV if they differ from these, and None otherwise."""
    if any(part.score is None for result in results for part in (result, *result.parts)):
        return None
    scores = [(_score(result), float(result.weight)) for result in results]
    minimums = [None if result.minimum is None else float(result.minimum) for result in results]
    is_zero = any(low is not None and reached < low for (reached, _), low in zip(scores, minimums, strict=True))
    theirs = 0.0 if is_zero else _mean(scores)
    return unless_same((theirs, Verdict.PASS if theirs >= float(threshold) else Verdict.FAIL), score, verdict)


def _score(result: EvaluatorResult) -> float:
    """Return the score of an evaluator in AgentV's arithmetic."""
    if result.members:
        score = _mean([(_score(member), float(member.weight)) for member in result.members])
    elif result.criteria:
        score = _mean([(_value(criterion), float(criterion.weight)) for criterion in result.criteria])
    else:
        exact = result.score or Fraction(0)
        score = float(1 - exact if result.negated else exact)
    return 1 - score if result.negated else score


def _value(criterion: CriterionScore) -> float:
    """Return the score of a criterion. In a list with score ranges AgentV scores all criteria from 0 to 10."""
    return float(bool(criterion.satisfied)) if criterion.score is None else criterion.score / 10


def _mean(weighted: Sequence[tuple[float, float]]) -> float:
    """Return a weighted mean, added up in the order of the list; 0 where all weights are 0."""
    total = sum_of_weights = 0.0
    for value, weight in weighted:
        sum_of_weights += weight
        total += value * weight
    return min(1.0, max(0.0, total / sum_of_weights)) if sum_of_weights > 0 else 0.0
