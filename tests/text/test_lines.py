"""Lines end at LF, CRLF and CR, and at nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.text.lines import LineIndex, count_line_breaks, line_break_of, line_starts, split_lines

TEXTS = st.text(st.sampled_from("ab\r\n\u2028\x85\x0b\x0c🎉"), max_size=20)

CUTS = [
    ("", []),
    ("a", ["a"]),
    ("a\n", ["a\n"]),
    ("a\nb", ["a\n", "b"]),
    ("a\r\nb\r\n", ["a\r\n", "b\r\n"]),
    ("a\rb\r", ["a\r", "b\r"]),
    ("a\n\rb\r\n\n", ["a\n", "\r", "b\r\n", "\n"]),
    ("a\u2028b\x85c\u2029d\x0be\x0cf", ["a\u2028b\x85c\u2029d\x0be\x0cf"]),
]


@pytest.mark.parametrize(("text", "lines"), CUTS)
def test_a_text_is_cut_behind_its_line_breaks(text: str, lines: list[str]) -> None:
    """The separators that Python's `splitlines` knows beside them belong to a line."""
    assert split_lines(text) == lines


@pytest.mark.parametrize(
    ("text", "line_break"), [("a\nb\r\n", "\n"), ("a\r\nb\n", "\r\n"), ("a\rb", "\r"), ("a", "\n"), ("a\u2028", "\n")]
)
def test_the_first_line_break_is_that_of_the_text(text: str, line_break: str) -> None:
    """A text without any gets LF."""
    assert line_break_of(text) == line_break


@pytest.mark.parametrize(
    ("offset", "position"),
    [(-3, (0, 0)), (0, (0, 0)), (2, (0, 2)), (3, (0, 3)), (4, (1, 0)), (6, (2, 0)), (7, (2, 1)), (99, (2, 1))],
)
def test_offsets_have_positions(offset: int, position: tuple[int, int]) -> None:
    """What lies outside of the text is moved to its nearest end."""
    assert LineIndex("ab\r\nc\nd").position(offset) == position


@pytest.mark.parametrize(
    ("line", "column", "offset"),
    [(-1, 5, 0), (0, 0, 0), (0, 9, 2), (0, -4, 0), (1, 1, 5), (1, 2, 5), (2, 1, 7), (3, 0, 7)],
)
def test_positions_have_offsets(line: int, column: int, offset: int) -> None:
    """A column past the end of a line means the end of its text, before the line break."""
    assert LineIndex("ab\r\nc\nd").offset(line, column) == offset


@given(TEXTS)
def test_lines_make_up_the_text(text: str) -> None:
    """Nothing is lost, and every way to count line breaks agrees."""
    lines = split_lines(text)
    starts = line_starts(text)
    assert "".join(lines) == text
    assert len(starts) == count_line_breaks(text) + 1
    assert all(text[start - 1] in "\r\n" for start in starts[1:])
    index = LineIndex(text)
    assert [index.line_text(line) for line in range(len(starts))] == [
        text[start:end].rstrip("\r\n") for start, end in zip(starts, [*starts[1:], len(text)], strict=True)
    ]


@given(TEXTS, st.data())
def test_a_place_comes_back(text: str, data: st.DataObject) -> None:
    """From offset to position and back, except between CR and LF, where no cursor can be."""
    offset = data.draw(st.integers(0, len(text)))
    position = LineIndex(text).position(offset)
    inside = text[offset - 1 : offset + 1] == "\r\n" and offset > 0
    assert LineIndex(text).offset(*position) == offset - inside
