"""
## What it does
Finds `required_min_score` on a criterion that has no `score_ranges`.

## Why is this bad?
Without score ranges the judge says whether a criterion is met; there is no score that could be too low. The gate of
such a criterion is `required`, which is true unless it says otherwise.

## Example
```yaml
rubrics:
  - id: names-port
    expected_outcome: Names port 8080
    required_min_score: 7
```

Use instead:
```yaml
rubrics:
  - id: names-port
    expected_outcome: Names port 8080
    required: true
```

## Fix safety
The fixes replace the key by `required: true`, where there is no `required` yet, or remove it. The verdict stays the
same, but the number may be a sign that score ranges are missing, so both are unsafe.
"""

from rubric_core.rules.messages import removal
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import rename_key, replace_node
from rubric_core.syntax.nodes import Pair
from rubric_core.syntax.scalars import is_blank
from rubric_core.views.criteria import CriterionView


def check(criterion: CriterionView, context: Context) -> Problems:
    pair = criterion.gate
    if criterion.bands is not None or pair is None or is_blank(pair.value):
        return
    yield RULE.at(
        pair.key,
        f"`{pair.name}` has no effect without `score_ranges`; use `required`, or add score ranges.",
        fixes=lambda: _fixes(context.text, criterion, pair),
    )


def _fixes(text: str, criterion: CriterionView, pair: Pair) -> list[Fix | None]:
    edits = (rename_key(pair, "required"), replace_node(pair.value, "true"))
    replacement = Fix("Replace by `required: true`", edits) if criterion.pair("required") is None else None
    return [replacement, removal(text, criterion.fields, pair)]


RULE = Rule("RB206", "ineffective-required-min-score", Severity.WARNING, Subject.GATE, check, fixes_are_safe=False)
