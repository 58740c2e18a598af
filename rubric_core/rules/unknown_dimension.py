"""
## What it does
Finds a weight of a scorecard for something that is not one of the seven dimensions: correctness, completeness,
adherence, actionability, efficiency, safety, consistency.

## Why is this bad?
Answers are scored on the seven dimensions only. A weight for anything else counts nowhere, and the dimension that was
meant has none.

## Example
```yaml
weights:
  corectness: 0.25
  completeness: 0.20
  adherence: 0.15
  actionability: 0.15
  efficiency: 0.10
  safety: 0.10
  consistency: 0.05
```

Use instead:
```yaml
weights:
  correctness: 0.25
  completeness: 0.20
  adherence: 0.15
  actionability: 0.15
  efficiency: 0.10
  safety: 0.10
  consistency: 0.05
```

## Fix safety
The fix writes the dimension that is nearest to the unknown word and has no weight yet. It is a guess, so the fix is
unsafe.
"""

from functools import partial

from rubric_core.rules.messages import rename_key_fix
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.schema.suggest import closest
from rubric_core.syntax.nodes import Pair
from rubric_core.views.scorecards import ScorecardView

_LIST = ", ".join(f"`{name}`" for name in DIMENSIONS)


def check(scorecard: ScorecardView, _context: Context) -> Problems:
    for pair in scorecard.unknown_dimensions:
        meant = meant_dimension(pair, scorecard)
        what = f"`{pair.name}`" if pair.name is not None else "This key"
        advice = f"did you mean `{meant}`?" if meant else f"the dimensions are {_LIST}."
        fixes = partial(rename_key_fix, pair, meant) if meant else None
        yield RULE.at(pair.key, f"{what} is not one of the seven dimensions; {advice}", fixes=fixes)


def meant_dimension(pair: Pair, scorecard: ScorecardView) -> str | None:
    """Return the dimension that a misspelt key means, among those without a key."""
    if pair.name is None or scorecard.weights is None:
        return None
    return closest(pair.name, [name for name in DIMENSIONS if name not in scorecard.weights.index])


RULE = Rule("RB602", "unknown-dimension", Severity.ERROR, Subject.SCORECARD, check, fixes_are_safe=False)
