"""Write a map of score ranges as an array, where both bounds of each range can be read.

    0: Wrong        becomes   - score_range: [0, 4]
    5: Right                    expected_outcome: Wrong
                              - score_range: [5, 10]
                                expected_outcome: Right

Only the keys change, and the lines of a long text move to the right; comments stay at their ranges.
"""

from collections.abc import Iterator

from rubric_core.assist.cursor import Cursor
from rubric_core.assist.refactors.layout import changeable_bands, is_scale, quote_of
from rubric_core.assist.refactors.refactor import Refactor, RefactorProposal, proposal
from rubric_core.syntax.edits import column_of
from rubric_core.syntax.indentation import shift_lines
from rubric_core.syntax.nodes import Mapping, Pair
from rubric_core.text.lines import line_start
from rubric_core.text.spans import Edit
from rubric_core.views.bands import Band

_NARROWEST = 2


def propose(cursor: Cursor) -> RefactorProposal | None:
    """Offer it for ranges that are a whole scale."""
    view = changeable_bands(cursor)
    node = view.node if view is not None else None
    if view is None or not isinstance(node, Mapping) or not is_scale(view):
        return None
    if not all(_is_simple(cursor.text, pair, flow=node.flow) for pair in node.pairs):
        return None
    both = list(zip(view.bands, node.pairs, strict=True))
    if node.flow:
        edits = [edit for band, pair in both for edit in _in_brackets(cursor, band, pair)]
        edits += [Edit(node.start, node.start + 1, "["), Edit(node.end - 1, node.end, "]")]
    else:
        width = _dash_width(cursor)
        edits = [edit for band, pair in both for edit in _in_lines(cursor, band, pair, width)]
    return proposal(cursor, "Write the ranges as an array of [min, max]", edits)


def _is_simple(text: str, pair: Pair, *, flow: bool) -> bool:
    """Return whether a pair is `key: value` and nothing else, in block style on a line of its own."""
    is_followed_by_colon = text[pair.key.end : pair.value.start].lstrip(" \t").startswith(":")
    before = text[line_start(text, pair.key.start) : pair.key.start]
    return is_followed_by_colon and (flow or not before.strip(" "))


def _dash_width(cursor: Cursor) -> int:
    """Return the distance from the dash of an item to its text, in the list of the criterion itself."""
    criteria, criterion = cursor.criteria, cursor.criterion
    if criteria is None or criterion is None or getattr(criteria.node, "flow", True):
        return _NARROWEST
    return max(column_of(cursor.text, criterion.node.start) - column_of(cursor.text, criteria.node.start), _NARROWEST)


def _in_lines(cursor: Cursor, band: Band, pair: Pair, width: int) -> Iterator[Edit]:
    indent = " " * (column_of(cursor.text, pair.key.start) + width)
    first = "-".ljust(width) + f"score_range: [{band.lower}, {band.upper}]"
    yield Edit(pair.key.start, pair.key.end, f"{first}{cursor.line_break}{indent}{cursor.dialect.range_text_keys[0]}")
    yield from shift_lines(cursor.text, pair.key.end, pair.value.end, width)


def _in_brackets(cursor: Cursor, band: Band, pair: Pair) -> Iterator[Edit]:
    quote = quote_of(pair.key)
    bounds = f"{quote}score_range{quote}: [{band.lower}, {band.upper}]"
    yield Edit(pair.key.start, pair.key.end, f"{{{bounds}, {quote}{cursor.dialect.range_text_keys[0]}{quote}")
    yield Edit(pair.value.end, pair.value.end, "}")


REFACTOR = Refactor("map-to-array", propose)
