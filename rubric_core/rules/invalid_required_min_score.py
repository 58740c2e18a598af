"""
## What it does
Finds a `required_min_score` that is not an integer from 0 to 10, or that is left empty.

## Why is this bad?
The judge gives integers from 0 to 10. A minimum on another scale fails everything or nothing: 0.7 is reached by a
score of 1, and 70 is reached by no score. An empty one looks like a gate and is none.

## Example
```yaml
rubrics:
  - id: correctness
    required_min_score: 0.7
    score_ranges:
      0: Names no port
      4: Names a wrong port
      7: Names port 8080
```

Use instead:
```yaml
rubrics:
  - id: correctness
    required_min_score: 7
    score_ranges:
      0: Names no port
      4: Names a wrong port
      7: Names port 8080
```

## Fix safety
The fixes write the integer that is probably meant: a fraction from 0 to 1 times ten, a percentage divided by ten,
another fraction rounded up (no integer below it reaches it), a quoted number without its quotes, or 10 for what is
above. All of them are guesses and unsafe, as is removing the key where there is nothing to guess from.
"""

from decimal import ROUND_CEILING, Decimal

from rubric_core.rules.messages import removal
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.edits import replace_node
from rubric_core.syntax.nodes import Node, Pair, Scalar
from rubric_core.syntax.scalars import is_blank, is_null, number_in
from rubric_core.views.criteria import CriterionView

_PERCENT = 100


def check(criterion: CriterionView, context: Context) -> Problems:
    pair, gates = criterion.gate, criterion.dialect.table.gates
    if pair is None or criterion.minimum is not None:
        return
    if is_blank(pair.value):
        yield RULE.at(
            pair.key if is_null(pair.value) else pair.value,
            f"`{pair.name}` is empty, so no score fails the case; write {gates.in_words}, or remove it.",
            fixes=lambda: _fixes(context.text, criterion, pair, []),
        )
        return
    guesses = [gates.written(score) for score in _scores(pair.value) if score >= gates.lowest]
    remedy = f"{guesses[0]} is probably meant" if guesses else "write such a number"
    yield RULE.at(
        pair.value,
        f"`{pair.name}` must be {gates.in_words}; {remedy}.",
        fixes=lambda: _fixes(context.text, criterion, pair, guesses),
    )


def _scores(node: Node) -> list[int]:
    """Return the scores that may be meant, the likeliest first."""
    written = node.value.strip() if isinstance(node, Scalar) else ""
    value, is_percent = number_in(written.rstrip("% ")), written.endswith("%")
    if value is None or not value.is_finite() or value < LOWEST:
        return []
    meant: list[Decimal] = []
    if is_percent or (value > HIGHEST and value <= _PERCENT and value % HIGHEST == 0):
        meant.append(value / HIGHEST)
    elif 0 <= value <= 1 and "." in written:
        meant.append(value * HIGHEST)
    # The integer above a fraction below 1 is always 1, which is never meant.
    if not is_percent and (value >= 1 or value == LOWEST):
        meant.append(min(value, Decimal(HIGHEST)))
    rounded = [int(number.to_integral_value(ROUND_CEILING)) for number in meant]
    return [number for number in dict.fromkeys(rounded) if LOWEST <= number <= HIGHEST]


def _fixes(text: str, criterion: CriterionView, pair: Pair, guesses: list[str]) -> list[Fix | None]:
    changes = [Fix.of(f"Change to {number}", replace_node(pair.value, number)) for number in guesses]
    return changes or [removal(text, criterion.fields, pair)]


RULE = Rule("RB207", "invalid-required-min-score", Severity.ERROR, Subject.GATE, check, fixes_are_safe=False)
