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

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import partial
from typing import TYPE_CHECKING

from rubric_core.rules.problem import Fix, Problem, Severity
from rubric_core.rules.range_words import as_written
from rubric_core.rules.rule import Rule, Subject
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.edits import replace_node
from rubric_core.syntax.entries import change_integer
from rubric_core.syntax.nodes import Node, Scalar, ScalarStyle
from rubric_core.syntax.scalars import as_number
from rubric_core.views.bands import Flaw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.rules.context import Context
    from rubric_core.syntax.scalars import YamlVersion
    from rubric_core.text.spans import Edit
    from rubric_core.views.criteria import CriterionView


def check(criterion: CriterionView, context: Context) -> Iterator[Problem]:
    """Report each bound that is a fraction, a text or nothing."""
    bands = criterion.bands
    if bands is None:
        return
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
    number = _number(node, context.version)
    if number is None:
        return []
    down, up = (int(number.to_integral_value(rounding)) for rounding in (ROUND_FLOOR, ROUND_CEILING))
    nearest_first = (down, up) if number - down < up - number else (up, down)
    written = as_written(context.text, node).strip("`")
    title = "Write {} as {}" if down == up else "Round {} to {}"
    return [
        Fix(title.format(written, score), (_edit(node, score, is_key=is_key),))
        for score in dict.fromkeys(nearest_first)
        if LOWEST <= score <= HIGHEST
    ]


def _number(node: Node, version: YamlVersion) -> Decimal | None:
    """Return the number that a bound means, in quotes or not; None for words, and for what is far off the scale."""
    written = node.value.strip() if isinstance(node, Scalar) else ""
    number = as_number(Scalar(node.start, node.end, written, ScalarStyle.PLAIN), version)
    if number is None or not number.is_finite() or not LOWEST - 1 < number < HIGHEST + 1:
        return None
    return number


def _edit(node: Node, score: int, *, is_key: bool) -> Edit:
    return change_integer(node, score) if is_key else replace_node(node, str(score))


RULE = Rule("RB105", "non-integer-score", Severity.ERROR, Subject.COVERAGE, check, fixes_are_safe=False)
