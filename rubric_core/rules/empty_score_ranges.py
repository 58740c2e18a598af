"""
## What it does
Finds `score_ranges` without a single range.

## Why is this bad?
A criterion with `score_ranges` is scored from 0 to 10, but here no score has a meaning. Judges make one up, each a
different one.

## Example
```yaml
score_ranges: []
```

Use instead:
```yaml
score_ranges:
  0: Names no port
  5: Names a wrong port
  9: Names the port that the server listens on
```

## Fix safety
The fix inserts four ranges with texts to fill in. They are only a start, so the fix is unsafe.
"""

import re

from rubric_core.rules.messages import placeholder
from rubric_core.rules.rule import Context, Fix, Problems, Rule, Severity, Subject
from rubric_core.syntax.edits import Data, column_of, insert_lines_after, is_json, render, replace_node
from rubric_core.syntax.scalars import is_null
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit
from rubric_core.views.bands import BandsView

_TEMPLATE = ((0, 2), (3, 5), (6, 8), (9, 10))
# A key without a value, and the indentation of the line below it.
_KEY_AND_BELOW = lazily(r"^([ ]*(?:-[ ]+)*)[\w\"']+:[ \t]*(?:#[^\r\n]*)?(?:\r\n?|\n)([ ]+)(?=[^ #\r\n])", re.MULTILINE)
_DASH = lazily(r"^[ ]*(-[ ]+)", re.MULTILINE)
_USUAL_STEP = 2


def check(bands: BandsView, context: Context) -> Problems:
    if not bands.is_empty or (bands.form is None and not is_null(bands.node)):
        return
    # The place is an alias that refers to nothing, or the key if there is no value.
    is_alias = bands.node.origin is not None and bands.pair.key.origin is None
    yield RULE.at(
        bands.pair.key if bands.form is None and not is_alias else bands.node,
        "`score_ranges` has no range; say what each score from 0 to 10 means.",
        fixes=lambda: [_insert_template(bands, context.text)],
    )


def _insert_template(bands: BandsView, text: str) -> Fix:
    title = "Insert four ranges to fill in"
    if bands.owner is not None and bands.owner.flow:
        texts: dict[str | int, Data] = {low: placeholder(low, high) for low, high in _TEMPLATE}
        return Fix(title, (replace_node(bands.node, render(texts, flow=True, as_json=is_json(bands.owner))),))
    key = bands.pair.key
    indent = " " * (column_of(text, key.start) + _indentation_step(text))
    lines = [f"{low}: {render(placeholder(low, high))}" for low, high in _TEMPLATE]
    below = insert_lines_after(text, max(key.end, bands.node.end), lines, indent)
    colon = text.find(":", key.end)
    if bands.node.end <= colon + 1:
        return Fix(title, (below,))
    return Fix(title, (Edit(colon + 1, bands.node.end, ""), below))


def _indentation_step(text: str) -> int:
    """Return the indentation step of the text: below a key or, if all values are flush with it, behind a dash."""
    for match in _KEY_AND_BELOW.finditer(text):
        step = len(match.group(2)) - len(match.group(1))
        if step > 0:
            return step
    dash = _DASH.search(text)
    return len(dash.group(1)) if dash else _USUAL_STEP


RULE = Rule("RB111", "empty-score-ranges", Severity.ERROR, Subject.COVERAGE, check, fixes_are_safe=False)
