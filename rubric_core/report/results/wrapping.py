"""Text of others in the lines of a terminal: harmless, wrapped at words, measured in columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.report.columns import harmless, lay_out

if TYPE_CHECKING:
    from collections.abc import Iterator


def column_width(text: str) -> int:
    """Return how many columns a line takes."""
    return lay_out(text).columns[-1]


def padded(text: str, width: int) -> str:
    """Return a line with as many spaces behind it as fill some columns."""
    return text + " " * (width - column_width(text))


def wrapped(text: str, width: int) -> Iterator[str]:
    """Give the lines of a text, none wider than some columns; blank lines at both ends are left out.

    Spaces at the start of a line stay, so that code and lists keep their shape.
    """
    for line in text.strip("\r\n").splitlines():
        yield from _wrapped_line(harmless(line.expandtabs(4)).rstrip(" "), width)


def _wrapped_line(line: str, width: int) -> Iterator[str]:
    columns = lay_out(line).columns
    start = 0
    while columns[-1] - columns[start] > width:
        end = start + 1
        while columns[end + 1] - columns[start] <= width:
            end += 1
        space = line.rfind(" ", start + 1, end + 1)
        # A word that is wider than the whole line is cut wherever the line ends.
        end = space if space > start and line[start:space].strip(" ") else end
        yield line[start:end].rstrip(" ")
        start = end
        while start < len(line) and line[start] == " ":
            start += 1
    yield line[start:]
