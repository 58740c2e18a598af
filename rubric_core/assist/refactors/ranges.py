"""Refactors of score ranges: in order, split, spread evenly, and written as a map or as an array."""

from collections.abc import Iterator
from itertools import pairwise

from rubric_core.assist.cursor import Cursor
from rubric_core.assist.refactors.refactor import RefactorProposal, is_own_text, proposal, quote_of
from rubric_core.rules.messages import in_words, placeholder
from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.comments import comments_in
from rubric_core.syntax.edits import Data, column_of, dash_of, replace_node
from rubric_core.syntax.entries import change_integer, insert_entry, sort_entries, write_item, write_pair
from rubric_core.syntax.indentation import shift_lines, shifted
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import is_blank
from rubric_core.text.lines import line_end, line_start
from rubric_core.text.spans import Edit
from rubric_core.views.bands import Band, BandsView

_FEWEST = 2
_NARROWEST = 2
_BOUNDS_AND_TEXT = 2


def sort(cursor: Cursor) -> RefactorProposal | None:
    """Sort score ranges by their scores, each with its comments, if they are not in order."""
    view = _changeable_bands(cursor)
    if view is None or not isinstance(view.node, (Mapping, Sequence)):
        return None
    ordered = sorted(view.bands, key=lambda band: min(band.lower or 0, band.upper or 0))
    if ordered == view.bands:
        return None
    edits = sort_entries(cursor.text, view.node, [band.whole for band in ordered])
    return proposal(cursor, "Sort the ranges", edits or ())


def split(cursor: Cursor) -> RefactorProposal | None:
    """Split a range in the middle; the lower half keeps the text. Each of its scores must be in no other range."""
    view, band = _changeable_bands(cursor), cursor.band
    if view is None or band is None or band.extent != (band.lower, band.upper):
        return None
    low, high = band.extent
    if low == high or any(_shares(band, other) for other in view.bands if other is not band):
        return None
    middle = low + (high - low + 2) // 2
    text = placeholder(middle, high)
    edits: list[Edit] = []
    if isinstance(view.node, Mapping) and isinstance(band.whole, Pair):
        edits += insert_entry(cursor.text, view.node, band.whole, write_pair(view.node, band.whole, middle, text))
    elif isinstance(view.node, Sequence) and isinstance(band.whole, Node) and band.upper_node is not None:
        fields: dict[str | int, Data] = {"score_range": [middle, high], cursor.dialect.range_text_keys[0]: text}
        written = write_item(cursor.text, view.node, band.whole, fields)
        edits.append(replace_node(band.upper_node, str(middle - 1)))
        edits += insert_entry(cursor.text, view.node, band.whole, written)
    halves = f"{in_words(low, middle - 1)} and {in_words(middle, high)}"
    return proposal(cursor, f"Split {in_words(low, high)} into {halves}", edits)


def _shares(band: Band, other: Band) -> bool:
    mine, theirs = band.extent, other.extent
    return mine is not None and theirs is not None and mine[0] <= theirs[1] and theirs[0] <= mine[1]


def distribute(cursor: Cursor) -> RefactorProposal | None:
    """Spread ranges evenly over 0-10, in their order and with their texts; the lower ones get what is left over."""
    view = _changeable_bands(cursor)
    if view is None or not _FEWEST <= len(view.bands) <= HIGHEST - LOWEST + 1:
        return None
    bands = view.in_order()
    # Two ranges of the same scores have no order.
    if len({band.extent for band in bands if not band.is_inverted}) < len(view.bands):
        return None
    size, left = divmod(HIGHEST - LOWEST + 1, len(bands))
    lows = [LOWEST + size * number + min(number, left) for number in range(len(bands) + 1)]
    shares = [(low, above - 1) for low, above in pairwise(lows)]
    edits = [edit for band, share in zip(bands, shares, strict=True) for edit in _set_bounds(band, share)]
    spread = ", ".join(in_words(*share) for share in shares)
    return proposal(cursor, f"Spread the {len(bands)} ranges evenly: {spread}", edits)


def _set_bounds(band: Band, share: tuple[int, int]) -> Iterator[Edit]:
    """Write the bounds that change. A map has only the lower ones."""
    for node, old, new in ((band.lower_node, band.lower, share[0]), (band.upper_node, band.upper, share[1])):
        if node is not None and old != new:
            yield change_integer(node, new)


