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

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.rules.problem import Fix, Problem, Severity
from rubric_core.rules.rule import Rule, Subject
from rubric_core.syntax.edits import remove_pair, replace_node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.rules.context import Context
    from rubric_core.syntax.nodes import Pair
    from rubric_core.views.criteria import CriterionView


def check(criterion: CriterionView, context: Context) -> Iterator[Problem]:
    """Report a gate that no score fails, at its number."""
    if criterion.bands is None or criterion.minimum != 0:
        return
    pair = criterion.pair("required_min_score")
    if pair is not None:
        yield RULE.at(
            pair.value,
            "No score is below 0, so this gate never fails; raise it, or remove it.",
            fixes=lambda: _fixes(context.text, criterion, pair),
        )


def _fixes(text: str, criterion: CriterionView, pair: Pair) -> list[Fix]:
    fixes: list[Fix] = []
    removal = remove_pair(text, criterion.fields, pair) if criterion.fields is not None else None
    if removal is not None:
        fixes.append(Fix("Remove `required_min_score`", (removal,), safe=True))
    edges = (
        [extent[0] for band in criterion.bands.bands if (extent := band.extent) is not None] if criterion.bands else []
    )
    second = min((edge for edge in edges if edge > 0), default=None)
    if second is not None:
        fixes.append(Fix(f"Raise to {second}, where the second band starts", (replace_node(pair.value, str(second)),)))
    return fixes


RULE = Rule("RB302", "ineffective-gate", Severity.WARNING, Subject.GATE, check, fixes_are_safe=True)
