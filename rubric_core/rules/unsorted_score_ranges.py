"""
## What it does
Finds score ranges that are not in the order of their scores.

## Why is this bad?
Ranges from the worst to the best read like a scale, and a gap or an overlap is seen at once. Out of order they take
a second look. The score itself does not suffer.

## Example
```yaml
score_ranges:
  5: Names the port that the server listens on
  0: Names no port
```

Use instead:
```yaml
score_ranges:
  0: Names no port
  5: Names the port that the server listens on
```

## Fix safety
The fix sorts the ranges. A comment directly above a range or at the end of its line travels with it; where it is
unclear which range a comment speaks of, there is no fix. The meaning stays the same, so the fix is safe.
"""

from itertools import pairwise

from rubric_core.rules.messages import name_of
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.syntax.entries import sort_entries
from rubric_core.syntax.nodes import Mapping, Sequence
from rubric_core.views.bands import Band, BandsView


def check(bands: BandsView, context: Context) -> Problems:
    if not bands.is_readable or not isinstance(bands.node, (Mapping, Sequence)):
        return
    node = bands.node
    if node.meta is not None and node.meta.merges:
        # Merged keys come behind all others, wherever the merge is, so their order is not the author's.
        return
    for before, band in pairwise(bands.bands):
        if _lowest_score(band) < _lowest_score(before):
            yield RULE.at(
                band.place,
                f"The range {name_of(band)} stands behind {name_of(before)}; sort the ranges from low to high.",
                fixes=lambda: _sort(node, bands.bands, context.text),
            )
            return


def _lowest_score(band: Band) -> int:
    return min(band.lower or 0, band.upper or 0)


def _sort(node: Mapping | Sequence, bands: list[Band], text: str) -> list[Fix]:
    edits = sort_entries(text, node, [band.whole for band in sorted(bands, key=_lowest_score)])
    return [Fix("Sort the ranges", edits, safe=True)] if edits else []


RULE = Rule("RB109", "unsorted-score-ranges", Severity.HINT, Subject.COVERAGE, check, fixes_are_safe=True)