def map_to_array(cursor: Cursor) -> RefactorProposal | None:
    """Write a map of ranges that are a whole scale as an array, where both bounds of each range can be read.

        0: Wrong        becomes   - score_range: [0, 4]
        5: Right                    expected_outcome: Wrong
                                  - score_range: [5, 10]
                                    expected_outcome: Right

    Only the keys change, and the lines of a long text move to the right; comments stay at their ranges.
    """
    view = _changeable_bands(cursor)
    node = view.node if view is not None else None
    if view is None or not isinstance(node, Mapping) or not _is_scale(view):
        return None
    if not all(_is_simple(cursor.text, pair, flow=node.flow) for pair in node.pairs):
        return None
    both = list(zip(view.bands, node.pairs, strict=True))
    if node.flow:
        edits = [edit for band, pair in both for edit in _item_in_brackets(cursor, band, pair)]
        edits += [Edit(node.start, node.start + 1, "["), Edit(node.end - 1, node.end, "]")]
    else:
        width = _dash_width(cursor)
        edits = [edit for band, pair in both for edit in _item_in_lines(cursor, band, pair, width)]
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


def _item_in_lines(cursor: Cursor, band: Band, pair: Pair, width: int) -> Iterator[Edit]:
    indent = " " * (column_of(cursor.text, pair.key.start) + width)
    first = "-".ljust(width) + f"score_range: [{band.lower}, {band.upper}]"
    yield Edit(pair.key.start, pair.key.end, f"{first}{cursor.line_break}{indent}{cursor.dialect.range_text_keys[0]}")
    yield from shift_lines(cursor.text, pair.key.end, pair.value.end, width)


def _item_in_brackets(cursor: Cursor, band: Band, pair: Pair) -> Iterator[Edit]:
    quote = quote_of(pair.key)
    bounds = f"{quote}score_range{quote}: [{band.lower}, {band.upper}]"
    yield Edit(pair.key.start, pair.key.end, f"{{{bounds}, {quote}{cursor.dialect.range_text_keys[0]}{quote}")
    yield Edit(pair.value.end, pair.value.end, "}")


def array_to_map(cursor: Cursor) -> RefactorProposal | None:
    """Write an array of ranges that are a whole scale as a map from the lowest score of each range to its text.

    It is offered where the ranges have nothing but bounds and text. A comment on a line that goes away moves above its
    range.
    """
    view = _changeable_bands(cursor)
    node = view.node if view is not None else None
    if view is None or not isinstance(node, Sequence) or not _is_scale(view) or not all(map(_is_plain, view.bands)):
        return None
    edits: list[Edit | None]
    if node.flow:
        edits = [_pair_in_brackets(cursor, band) for band in view.bands]
        edits += [Edit(node.start, node.start + 1, "{"), Edit(node.end - 1, node.end, "}")]
    else:
        # A list may be in the column of its key; a mapping may not.
        is_flush = column_of(cursor.text, node.start) <= column_of(cursor.text, view.pair.key.start)
        edits = [_pair_in_lines(cursor, band, is_flush=is_flush) for band in view.bands]
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


def _pair_in_brackets(cursor: Cursor, band: Band) -> Edit | None:
    (start, end), pair = band.whole.span, band.outcome_pair
    value = _value_of(cursor.text, pair) if pair is not None else None
    if pair is None or value is None or any(comments_in(cursor.text, cursor.tree.root, start=start, end=end)):
        return None
    quote = quote_of(pair.key)
    return Edit(start, end, f"{quote}{band.lower}{quote}: {value}")


def _pair_in_lines(cursor: Cursor, band: Band, *, is_flush: bool) -> Edit | None:
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
    above = "".join(f"{comment}{cursor.line_break}{' ' * column}" for comment in comments)
    return Edit(dash, end, f"{' ' * (column - column_of(text, dash))}{above}{band.lower}{value_text}")


def _changeable_bands(cursor: Cursor) -> BandsView | None:
    """Return the score ranges at the cursor if they are there for themselves alone, each once and with bounds."""
    view = cursor.bands
    node = view.node if view is not None else None
    if view is None or not isinstance(node, (Mapping, Sequence)) or not view.is_readable or view.is_empty:
        return None
    if isinstance(node, Mapping) and node.duplicates:
        return None
    parts: list[Node | None] = [node, view.pair.key]
    for band in view.bands:
        whole, bounds = band.whole, band.pair
        parts += [whole.key if isinstance(whole, Pair) else whole, band.lower_node, band.upper_node]
        parts += [bounds.key, bounds.value] if bounds is not None and not isinstance(whole, Pair) else []
    return view if all(is_own_text(part) for part in parts if part) else None


def _is_scale(view: BandsView) -> bool:
    """Return whether each score from 0 to 10 belongs to exactly one range, and each range has a text."""
    extents = sorted((band.lower or 0, band.upper or 0) for band in view.bands)
    if not extents or extents[0][0] != LOWEST or extents[-1][1] != HIGHEST:
        return False
    if any(low > high for low, high in extents) or any(below[1] + 1 != above[0] for below, above in pairwise(extents)):
        return False
    return all(isinstance(band.outcome, Scalar) and not is_blank(band.outcome) for band in view.bands)
