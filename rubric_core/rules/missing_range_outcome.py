"""
## What it does
Finds a score range without a text that says what an answer in it is like. A blank text counts as none.

## Why is this bad?
The text is all that a judge has to decide between one range and the next. Without it the score is a guess.

## Example
```yaml
score_ranges:
  0: Names no port
  5:
```

Use instead:
```yaml
score_ranges:
  0: Names no port
  5: Names the port that the server listens on
```

## Fix safety
The fix inserts a text that starts with `TODO`. Only you know what the range should say, so the fix is unsafe.
"""

from functools import partial

from rubric_core.rules.messages import name_of, place_of_missing, placeholder
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import insert_key, render, replace_node
from rubric_core.syntax.nodes import Mapping, Node
from rubric_core.syntax.scalars import is_blank, is_null
from rubric_core.views.bands import Band, BandsView
from rubric_core.views.texts import has_other_text


def check(bands: BandsView, context: Context) -> Problems:
    for band in bands.bands:
        if band.outcome is None or is_blank(band.outcome):
            name = f"The range {name_of(band)}" if band.lower is not None and band.upper is not None else "The range"
            yield RULE.at(
                _place(band),
                f"{name} has no text; say what an answer with such a score is like.",
                fixes=partial(_insert_text, band, context.text, context.suite.dialect.range_text_keys),
            )


def _place(band: Band) -> Node:
    pair = band.outcome_pair
    if isinstance(band.whole, Mapping):
        return place_of_missing(band.whole, pair)
    return band.place if pair is None or is_null(pair.value) else pair.value


def _insert_text(band: Band, text: str, keys: tuple[str, ...]) -> list[Fix | None]:
    """Fill the empty text, or add the field to an item that does not have it."""
    new = placeholder(*band.extent) if band.extent is not None else "TODO: describe an answer in this range"
    item, pair = band.whole, band.outcome_pair
    if isinstance(item, Mapping) and has_other_text(item, keys):
        return []
    edit = insert_key(text, item, keys[0], new, after=band.pair) if isinstance(item, Mapping) else None
    return [Fix.of("Insert a text to fill in", replace_node(pair.value, render(new)) if pair is not None else edit)]


RULE = Rule("RB107", "missing-range-outcome", Severity.ERROR, Subject.TEXTS, check, fixes_are_safe=False)
