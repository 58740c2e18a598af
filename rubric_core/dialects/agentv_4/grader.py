"""How suites of AgentV 4 are graded."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from rubric_core.dialects.agentv.grader import AgentvGrader
from rubric_core.grading.evaluators.sets import SetRule, weight_in
from rubric_core.grading.grader import ReplyFormat
from rubric_core.grading.results import EvaluatorResult
from rubric_core.model.evaluators import CompositeEvaluator

_AGGREGATOR = "aggregator"
_WEIGHTED_AVERAGE = "weighted_average"


class AggregatorRule(SetRule):
    """The `aggregator` of a set has the weights of the members by name; one of another type is not run."""

    def reason_not_run(self, evaluator: CompositeEvaluator, /) -> str | None:
        """Return why a set is not run; None if it is."""
        aggregator = evaluator.config.get(_AGGREGATOR)
        kind = aggregator.get("type") if isinstance(aggregator, dict) else None
        if kind in {None, _WEIGHTED_AVERAGE}:
            return None
        return f"Its `{_AGGREGATOR}` is of the type {kind}; this grader runs `{_WEIGHTED_AVERAGE}` alone."

    def weighted(
        self, evaluator: CompositeEvaluator, members: Sequence[EvaluatorResult], /
    ) -> Sequence[EvaluatorResult]:
        """Return members with the weights of the aggregator, or 1 for a member without one."""
        aggregator = evaluator.config.get(_AGGREGATOR)
        written = aggregator.get("weights") if isinstance(aggregator, dict) else None
        weights: Mapping[str, Any] = written if isinstance(written, dict) else {}
        return [replace(member, weight=weight_in(weights.get(member.name), Decimal(1))) for member in members]


GRADER = AgentvGrader(
    default_judge="llm-grader",
    sets={"composite": AggregatorRule()},
    reply=ReplyFormat(lists={"assertions": "passed"}, reasons=("reasoning", "reason")),
)
