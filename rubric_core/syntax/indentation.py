"""Moving whole lines to the right or to the left."""

from collections.abc import Iterator

from rubric_core.text.lines import line_end, line_starts
from rubric_core.text.spans import Edit, apply_edits


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
    return apply_edits(text, shift_lines(text, 0, len(text), by))
