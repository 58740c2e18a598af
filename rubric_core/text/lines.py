"""Lines of a text. They end at LF, CRLF or CR and at nothing else, as the language server protocol says."""

from bisect import bisect_right
from functools import lru_cache
from typing import NamedTuple

from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

_LINE_BREAK = lazily(r"\r\n?|\n")


class Position(NamedTuple):
    """A place as zero-based line and column; the column counts code points."""

    line: int
    column: int


class LineIndex:
    """Offsets to positions and back, for one text."""

    __slots__ = ("starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        # Consecutive calls are mostly about the same case.
        self.starts = _remembered_starts(text) if len(text) < _SHORT else line_starts(text)

    def position(self, offset: int) -> Position:
        """Return the position of an offset; one outside of the text is clamped."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self.starts, offset) - 1
        return Position(line, offset - self.starts[line])

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a position; a column past the end of the line is clamped."""
        if line < 0:
            return 0
        if line >= len(self.starts):
            return len(self.text)
        start = self.starts[line]
        return start + min(max(column, 0), len(self.line_text(line)))

    def line_text(self, line: int) -> str:
        """Return one line without its line break."""
        start = self.starts[line]
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


def line_starts(text: str) -> list[int]:
    """Return the offset at which each line starts; there is always at least one line."""
    if "\r" not in text:
        starts = [0]
        at = text.find("\n") + 1
        while at:
            starts.append(at)
            at = text.find("\n", at) + 1
        return starts
    return [0, *(match.end() for match in _LINE_BREAK.finditer(text))]


_SHORT = 20_000
_remembered_starts = lru_cache(maxsize=16)(line_starts)


def split_lines(text: str) -> list[str]:
    """Cut a text behind each of its line breaks; the lines keep them."""
    starts = line_starts(text)
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True) if end > start]


def line_start(text: str, offset: int) -> int:
    """Return the offset at which the line of an offset starts, without building an index."""
    start = text.rfind("\n", 0, offset) + 1
    # Only the line itself is searched for the other kind of line break, which most texts do not have.
    return max(start, text.rfind("\r", start, offset) + 1)


def line_end(text: str, offset: int) -> int:
    """Return the offset at which the line of an offset ends, before its line break."""
    end = text.find("\n", offset)
    end = len(text) if end < 0 else end
    carriage = text.find("\r", offset, end)
    return end if carriage < 0 else carriage


def next_line(text: str, offset: int) -> int:
    """Return the offset behind the line break of the line of an offset, or the end of the text."""
    end = line_end(text, offset)
    return end + 2 if text.startswith("\r\n", end) else min(end + 1, len(text))


def line_at(text: str, offset: int) -> Span:
    """Return the line that holds an offset, without its line break."""
    start = line_start(text, offset)
    return Span(start, line_end(text, start))


def count_line_breaks(text: str) -> int:
    """Count the line breaks of a text without building an index."""
    breaks = text.count("\n")
    if "\r" in text:
        breaks += text.count("\r") - text.count("\r\n")
    return breaks


def line_break_of(text: str) -> str:
    """Return the first line break of a text, for lines that are inserted in it."""
    match = _LINE_BREAK.search(text)
    return match.group() if match else "\n"
