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

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

from rubric_core.rules.messages import in_words, name_of
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.edits import replace_node
from rubric_core.syntax.nodes import Node
from rubric_core.views.bands import Band, BandsView, extent_of


def check(bands: BandsView, _context: Context) -> Problems:
    if not bands.is_readable:
        return
    for earlier, later in _overlapping(bands.bands):
        (low, low_end), (high, high_end) = extent_of(earlier), extent_of(later)
        shared = max(low, high), min(low_end, high_end)
        scores = f"{'score' if shared[0] == shared[1] else 'scores'} {in_words(*shared)}"
        yield RULE.at(
            later.place,
            f"This range and {name_of(earlier)} both cover {scores}; let each score belong to one range.",
            related=[(earlier.place, f"The other range that covers {scores}.")],
            fixes=partial(_fixes, earlier, later),
        )


def _overlapping(bands: Sequence[Band]) -> Iterator[tuple[Band, Band]]:
    """Yield the pairs of bands that share a score, by the later one.

    At most as many earlier bands are named as there are scores: otherwise a list of a thousand ranges would have half a
    million problems.
    """
    covering: list[list[int]] = [[] for _ in range(LOWEST, HIGHEST + 1)]
    for number, later in enumerate(bands):
        if later.extent is None:
            continue
        same_scores = covering[later.extent[0] - LOWEST : later.extent[1] - LOWEST + 1]
        yield from ((bands[other], later) for other in sorted({*chain(*same_scores)})[: len(covering)])
        for earlier in same_scores:
            if len(earlier) < len(covering):
                earlier.append(number)


def _fixes(earlier: Band, later: Band) -> list[Fix | None]:
    """Shrink the range that starts lower, or else the other one, until they do not overlap; neither becomes empty."""
    below, above = sorted((earlier, later), key=extent_of)
    (low, low_end), (high, high_end) = extent_of(below), extent_of(above)
    # The other bound stays as it is written, also where it is outside of the scale.
    return [
        _shrink(below, below.high_node, high - 1, _written(below)[0]) if low < high else None,
        _shrink(above, above.low_node, low_end + 1, _written(above)[1]) if low_end < high_end else None,
    ]


def _written(band: Band) -> list[int]:
    """Return the bounds of a band as they are written, the smaller one first."""
    return sorted((band.lower or LOWEST, band.upper or LOWEST))


def _shrink(band: Band, node: Node | None, bound: int, other: int) -> Fix | None:
    """Change one bound of a range; the other one stays. A map has no upper bounds to change."""
    if node is None or node.origin or band.upper_node is None:
        return None
    left = in_words(*sorted((bound, other)))
    return Fix(f"Shrink {name_of(band)} to {left}", (replace_node(node, str(bound)),))


RULE = Rule("RB101", "overlapping-score-ranges", Severity.ERROR, Subject.COVERAGE, check, fixes_are_safe=False)
