"""Code frames: the lines of a file around a problem, with marks below the stretches that matter."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rubric_core.report.reports import LineRange
from rubric_core.terminal.display import Paint, harmless, lay_out
from rubric_core.text.lines import LineIndex

WIDTH = 120
_CUT = "…"
# A stretch of up to this many lines is shown whole; of a longer one only the ends are.
_SHOWN_WHOLE = 3
# With exactly one line between two marked ones, that line is shown in place of an ellipsis.
_ONE_BETWEEN = 2


class Mark(NamedTuple):
    """A stretch to mark: its place, the text beside the mark, the character it is drawn with, its colour."""

    place: LineRange
    label: str
    character: str
    style: str


class _Segment(NamedTuple):
    """The part of a mark on one line, as zero-based code-point columns."""

    mark: Mark
    start: int
    end: int
    is_last: bool


def gutter_width(marks: Sequence[Mark]) -> int:
    """Return how many columns the largest line number of a frame takes."""
    return len(str(max(mark.place.end_line for mark in marks)))


def frame(lines: LineIndex, marks: Sequence[Mark], paint: Paint) -> list[str]:
    """Draw the lines that the marks touch; the first mark is the one a long line is cut around."""
    margin = gutter_width(marks)
    by_line: dict[int, list[_Segment]] = {}
    for mark in marks:
        for number, segment in _segments(lines, mark):
            by_line.setdefault(number, []).append(segment)
    drawn = [paint("gutter", f"{'':{margin}} |")]
    previous = None
    for number in sorted(by_line):
        if previous is not None and number - previous == _ONE_BETWEEN:
            drawn += _draw_line(lines.line_text(number - 1), f"{number:>{margin}} |", [], paint)
        elif previous is not None and number - previous > _ONE_BETWEEN:
            drawn.append(paint("gutter", "..."))
        drawn += _draw_line(lines.line_text(number), f"{number + 1:>{margin}} |", by_line[number], paint)
        previous = number
    return drawn


def _segments(lines: LineIndex, mark: Mark) -> Iterator[tuple[int, _Segment]]:
    """Yield the parts of a mark line by line, each with its zero-based line number."""
    first, last = mark.place.line - 1, mark.place.end_line - 1
    end_column = mark.place.end_column - 1
    if last > first and not lines.line_text(last)[:end_column].strip():
        # The stretch ends with a line break, so nothing is marked on the next line.
        last -= 1
        while last > first and not lines.line_text(last).strip():
            last -= 1
        end_column = len(lines.line_text(last))
    numbers = range(first, last + 1) if last - first < _SHOWN_WHOLE else (first, last)
    for number in numbers:
        text = lines.line_text(number)
        start = mark.place.column - 1 if number == first else len(text) - len(text.lstrip())
        end = end_column if number == last else len(text.rstrip())
        yield number, _Segment(mark, start, max(start, end), number == last)


def _draw_line(text: str, gutter: str, segments: Sequence[_Segment], paint: Paint) -> Iterator[str]:
    first = _first_shown(text, segments[0].start if segments else 0)
    last = _last_shown(text, first)
    layout = lay_out(text[first:last])
    lead = _CUT if first else ""
    source = f"{lead}{layout.shown}{_CUT if last < len(text) else ''}"
    yield f"{paint('gutter', gutter)} {source}".rstrip()
    blank = paint("gutter", f"{'|':>{len(gutter)}}")
    for segment in segments:
        start = layout.columns[min(max(segment.start - first, 0), last - first)]
        end = layout.columns[min(max(segment.end - first, 0), last - first)]
        bar = segment.mark.character * max(1, end - start)
        label = f" {harmless(segment.mark.label)}" if segment.is_last and segment.mark.label else ""
        indent = " " * (len(lead) + start)
        yield f"{blank} {indent}{paint(segment.mark.style, bar + label)}"


def _first_shown(text: str, focus: int) -> int:
    """Return the first visible column of a line: 0 if the focus is near it, else a little before the focus."""
    if focus <= WIDTH // 2 or (len(text) <= WIDTH and lay_out(text).columns[-1] <= WIDTH):
        return 0
    return focus - WIDTH // 3


def _last_shown(text: str, first: int) -> int:
    """Return the end of the visible part of a line, which fits the width."""
    columns = lay_out(text[first : first + WIDTH]).columns
    return first + sum(column <= WIDTH for column in columns) - 1
