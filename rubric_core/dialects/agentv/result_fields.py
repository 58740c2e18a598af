"""AgentV's own names in a result: keys of rows of its releases 4 and 5 that differ from ours.

An error has no score here either; AgentV writes 0.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from rubric_core.grading.results import CaseResult, EvaluatorResult
from rubric_core.scoring.exact import json_number
from rubric_core.scoring.grades import Verdict
from rubric_core.scoring.rubrics import CriterionScore

# For AgentV a criterion passes from this share of the scale on, unless its gate failed.
_PASSED_FROM = Fraction(7, 10)
_Table: TypeAlias = Mapping[str, Callable[[CaseResult], Any]]
_STATUSES = {Verdict.PASS: "ok", Verdict.BORDERLINE: "quality_failure", Verdict.FAIL: "quality_failure"}


def _execution_status(result: CaseResult) -> str | None:
    """Return AgentV's status of a test; None without an error or a verdict."""
    if result.error is not None:
        return "execution_error"
    return None if result.verdict is None else _STATUSES[result.verdict]


def _has_passed(criterion: CriterionScore) -> bool:
    return criterion.gate != "failed" and criterion.value >= _PASSED_FROM


def _assertions(evaluator: EvaluatorResult) -> Iterator[dict[str, Any]]:
    """Yield the assertions of an evaluator: its criteria, or those of its reply; in a set with the member's name."""
    for member in evaluator.members:
        yield from ({**assertion, "text": f"[{member.name}] {assertion['text']}"} for assertion in _assertions(member))
    for criterion in evaluator.criteria:
        evidence = {"evidence": criterion.reasoning} if criterion.reasoning else {}
        yield {"text": f"[{criterion.id}] {criterion.outcome}", "passed": _has_passed(criterion), **evidence}
    if not evaluator.criteria and not evaluator.members:
        yield from ({"text": text, "passed": True} for text in evaluator.hits)
        yield from ({"text": text, "passed": False} for text in evaluator.misses)


def _ran(evaluators: Iterable[EvaluatorResult]) -> list[EvaluatorResult]:
    """Return the evaluators that ran; AgentV has no word for one that did not."""
    return [evaluator for evaluator in evaluators if evaluator.status != "not run"]


def _verdict(evaluator: EvaluatorResult) -> str | None:
    if evaluator.status == "error":
        return "skip"
    return None if evaluator.verdict is None else evaluator.verdict.value


def _graders(evaluators: Iterable[EvaluatorResult], *, has_reasons: bool) -> list[dict[str, Any]]:
    """Return evaluators as entries of `scores`, with reasons in the generations that have a name for them."""
    return [
        {
            "name": evaluator.name,
            "type": evaluator.type,
            "score": json_number(evaluator.score),
            "weight": evaluator.weight,
            "verdict": _verdict(evaluator),
            **({"reason": evaluator.error or evaluator.reasoning} if has_reasons else {}),
            "assertions": list(_assertions(evaluator)),
            **({"scores": _graders(evaluator.members, has_reasons=has_reasons)} if evaluator.members else {}),
        }
        for evaluator in _ran(evaluators)
    ]


def _named_scores(evaluators: Iterable[EvaluatorResult]) -> dict[str, int | Decimal | None]:
    """Return scores by name, including members of sets."""
    scores: dict[str, int | Decimal | None] = {}
    for evaluator in _ran(evaluators):
        scores |= {evaluator.name: json_number(evaluator.score), **_named_scores(evaluator.members)}
    return scores


def _component(evaluator: EvaluatorResult) -> dict[str, Any]:
    """Return an evaluator as an entry of `component_results`, with one for each of its criteria or members below it."""
    own = {"name": evaluator.name, "type": evaluator.type}
    return {
        "pass": evaluator.verdict is Verdict.PASS,
        "score": json_number(evaluator.score),
        "reason": evaluator.error or evaluator.reasoning,
        "assertion": {**own, "weight": evaluator.weight},
        "component_results": [
            *(_component(member) for member in _ran(evaluator.members)),
            *(
                {
                    "pass": _has_passed(criterion),
                    "score": json_number(criterion.value),
                    "reason": criterion.reasoning,
                    "assertion": {"id": criterion.id, **own, "value": criterion.outcome, "weight": criterion.weight},
                }
                for criterion in evaluator.criteria
            ),
        ],
    }


def _eval_run(result: CaseResult) -> dict[str, Any]:
    """Return the duration and usage of grading, which AgentV separates from those of answering."""
    tokens = {"input": result.usage.input_tokens, "output": result.usage.output_tokens}
    return {"duration_ms": json_number(Fraction(repr(result.duration)) * 1000), "token_usage": tokens}


def _fields(table: _Table, result: CaseResult) -> dict[str, Any]:
    return {name: value_of(result) for name, value_of in table.items()}


_FIELDS_4: _Table = {
    "suite": lambda result: result.dataset,
    "output": lambda result: result.candidate_answer,
    "execution_status": _execution_status,
    "assertions": lambda result: [
        assertion for evaluator in _ran(result.evaluators) for assertion in _assertions(evaluator)
    ],
    "scores": lambda result: _graders(result.evaluators, has_reasons=False),
    "eval_run": _eval_run,
}
_FIELDS_5: _Table = {
    **_FIELDS_4,
    "scores": lambda result: _graders(result.evaluators, has_reasons=True),
    "pass": lambda result: None if result.verdict is None else result.verdict is Verdict.PASS,
    "reason": lambda result: result.error or result.reasoning,
    "named_scores": lambda result: _named_scores(result.evaluators),
    "component_results": lambda result: [_component(evaluator) for evaluator in _ran(result.evaluators)],
}
AGENTV_4 = partial(_fields, _FIELDS_4)
AGENTV_5 = partial(_fields, _FIELDS_5)
