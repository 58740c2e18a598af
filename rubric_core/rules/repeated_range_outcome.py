"""
## What it does
Finds two score ranges of one criterion that have the same text. Case, and space around the text, make no difference.

## Why is this bad?
The text is all that a judge has to tell one range from the other. Where it is the same, the score between them is
chance.

## Example
```yaml
score_ranges:
  0: Names no port
  4: Names a port
  7: Names a port
```

Use instead:
```yaml
score_ranges:
  0: Names no port
  4: Names a port, but a wrong one
  7: Names the port that the server listens on
```
"""

from rubric_core.rules.messages import name_of
from rubric_core.rules.rule import Context, Problems, Rule, Severity, Subject
from rubric_core.syntax.nodes import Node
from rubric_core.syntax.scalars import is_text
from rubric_core.views.bands import Band, BandsView
from rubric_core.views.texts import holds_placeholder


def check(bands: BandsView, context: Context) -> Problems:
    first_uses: dict[str, tuple[Band, Node]] = {}
    for band in bands.bands:
        outcome = band.outcome
        if outcome is None or not band.comparable_text or not is_text(outcome, context.version):
            continue
        first, first_outcome = first_uses.setdefault(band.comparable_text, (band, outcome))
        # A placeholder is another problem.
        if first is not band and not holds_placeholder(outcome):
            yield RULE.at(
                outcome,
                f"{_names(first, band)} the same text; say what sets them apart, or make them one range.",
                related=[(first_outcome, "The first range with this text.")],
            )


def _names(first: Band, second: Band) -> str:
    if None in {first.lower, first.upper, second.lower, second.upper}:
        return "This range and an earlier one have"
    return f"The ranges {name_of(first)} and {name_of(second)} have"


RULE = Rule("RB110", "repeated-range-outcome", Severity.WARNING, Subject.TEXTS, check)
