"""
## What it does
Finds `required_min_score: 0`.

## Why is this bad?
Scores start at 0, so no answer is ever below it: the gate is always open.

## Example
```yaml
rubrics:
  - id: correctness
    required_min_score: 0
    score_ranges:
      0: Names no port
      4: Names a wrong port
      7: Names port 8080
```

Use instead:
```yaml
rubrics:
  - id: correctness
    required_min_score: 4
    score_ranges:
      0: Names no port
      4: Names a wrong port
      7: Names port 8080
```

## Fix safety
Removing the gate is safe, since it has no effect. Raising it to the lower edge of the second band makes it work, which
changes verdicts and is unsafe.
"""

from rubric_core.rules.messages import removal
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import replace_node
from rubric_core.syntax.nodes import Pair
from rubric_core.views.criteria import CriterionView


def check(criterion: CriterionView, context: Context) -> Problems:
    pair = criterion.gate
    if criterion.bands is not None and criterion.minimum == 0 and pair is not None:
        yield RULE.at(
            pair.value,
            "No score is below 0, so this gate never fails; raise it, or remove it.",
            fixes=lambda: _fixes(context.text, criterion, pair),
        )


def _fixes(text: str, criterion: CriterionView, pair: Pair) -> list[Fix | None]:
    fixes = [removal(text, criterion.fields, pair, safe=True)]
    second = min(criterion.bands.edges if criterion.bands is not None else (), default=None)
    if second is not None:
        fixes.append(Fix(f"Raise to {second}, where the second band starts", (replace_node(pair.value, str(second)),)))
    return fixes


RULE = Rule("RB302", "ineffective-gate", Severity.WARNING, Subject.GATE, check, fixes_are_safe=True)
