"""
## What it does
Finds two score ranges of one criterion that share a score.

## Why is this bad?
A judge that gives a shared score can mean either text, so the score says nothing about the answer. Sharing an
endpoint is an overlap too: both bounds belong to a range.

## Example
```yaml
score_ranges:
  - score_range: [0, 5]
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
The fixes shrink the range below or the range above. Either changes which scores a text stands for, so both are
unsafe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.rules.problem import Fix, Problem, Severity
from rubric_core.rules.rule import Rule, Subject
from rubric_core.syntax.edits import replace_node
from rubric_core.views.bands import Form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.rules.context import Context
    from rubric_core.text.spans import Edit
    from rubric_core.views.bands import Band
    from rubric_core.views.criteria import CriterionView


def check(criterion: CriterionView, _context: Context) -> Iterator[Problem]:
    """Report each pair of ranges that share a score, at the later range."""
    bands = criterion.bands
    if bands is None or not bands.is_readable:
        return
    for number, later in enumerate(bands.bands):
        for earlier in bands.bands[:number]:
            shared = _shared(earlier, later)
            if shared is None:
                continue
            low, high = shared
            scores = f"score {low}" if low == high else f"scores {low}-{high}"
            yield RULE.at(
                later.place,
                f"This range and {earlier.lower}-{earlier.upper} both cover {scores}; let each score belong to one range.",
                related=[(earlier.place, f"The other range that covers {scores}.")],
                fixes=(lambda earlier=earlier, later=later: _fixes(earlier, later)) if bands.form is Form.ARRAY else None,
            )


def _shared(first: Band, second: Band) -> tuple[int, int] | None:
    """Return the lowest and highest score that two bands share."""
    one, other = first.extent, second.extent
    if one is None or other is None:
        return None
    low, high = max(one[0], other[0]), min(one[1], other[1])
    return (low, high) if low <= high else None


def _fixes(earlier: Band, later: Band) -> list[Fix]:
    """Shrink the range that starts lower, or the other one, until they do not touch."""
    below, above = sorted((earlier, later), key=lambda band: band.extent or (0, 0))
    if below.extent is None or above.extent is None or below.upper_node is None or above.lower_node is None:
        return []
    fixes: list[Fix] = []
    if below.extent[0] < above.extent[0]:
        new = above.extent[0] - 1
        fixes.append(_fix(below, below.extent[0], new, replace_node(below.upper_node, str(new))))
    if below.extent[1] < above.extent[1]:
        new = below.extent[1] + 1
        fixes.append(_fix(above, new, above.extent[1], replace_node(above.lower_node, str(new))))
    return fixes


def _fix(band: Band, low: int, high: int, edit: Edit) -> Fix:
    return Fix(f"Shrink {band.lower}-{band.upper} to {low}-{high}", (edit,))


RULE = Rule("RB101", "overlapping-score-ranges", Severity.ERROR, Subject.BANDS, check, fixes_are_safe=False)
