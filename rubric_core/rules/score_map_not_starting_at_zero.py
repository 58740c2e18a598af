"""
## What it does
Finds a map of score ranges whose smallest key is above 0.

## Why is this bad?
Each key is the lowest score of its range, and each range reaches up to the next key. Below the smallest key there is
no range at all, so the lowest scores mean nothing.

## Example
```yaml
score_ranges:
  3: Names the port, but a wrong one
  7: Names the right port
```

Use instead:
```yaml
score_ranges:
  0: Names no port
  3: Names the port, but a wrong one
  7: Names the right port
```

## Fix safety
The fixes change the key to 0, or insert a key 0 with a text to fill in. Only you know what the lowest scores should
mean, so both are unsafe.
"""

from decimal import Decimal

from rubric_core.rules.messages import in_words, placeholder
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.entries import change_integer, insert_entry, write_pair
from rubric_core.syntax.nodes import Mapping, Scalar
from rubric_core.syntax.scalars import number_in
from rubric_core.views.bands import Band, BandsView, Flaw, Form


def check(bands: BandsView, context: Context) -> Problems:
    if bands.form is not Form.MAP:
        return
    first = _first_band(bands, context)
    # A key outside of the scale is another problem.
    if first is None or first.lower is None or not LOWEST < first.lower <= HIGHEST:
        return
    smallest = first.lower
    missing = f"Scores {LOWEST}-{smallest - 1} have" if smallest > 1 else f"Score {LOWEST} has"
    yield RULE.at(
        first.place,
        f"{missing} no range, because the smallest key is {smallest}; change it to {LOWEST}, or add a key {LOWEST}.",
        fixes=lambda: _fixes(bands, first, smallest, context.text),
    )


def _first_band(bands: BandsView, context: Context) -> Band | None:
    """Return the band of the smallest key, or None if some key is not a number."""
    if any(band.flaw is Flaw.MALFORMED for band in bands.bands):
        return None
    return min(bands.bands, key=lambda band: _number(band, context), default=None)


def _number(band: Band, context: Context) -> Decimal:
    """Return the key as a number. It may be a fraction, which another rule reports."""
    if band.lower is not None:
        return Decimal(band.lower)
    key = band.place
    number = number_in(key.value, context.version) if isinstance(key, Scalar) else None
    return number if number is not None and not number.is_nan() else Decimal(LOWEST)


def _fixes(bands: BandsView, first: Band, smallest: int, text: str) -> list[Fix]:
    fixes = [Fix(f"Change {smallest} to {LOWEST}", (change_integer(first.place, LOWEST),))]
    node, pair = bands.node, first.outcome_pair
    if isinstance(node, Mapping) and pair is not None:
        written = write_pair(node, pair, LOWEST, placeholder(LOWEST, smallest - 1))
        title = f"Insert a range for {in_words(LOWEST, smallest - 1)}"
        fixes.append(Fix(title, insert_entry(text, node, pair, written, before=True)))
    return fixes


RULE = Rule("RB106", "score-map-not-starting-at-zero", Severity.ERROR, Subject.COVERAGE, check, fixes_are_safe=False)
