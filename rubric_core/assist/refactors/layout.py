"""Moving lines to another indentation, and the comments that stand in a stretch of text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.rules.suppressions import Scalars
from rubric_core.syntax.nodes import Node, Scalar, walk
from rubric_core.text.lines import line_end, line_starts
from rubric_core.text.spans import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator


def shift_lines(text: str, start: int, end: int, by: int) -> Iterator[Edit]:
    """Give the edits that move the lines which start inside of a stretch to the right, or, below 0, to the left.

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
    scalars = Scalars(text, root)
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
    """Tell whether a node stands in the text for itself alone: no alias, no anchor, no tag and no merge key."""
    return node.meta is None


def is_all_own_text(node: Node) -> bool:
    """Tell whether the same holds for a node and everything below it."""
    return all(is_own_text(each) for each in walk(node))


def quote_of(node: Node) -> str:
    """Return the quotes around a scalar of one line, or nothing."""
    return {"single-quoted": "'", "double-quoted": '"'}.get(node.style.value, "") if isinstance(node, Scalar) else ""
