"""Write an array of score ranges as a map from the lowest score of each range to its text.

    - score_range: [0, 4]  # hard      becomes   # hard
      expected_outcome: Wrong                    0: Wrong
    - score_range: [5, 10]                       5: Right
      expected_outcome: Right

A comment on a line that goes away moves above its range. An item that has more than its bounds and its text stays.
"""

from rubric_core.assist.cursor import Cursor
from rubric_core.assist.refactors.layout import (
    changeable_bands,
    is_own_text,
    is_scale,
    quote_of,
)
from rubric_core.assist.refactors.refactor import Refactor, RefactorProposal, proposal
from rubric_core.syntax.comments import comments_in
from rubric_core.syntax.edits import column_of, dash_of
from rubric_core.syntax.indentation import shifted
from rubric_core.syntax.nodes import Mapping, Pair, Sequence
from rubric_core.text.lines import line_end
from rubric_core.text.spans import Edit
from rubric_core.views.bands import Band

_BOUNDS_AND_TEXT = 2


def propose(cursor: Cursor) -> RefactorProposal | None:
    """Offer it for ranges that are a whole scale and have nothing but bounds and text."""
    view = changeable_bands(cursor)
    node = view.node if view is not None else None
    if view is None or not isinstance(node, Sequence) or not is_scale(view) or not all(map(_is_plain, view.bands)):
        return None
    edits: list[Edit | None]
    if node.flow:
        edits = [_in_brackets(cursor, band) for band in view.bands]
        edits += [Edit(node.start, node.start + 1, "{"), Edit(node.end - 1, node.end, "}")]
    else:
        # A list may be in the column of its key; a mapping may not.
        is_flush = column_of(cursor.text, node.start) <= column_of(cursor.text, view.pair.key.start)
        edits = [_in_lines(cursor, band, is_flush=is_flush) for band in view.bands]
    valid = [edit for edit in edits if edit is not None]
    title = "Write the ranges as a map of lowest scores"
    return proposal(cursor, title, valid) if len(valid) == len(edits) else None


def _is_plain(band: Band) -> bool:
    item = band.whole
    return (
        isinstance(item, Mapping)
        and len(item.pairs) == _BOUNDS_AND_TEXT
        and band.pair is not None
        and band.outcome_pair is not None
        and is_own_text(band.outcome_pair.key)
    )


def _value_of(text: str, pair: Pair) -> str | None:
    """Return what is behind the colon of a pair: the value with its anchor, its tag or its alias."""
    behind = text[pair.key.end : pair.value.end].lstrip(" \t")
    return behind[1:].strip() if behind.startswith(":") else None


def _in_brackets(cursor: Cursor, band: Band) -> Edit | None:
    (start, end), pair = band.whole.span, band.outcome_pair
    value = _value_of(cursor.text, pair) if pair is not None else None
    if pair is None or value is None or any(comments_in(cursor.text, cursor.tree.root, start=start, end=end)):
        return None
    quote = quote_of(pair.key)
    return Edit(start, end, f"{quote}{band.lower}{quote}: {value}")


def _in_lines(cursor: Cursor, band: Band, *, is_flush: bool) -> Edit | None:
    text, item, bounds, pair = cursor.text, band.whole, band.pair, band.outcome_pair
    if not isinstance(item, Mapping) or bounds is None or pair is None:
        return None
    dash = dash_of(text, item)
    value = _value_of(text, pair)
    if dash < 0 or value is None:
        return None
    column = column_of(text, item.pairs[0].key.start) if is_flush else column_of(text, dash)
    if item.flow:
        # What follows behind the braces stays where it is.
        value_text, value_end, end = f": {value}", pair.value.end, item.end
    else:
        value_end = line_end(text, pair.value.end)
        value_text = shifted(text[pair.key.end : value_end], column - column_of(text, pair.key.start))
        end = max(value_end, line_end(text, bounds.value.end))
    comments = [
        *comments_in(text, cursor.tree.root, start=dash, end=pair.key.start),
        *comments_in(text, cursor.tree.root, start=value_end, end=end),
    ]
    indent = " " * column
    above = "".join(f"{comment}{cursor.line_break}{indent}" for comment in comments)
    return Edit(dash, end, f"{' ' * (column - column_of(text, dash))}{above}{band.lower}{value_text}")


REFACTOR = Refactor("array-to-map", propose)
