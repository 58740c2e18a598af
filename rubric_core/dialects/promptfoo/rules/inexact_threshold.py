"""
## What it does
Finds weights with which a test just misses its `threshold` because promptfoo adds them as binary fractions.

## Why is this bad?
With the weights 0.1, 0.7 and 0.2, a test whose first two assertions pass has the score 0.8. Promptfoo computes
0.7999999999999999 and reports that 0.80 is less than 0.8.

## Example
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    threshold: 0.8
    assert:
      - {type: contains, value: port, weight: 0.1}
      - {type: contains, value: "8080", weight: 0.7}
      - {type: is-json, weight: 0.2}
```

Use instead:
```yaml
prompts: ["{{ question }}"]
providers: [echo]
tests:
  - vars: {question: Which port?}
    threshold: 0.8
    assert:
      - {type: contains, value: port, weight: 1}
      - {type: contains, value: "8080", weight: 7}
      - {type: is-json, weight: 2}
```

## Fix safety
The fix multiplies all weights by the same power of 10. The shares stay the same, and the test passes where it should,
so the fix is unsafe.
"""

from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import product

from rubric_core.dialects.promptfoo.rules.judged import judged_case
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import replace_node
from rubric_core.syntax.scalars import as_number
from rubric_core.views.cases import CaseView
from rubric_core.views.criteria import weight_of
from rubric_core.views.evaluators import EvaluatorsView

# More assertions have too many combinations.
_MOST = 10


def check(case: CaseView, context: Context) -> Problems:
    written = case.node.get("threshold")
    threshold = as_number(written, case.version) if written is not None else None
    if threshold is None or written is None or not 0 < threshold <= 1 or judged_case(case, context).gets_more:
        return
    for view in case.evaluators:
        weights = _weights(view, case)
        if view.composite is None and weights and _misses(weights, threshold):
            shown = ", ".join(f"{weight:f}" for weight in _as_integers(weights))
            yield RULE.at(
                written,
                f"With these weights a score of exactly {threshold} is computed as less and fails; "
                f"write the weights {shown}.",
                fixes=partial(_fixes, view, weights),
            )


def _weights(view: EvaluatorsView, case: CaseView) -> list[Decimal]:
    """Return the weights of a list; none if one cannot be read or all are integers."""
    weights = [
        weight for assertion in view.evaluators if (weight := weight_of(assertion.node, case.version)) is not None
    ]
    is_whole = all(weight == weight.to_integral_value() for weight in weights)
    return [] if len(weights) != len(view.evaluators) or is_whole or len(weights) > _MOST else weights


def _misses(weights: list[Decimal], threshold: Decimal) -> bool:
    """Return whether some of the assertions reach the threshold exactly, but not in binary fractions."""
    total = sum(map(Fraction, weights))
    if not total:
        return False
    for passed in product((0, 1), repeat=len(weights)):
        exact = sum(Fraction(weight) for weight, counts in zip(weights, passed, strict=True) if counts)
        if exact / total == Fraction(threshold):
            score, weight_sum = 0.0, 0.0
            for weight, counts in zip(weights, passed, strict=True):
                score += counts * float(weight)
                weight_sum += float(weight)
            if score / weight_sum < float(threshold):
                return True
    return False


def _as_integers(weights: list[Decimal]) -> list[Decimal]:
    places = max(max(0, -int(weight.normalize().as_tuple().exponent)) for weight in weights)
    return [weight.scaleb(places).normalize() for weight in weights]


def _fixes(view: EvaluatorsView, weights: list[Decimal]) -> list[Fix]:
    pairs = [assertion.node.index.get("weight") for assertion in view.evaluators]
    if any(pair is None or pair.value.origin is not None for pair in pairs):
        return []
    edits = [
        replace_node(pair.value, f"{weight:f}")
        for pair, weight in zip(pairs, _as_integers(weights), strict=True)
        if pair is not None
    ]
    return [Fix("Write integers as weights", tuple(edits))]


RULE = Rule("RB809", "inexact-threshold", Severity.WARNING, Subject.CASE, check, fixes_are_safe=False)
