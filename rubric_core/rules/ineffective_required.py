"""
## What it does
Finds `required` on a criterion that has `score_ranges`.

## Why is this bad?
`required` asks whether a criterion is met, and a criterion with score ranges is not met or missed: it has a score. So
`required` never fails such a case, and a gate that its author counts on is not there. `required_min_score` is that
gate.

## Example
```yaml
rubrics:
  - id: correctness
    required: true
    score_ranges:
      0: Names no port
      3: Names a wrong port
      6: Names port 8080
```

Use instead:
```yaml
rubrics:
  - id: correctness
    required_min_score: 6
    score_ranges:
      0: Names no port
      3: Names a wrong port
      6: Names port 8080
```

## Fix safety
`required: true` becomes `required_min_score`, at the lower edge of the band that holds score 6, the least that is
not a `fail` by itself; where that edge is 0, at the lower edge of the band above. This adds a gate and is unsafe: see
whether the number is the one you want. Removing `required` is safe, since it has no effect; it is offered where the
value is `false` and where `required_min_score` is there already.
"""

from rubric_core.rules.messages import removal
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import rename_key, replace_node
from rubric_core.syntax.nodes import Pair
from rubric_core.syntax.scalars import is_blank
from rubric_core.views.bands import BandsView
from rubric_core.views.criteria import CriterionView

# A score of 6 out of 10 is 0.6, where `borderline` starts.
_LEAST_USEFUL_SCORE = 6


def check(criterion: CriterionView, context: Context) -> Problems:
    bands, pair = criterion.bands, criterion.pair("required")
    if bands is None or pair is None or is_blank(pair.value) or criterion.is_evaluator:
        return
    # In a dialect without gates there is nothing to write instead.
    has_gate = criterion.gate is not None or not criterion.dialect.gate_key
    if criterion.required and not has_gate and criterion.dialect.table.gates.of_required is not None:
        return
    remedy = "remove it" if has_gate or criterion.required is False else f"use `{criterion.dialect.gate_key}`"
    yield RULE.at(
        pair.key,
        f"`required` has no effect beside `score_ranges`; {remedy}.",
        fixes=lambda: _fixes(context.text, criterion, pair, bands, has_gate=has_gate),
    )


def _fixes(text: str, criterion: CriterionView, pair: Pair, bands: BandsView, *, has_gate: bool) -> list[Fix | None]:
    if criterion.required and not has_gate:
        key, gate = criterion.dialect.gate_key, criterion.dialect.table.gates.written(_gate(bands))
        return [Fix(f"Replace by `{key}: {gate}`", (rename_key(pair, key), replace_node(pair.value, gate)))]
    return [removal(text, criterion.fields, pair, safe=True)]


def _gate(bands: BandsView) -> int:
    """Return the lower edge of the band that holds the least useful score, but never 0, which is no gate."""
    at_or_below = [edge for edge in bands.edges if edge <= _LEAST_USEFUL_SCORE]
    return max(at_or_below) if at_or_below else min(bands.edges, default=_LEAST_USEFUL_SCORE)


RULE = Rule("RB205", "ineffective-required", Severity.WARNING, Subject.REQUIRED, check, fixes_are_safe=True)
