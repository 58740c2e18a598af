"""
## What it does
Finds a bound of a score range that is below 0 or above 10.

## Why is this bad?
A judge gives scores from 0 to 10. A range that goes further promises a score that nobody can give, which is often a
sign that the file was written for another scale.

## Example
```yaml
score_ranges:
  - score_range: [0, 4]
    expected_outcome: Wrong or incomplete
  - score_range: [5, 100]
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
The fix moves the bound to 0 or 10. On another scale the other bounds are wrong as well, so the fix is unsafe.
"""

from functools import partial

from rubric_core.rules.messages import as_written, one_edit
from rubric_core.rules.rule import Context, Problem, Problems, Rule, Severity, Subject
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.entries import change_integer
from rubric_core.syntax.nodes import Node
from rubric_core.views.bands import BandsView


def check(bands: BandsView, context: Context) -> Problems:
    for band in bands.bands:
        # The upper bound of a map comes from the next key.
        for bound, node in ((band.lower, band.lower_node), (band.upper, band.upper_node)):
            if bound is not None and node is not None and not LOWEST <= bound <= HIGHEST:
                yield _problem(bound, node, as_written(context.text, node))


def _problem(bound: int, node: Node, written: str) -> Problem:
    nearest, side = (LOWEST, "below") if bound < LOWEST else (HIGHEST, "above")
    return RULE.at(
        node,
        f"{written} is {side} {nearest}; scores are integers from {LOWEST} to {HIGHEST}.",
        fixes=partial(one_edit, f"Change {written.strip('`')} to {nearest}", change_integer, node, nearest),
    )


RULE = Rule("RB102", "score-out-of-bounds", Severity.ERROR, Subject.COVERAGE, check, fixes_are_safe=False)
