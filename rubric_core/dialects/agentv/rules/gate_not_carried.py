"""
## What it does
Finds a criterion with `required: true` or a `min_score` that weighs so little that its test can pass without it.

## Why is this bad?
In AgentV such a gate fails the assertion, but the test only gets the assertion's score: a required criterion with a
tenth of the weight leaves 0.9, and the test passes. AgentV's documentation says otherwise. `rubric grade` fails the
test, so the two disagree. `required: true` and `min_score` of the assertion fail the test in both.

Only gates that are written are looked at, and each list is reported once.

## Example
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - type: llm-rubric
        value:
          - {id: port, outcome: Names port 8080, weight: 1, required: true}
          - {id: reason, outcome: Gives a reason, weight: 9, required: false}
```

Use instead:
```yaml
prompts: ["{{ input }}"]
tests:
  - id: port
    vars: {input: Which port?}
    assert:
      - type: llm-rubric
        required: true
        min_score: 0.91
        value:
          - {id: port, outcome: Names port 8080, weight: 1, required: true}
          - {id: reason, outcome: Gives a reason, weight: 9, required: false}
```

## Fix safety
The fix adds `required: true` and the lowest `min_score` that the assertion cannot reach without the criterion. The
other criteria have to reach it as well, so the fix is unsafe.
"""

from decimal import Decimal
from fractions import Fraction
from functools import partial
from math import ceil, floor

from rubric_core.rules.rule import Context, Fix, Problem, Problems, Rule, Severity, Subject
from rubric_core.schema.scales import HIGHEST, LOWEST, PASS_MARK_DECIMAL
from rubric_core.syntax.edits import insert_key
from rubric_core.syntax.nodes import Pair
from rubric_core.syntax.scalars import as_boolean
from rubric_core.text.spans import Edit
from rubric_core.views.cases import CaseView
from rubric_core.views.criteria import ONE, CriterionView, weight_of
from rubric_core.views.evaluators import EvaluatorsView, EvaluatorView
from rubric_core.views.judging_parts import gate_of, own_pass_mark

_HUNDRED = 100
_Gate = tuple[CriterionView, Pair]


def check(case: CaseView, context: Context) -> Problems:
    for evaluators in case.evaluators:
        for evaluator in evaluators.evaluators if evaluators.composite is None else ():
            gates = _gates(evaluator)
            problem = _not_carried(gates, evaluator, evaluators, case, context) if gates else None
            if problem is not None:
                yield problem


def _not_carried(
    gates: list[_Gate], evaluator: EvaluatorView, evaluators: EvaluatorsView, case: CaseView, context: Context
) -> Problem | None:
    readable = evaluator.criteria.readable if evaluator.criteria is not None else []
    weights = [criterion.weight for criterion in readable]
    total = HIGHEST * sum(weight for weight in weights if weight is not None)
    negate = evaluator.node.get("negate")
    if not total or None in weights or (negate is not None and as_boolean(negate, context.version) is True):
        return None
    own_mark = own_pass_mark(case)
    pass_mark = own_mark if own_mark is not None else context.suite.inherited.pass_mark or PASS_MARK_DECIMAL
    texts = len(evaluators.criteria.criteria) if evaluators.criteria is not None else 0
    every = sum((_weight(other, context) for other in evaluators.evaluators), start=Decimal(texts))
    own = _weight(evaluator, context)
    least = gate_of(evaluator, context.version, pass_mark)
    points = [_points(criterion) for criterion, _ in gates]
    for (criterion, pair), lost in zip(gates, points, strict=True):
        fails_test = own * lost > (1 - pass_mark) * every * total
        fails_assertion = least is not None and lost > (1 - least) * total
        if fails_test or fails_assertion or not lost:
            continue
        needed = _above(1 - Fraction(min(filter(None, points))) / Fraction(total))
        return RULE.at(
            pair.key,
            f"In {case.dialect.tool} the test can pass although `{criterion.identifier}` fails, which `rubric grade` "
            f"does not allow; add `required: true` and `min_score: {needed}` to the assertion.",
            fixes=partial(_fixes, context.text, evaluator, needed),
        )
    return None


def _gates(evaluator: EvaluatorView) -> list[_Gate]:
    """Return the criteria whose gate is written, each with its key."""
    criteria = evaluator.criteria
    readable = criteria.readable if criteria is not None and not criteria.is_single else ()
    candidates = [criterion for criterion in readable if criterion.required or criterion.gate is not None]
    return [(criterion, pair) for criterion in candidates if (pair := _gate_of(criterion)) is not None]


def _gate_of(criterion: CriterionView) -> Pair | None:
    if criterion.bands is not None and criterion.gate is not None and criterion.minimum is not None:
        return criterion.gate
    counts = criterion.required and (criterion.bands is None or criterion.dialect.table.gates.of_required)
    return criterion.pair("required") if counts else None


def _points(criterion: CriterionView) -> Decimal:
    """Return the fewest points that a failing criterion loses: its weight for each score below the highest."""
    highest = LOWEST
    if criterion.bands is not None:
        minimum = criterion.minimum if criterion.minimum is not None else HIGHEST
        highest = ceil(minimum) - 1
    return (criterion.weight or 0) * Decimal(HIGHEST - highest)


def _above(score: Fraction) -> str:
    """Return the lowest number with two decimal places that is above a score."""
    return f"{min(Decimal(1), Decimal(floor(score * _HUNDRED) + 1) / _HUNDRED).normalize():f}"


def _weight(evaluator: EvaluatorView, context: Context) -> Decimal:
    weight = weight_of(evaluator.node, context.version)
    return ONE if weight is None else weight


def _fixes(text: str, evaluator: EvaluatorView, needed: str) -> list[Fix | None]:
    node, after = evaluator.node, evaluator.type_pair
    if after is None or "min_score" in node.index or "required" in node.index:
        return []
    required = insert_key(text, node, "required", value=True, after=after)
    minimum = insert_key(text, node, "min_score", Decimal(needed), after=after)
    if required is None or minimum is None:
        return []
    both = Edit(required.start, required.end, required.text + minimum.text)
    return [Fix(f"Add `required: true` and `min_score: {needed}`", (both,))]


RULE = Rule("RB712", "gate-not-carried", Severity.HINT, Subject.CASE, check, fixes_are_safe=False)
