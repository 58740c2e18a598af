"""
## What it does
Finds a score range without a text that says what an answer in it is like. A blank text counts as none, and so does a
value that is not text.

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
The fix inserts a text that starts with `TODO`, or puts a number in quotes. Only you know what the range should say, so
the fix is unsafe.
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from rubric_core.rules.places import place_of_missing
from rubric_core.rules.problem import Fix, Problem, Severity
from rubric_core.rules.range_words import as_written, name_of, placeholder
from rubric_core.rules.rule import Rule, Subject
from rubric_core.syntax.edits import insert_key, render, replace_node
from rubric_core.syntax.nodes import Mapping, Scalar, Sequence
from rubric_core.syntax.scalars import as_text, is_blank, is_null

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.rules.context import Context
    from rubric_core.syntax.nodes import Node
    from rubric_core.views.bands import Band
    from rubric_core.views.criteria import CriterionView


def check(criterion: CriterionView, context: Context) -> Iterator[Problem]:
    """Report each range that has no text."""
    bands = criterion.bands
    if bands is None:
        return
    for band in bands.bands:
        outcome = band.outcome
        if outcome is None or is_blank(outcome):
            yield RULE.at(
                _place_of_nothing(band),
                f"{_name(band)} has no text; say what an answer with such a score is like.",
                fixes=partial(_insert_text, band, context.text),
            )
        elif as_text(outcome, context.version) is None:
            yield RULE.at(
                _place_of_something(band, outcome),
                f"{_name(band)} has {_noun(outcome, context.text)} for a text; say in words what an answer is like.",
                fixes=partial(_quote, outcome, context.text),
            )


def _place_of_nothing(band: Band) -> Node:
    pair = band.outcome_pair
    if isinstance(band.whole, Mapping):
        return place_of_missing(band.whole, pair)
    return band.place if pair is None or is_null(pair.value) else pair.value


def _place_of_something(band: Band, outcome: Node) -> Node:
    """Return the value, or its key where the value is written over several lines."""
    is_block = isinstance(outcome, (Mapping, Sequence)) and not outcome.flow and not outcome.origin
    return band.outcome_pair.key if is_block and band.outcome_pair is not None else outcome


def _name(band: Band) -> str:
    return f"The range {name_of(band)}" if band.lower is not None and band.upper is not None else "The range"


def _noun(outcome: Node, text: str) -> str:
    if isinstance(outcome, Scalar):
        return as_written(text, outcome)
    return "a mapping" if isinstance(outcome, Mapping) else "a list"


def _insert_text(band: Band, text: str) -> list[Fix]:
    """Fill the empty text, or add the field to an item that does not have it."""
    new = placeholder(*band.extent) if band.extent is not None else "TODO: describe an answer in this range"
    pair = band.outcome_pair
    if pair is not None:
        return [Fix(_INSERT, (replace_node(pair.value, render(new)),))]
    item = band.whole
    edit = insert_key(text, item, "expected_outcome", new, after=band.pair) if isinstance(item, Mapping) else None
    return [Fix(_INSERT, (edit,))] if edit is not None else []


def _quote(outcome: Node, text: str) -> list[Fix]:
    """Make a string of a number or a boolean; a collection has no words to keep."""
    if not isinstance(outcome, Scalar):
        return []
    return [Fix("Put it in quotes", (replace_node(outcome, json.dumps(text[outcome.start : outcome.end])),))]


_INSERT = "Insert a text to fill in"

RULE = Rule("RB107", "missing-range-outcome", Severity.ERROR, Subject.BANDS, check, fixes_are_safe=False)
