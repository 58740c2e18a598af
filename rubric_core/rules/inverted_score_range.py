"""
## What it does
Finds a score range whose first bound is above its second.

## Why is this bad?
No score is at least 5 and at most 3. A loader that takes the bounds as they are written gives the text to no score
at all.

## Example
```yaml
score_ranges:
  - score_range: [4, 0]
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
The fix swaps the two bounds. There is no other way to read them, so it is safe.
"""

from functools import partial

from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import replace_node
from rubric_core.views.bands import Band, BandsView


def check(bands: BandsView, context: Context) -> Problems:
    for band in bands.bands:
        if band.is_inverted:
            yield RULE.at(
                band.place,
                f"The range starts at {band.lower} and ends at {band.upper}; write [{band.upper}, {band.lower}].",
                fixes=partial(_fixes, band, context.text),
            )


def _fixes(band: Band, text: str) -> list[Fix]:
    first, second = band.lower_node, band.upper_node
    if first is None or second is None or first.origin or second.origin:
        return []
    edits = (replace_node(first, text[second.start : second.end]), replace_node(second, text[first.start : first.end]))
    return [Fix(f"Swap {band.lower} and {band.upper}", edits, safe=True)]


RULE = Rule("RB104", "inverted-score-range", Severity.ERROR, Subject.COVERAGE, check, fixes_are_safe=True)
