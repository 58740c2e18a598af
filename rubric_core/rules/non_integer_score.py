"""
## What it does
Finds a bound of a score range that is not an integer.

## Why is this bad?
Scores are integers from 0 to 10. A bound of 2.5 leaves open which range the scores around it belong to, and a bound in
quotes is text, not a number. While such a bound stands there, nobody can tell whether the ranges overlap or leave
scores out.

## Example
```yaml
score_ranges:
  - score_range: [0, 4.5]
    expected_outcome: Wrong or incomplete
  - score_range: [5, 10]
    expected_outcome: Right
```

Use instead:
```yaml
score_ranges:
  - score_range: [0, 4]
    expected_outcome: Wrong or incomplete
  - score_range: [5, 10]
    expected_outcome: Right
```

## Fix safety
The fixes round the number up or down, or take the quotes off. Rounding decides which scores the text stands for, so
the fixes are unsafe.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR
from functools import partial

from rubric_core.rules.messages import as_written
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.edits import replace_node
from rubric_core.syntax.entries import change_integer
from rubric_core.syntax.nodes import Node, Scalar
from rubric_core.syntax.scalars import number_in
from rubric_core.views.bands import BandsView, Flaw


def check(bands: BandsView, context: Context) -> Problems:
    for band in bands.bands:
        for flaw, node in band.flaws:
            if flaw is Flaw.NOT_INTEGER:
                yield RULE.at(
                    node,
                    f"{as_written(context.text, node)} is not an integer; "
                    f"a bound of a range is an integer from {LOWEST} to {HIGHEST}.",
                    fixes=partial(_fixes, node, context, is_key=band.upper_node is None),
                )


def _fixes(node: Node, context: Context, *, is_key: bool) -> list[Fix]:
    """Round to the nearest integer first, then to the other side: which one fits depends on the neighbours."""
    number = number_in(node.value.strip(), context.version) if isinstance(node, Scalar) else None
    # Words and numbers far off the scale are no scores.
    if number is None or not number.is_finite() or not LOWEST - 1 < number < HIGHEST + 1:
        return []
    down, up = (int(number.to_integral_value(rounding)) for rounding in (ROUND_FLOOR, ROUND_CEILING))
    nearest_first = (down, up) if number - down < up - number else (up, down)
    written = as_written(context.text, node).strip("`")
    title = "Write {} as {}" if down == up else "Round {} to {}"
    return [
        Fix(title.format(written, score), (change_integer(node, score) if is_key else replace_node(node, str(score)),))
        for score in dict.fromkeys(nearest_first)
        if LOWEST <= score <= HIGHEST
    ]


RULE = Rule("RB105", "non-integer-score", Severity.ERROR, Subject.COVERAGE, check, fixes_are_safe=False)
