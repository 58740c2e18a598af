"""
## What it does
Finds weights that no score can be computed with: negative ones, `.nan` and `.inf`, and lists whose weights are all 0.
A single weight of 0 is a warning. This covers the weights of criteria, of evaluators and of the dimensions of a
scorecard.

## Why is this bad?
The score is the sum of the weighted results, divided by the sum of the weights. A negative weight rewards failure, an
infinite one or a sum of 0 leaves no number at all, and what has weight 0 is judged but never counts.

## Example
```yaml
rubrics:
  - id: correctness
    expected_outcome: Names port 8080
    weight: -2
  - id: style
    expected_outcome: Answers in one sentence
    weight: 1
```

Use instead:
```yaml
rubrics:
  - id: correctness
    expected_outcome: Names port 8080
    weight: 2
  - id: style
    expected_outcome: Answers in one sentence
    weight: 1
```

## Fix safety
The fixes drop the sign, or the whole key, so that the weight is 1. Both change the score and are unsafe. No fix is
offered for a dimension, because the weights of a scorecard must sum to 1.
"""

from collections.abc import Callable
from decimal import Decimal
from functools import partial

from rubric_core.rules.rule import Context, Fix, Problem, Problems, Rule, Severity, Subject
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.syntax.edits import remove_pair, replace_node
from rubric_core.syntax.nodes import Mapping, Pair
from rubric_core.syntax.scalars import as_number
from rubric_core.views.criteria import CriteriaView
from rubric_core.views.evaluators import EvaluatorsView
from rubric_core.views.scorecards import ScorecardView

# The `weight` of something, behind the mapping that it is in.
_Weight = tuple[Mapping, Pair]
IsValid = Callable[[Decimal], bool]


def check(is_valid: IsValid, criteria: CriteriaView, context: Context) -> Problems:
    if all(criterion.weight for criterion in criteria.readable):
        return
    owned = ((criterion.fields, criterion.pair("weight")) for criterion in criteria.readable)
    weights = [(fields, pair) for fields, pair in owned if fields and pair]
    if weights:
        is_whole = len(weights) == len(criteria.criteria)
        yield from _check_list(is_valid, criteria.pair, "criteria", weights, context, is_whole=is_whole)


def check_evaluators(is_valid: IsValid, evaluators: EvaluatorsView, context: Context) -> Problems:
    nodes = [evaluator.node for evaluator in evaluators.evaluators if evaluator.is_checked]
    weights = [(node, pair) for node in nodes if (pair := node.index.get("weight"))]
    if weights:
        is_whole = len(weights) == len(evaluators.evaluators) and evaluators.inline is None
        yield from _check_list(is_valid, evaluators.pair, "evaluators", weights, context, is_whole=is_whole)


def check_scorecard(scorecard: ScorecardView, context: Context) -> Problems:
    mapping = scorecard.weights
    if mapping is None:
        return
    for name in DIMENSIONS:
        pair = mapping.index.get(name)
        value = as_number(pair.value, context.version) if pair is not None else None
        if pair is not None and value is not None and not is_positive(value):
            yield _problem((mapping, pair), value, context, fixable=False)


def is_positive(weight: Decimal) -> bool:
    """Return whether a weight counts for the score."""
    return weight.is_finite() and weight > 0


def _check_list(  # noqa: PLR0913 - a list and what is allowed in it.
    is_valid: IsValid, pair: Pair, noun: str, weights: list[_Weight], context: Context, *, is_whole: bool
) -> Problems:
    """Report a list that sums to 0 once; in any other, each weight by itself."""
    # A weight that is no number is of the wrong type, which RB004 says.
    values = [as_number(pair.value, context.version) for _, pair in weights]
    wrong = [
        (weight, value)
        for weight, value in zip(weights, values, strict=True)
        if value is not None and not is_valid(value)
    ]
    if is_whole and len(wrong) == len(values) and not any(value for _, value in wrong):
        yield RULE.at(
            pair.key,
            f"The weights of these {noun} sum to 0, so there is no score; give at least one of them a weight above 0.",
        )
        return
    for weight, value in wrong:
        yield _problem(weight, value, context, fixable=True)


def _problem(weight: _Weight, value: Decimal, context: Context, *, fixable: bool) -> Problem:
    node = weight[1].value
    if value == 0:
        severity = Severity.WARNING
        message = "What has weight 0 is judged but never counts; raise the weight, or remove it."
    else:
        severity = Severity.ERROR
        kind = "negative" if value.is_finite() else "not a finite number"
        message = f"The weight {context.text[node.start : node.end]} is {kind}; write a number above 0."
    fixes = partial(_fixes, context.text, weight, value) if fixable else None
    return RULE.at(node, message, severity=severity, fixes=fixes)


def _fixes(text: str, weight: _Weight, value: Decimal) -> list[Fix | None]:
    """Drop the sign of a negative weight, or drop the weight."""
    owner, pair = weight
    node = pair.value
    written = text[node.start : node.end]
    is_negative = value.is_finite() and value < 0 and written.startswith("-")
    change = Fix(f"Change to {written[1:]}", (replace_node(node, written[1:]),)) if is_negative else None
    return [change, Fix.of("Remove `weight`, so that it is 1", remove_pair(text, owner, pair))]


def weight_rule(is_valid: IsValid) -> Rule:
    """Return the rule of a dialect, whose function decides what else may be a weight."""
    return Rule(
        "RB204",
        "invalid-weight",
        Severity.ERROR,
        Subject.KEYED,
        partial(check, is_valid),
        fixes_are_safe=False,
        also=((Subject.EVALUATORS, partial(check_evaluators, is_valid)), (Subject.SCORECARD, check_scorecard)),
    )


RULE = weight_rule(is_positive)
