"""What refactors share: moving lines to another indentation, comments in a stretch, and checks of nodes and ranges."""

from collections.abc import Iterator
from itertools import pairwise

from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.comments import ScalarSpans
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence, walk
from rubric_core.syntax.scalars import is_blank
from rubric_core.text.lines import line_end, line_starts
from rubric_core.text.spans import Edit
from rubric_core.views.bands import BandsView


def shift_lines(text: str, start: int, end: int, by: int) -> Iterator[Edit]:
    """Yield the edits that move the lines which start inside of a stretch to the right, or, below 0, to the left.

    Empty lines stay empty, and a line moves to the left only as far as it has spaces.
    """
    for begin in line_starts(text[start:end])[1:]:
        at = start + begin
        line = text[at : line_end(text, at)]
        if by > 0 and line:
            yield Edit(at, at, " " * by)
        elif by < 0:
            spaces = min(-by, len(line) - len(line.lstrip(" ")))
            if spaces:
                yield Edit(at, at + spaces, "")


def shifted(text: str, by: int) -> str:
    """Return text with all lines but the first moved to the right, or to the left."""
    parts: list[str] = []
    done = 0
    for edit in shift_lines(text, 0, len(text), by):
        parts += (text[done : edit.start], edit.text)
        done = edit.end
    return "".join((*parts, text[done:]))


def comments_between(text: str, start: int, end: int, root: Node | None) -> list[str]:
    """Return the comments that start inside of a stretch, in the order of the text; `root` is the tree of the text."""
    if "#" not in text[start:end]:
        return []
    scalars = ScalarSpans(text, root)
    found: list[str] = []
    at = text.find("#", start, end)
    while at >= 0:
        stop = at + 1
        if (at == 0 or text[at - 1] in " \t\r\n") and scalars.is_comment(at):
            stop = line_end(text, at)
            found.append(text[at:stop].rstrip())
        at = text.find("#", stop, end)
    return found


def is_own_text(node: Node) -> bool:
    """Return whether a node stands in the text for itself alone: no alias, no anchor, no tag and no merge key."""
    return node.meta is None


def is_all_own_text(node: Node) -> bool:
    """Return whether the same holds for a node and everything below it."""
    return all(is_own_text(each) for each in walk(node))


def quote_of(node: Node) -> str:
    """Return the quotes around a scalar of one line, or nothing."""
    return {"single-quoted": "'", "double-quoted": '"'}.get(node.style.value, "") if isinstance(node, Scalar) else ""


def can_be_changed(view: BandsView) -> bool:
    """Return whether the ranges stand in the text for themselves alone, each of them once and with bounds."""
    node = view.node
    if not isinstance(node, (Mapping, Sequence)) or not is_own_text(node) or not is_own_text(view.pair.key):
        return False
    if isinstance(node, Mapping) and node.duplicates:
        return False
    parts: list[Node | None] = []
    for band in view.bands:
        whole, bounds = band.whole, band.pair
        parts += [whole.key if isinstance(whole, Pair) else whole, band.lower_node, band.upper_node]
        parts += [bounds.key, bounds.value] if bounds is not None and not isinstance(whole, Pair) else []
    return view.is_readable and not view.is_empty and all(is_own_text(part) for part in parts if part)


def is_scale(view: BandsView) -> bool:
    """Return whether each score from 0 to 10 belongs to exactly one range, and each range has a text."""
    extents = sorted((band.lower or 0, band.upper or 0) for band in view.bands)
    if not extents or extents[0][0] != LOWEST or extents[-1][1] != HIGHEST:
        return False
    if any(low > high for low, high in extents) or any(below[1] + 1 != above[0] for below, above in pairwise(extents)):
        return False
    return all(isinstance(band.outcome, Scalar) and not is_blank(band.outcome) for band in view.bands)
