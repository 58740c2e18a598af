"""
## What it does
Finds a scorecard whose seven weights do not sum to exactly 1.0. The sum is exact: `0.1` ten times is 1.0.

## Why is this bad?
The composite score is the weighted sum of the dimensions. It is on the same scale as they are, from 1 to 10, only if
the weights sum to 1.0; otherwise every grade is wrong.

Nothing is reported where a dimension is unknown or has no weight: then the sum is not the first thing to repair.

## Example
```yaml
weights:
  correctness: 0.40
  completeness: 0.20
  adherence: 0.15
  actionability: 0.10
  efficiency: 0.10
  safety: 0.10
  consistency: 0.05
```

Use instead:
```yaml
weights:
  correctness: 0.30
  completeness: 0.20
  adherence: 0.15
  actionability: 0.10
  efficiency: 0.10
  safety: 0.10
  consistency: 0.05
```

## Fix safety
The fix scales all weights so that they sum to 1.0. Where a quotient does not come out even it is rounded, so that
their proportions change a little. That may not be what was meant, so the fix is unsafe.
"""

from decimal import Decimal

from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import replace_node
from rubric_core.syntax.nodes import Mapping
from rubric_core.views.amounts import describe, exact_sum, scaled_to_one
from rubric_core.views.scorecards import ScorecardView


def check(scorecard: ScorecardView, _context: Context) -> Problems:
    weights, pair = scorecard.weights, scorecard.weights_pair
    if weights is None or pair is None or scorecard.unknown_dimensions or scorecard.missing_dimensions:
        return
    given = scorecard.given_weights
    total = exact_sum(given.values()) if given is not None else Decimal(1)
    if given is not None and total != 1:
        yield RULE.at(
            pair.key,
            f"These weights sum to {describe(total)}, not to 1.0; change them so that the sum is exactly 1.0.",
            fixes=lambda: _fixes(weights, given),
        )


def _fixes(weights: Mapping, given: dict[str, Decimal]) -> list[Fix]:
    nodes = {name: weights.index[name].value for name in given}
    # Text behind an alias may be used elsewhere, too.
    if any(node.origin is not None for node in nodes.values()):
        return []
    scaled = scaled_to_one(given)
    if scaled is None:
        return []
    edits = tuple(replace_node(nodes[name], f"{new:f}") for name, new in scaled.items() if new != given[name])
    return [Fix("Scale the weights to 1.0", edits)]


RULE = Rule("RB601", "weights-not-summing-to-one", Severity.ERROR, Subject.SCORECARD, check, fixes_are_safe=False)
