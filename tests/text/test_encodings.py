"""Columns are counted in the units that an editor asks for, and counted back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.text.encodings import PositionEncoding, column_of_units, units_before

ENCODINGS: tuple[PositionEncoding, ...] = ("utf-8", "utf-16", "utf-32")
CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
# Characters of one, two, three and four bytes in utf-8; the last take two units in utf-16.
LINES = st.text(st.sampled_from("a é€\u2028🎉\U0010ffff") | st.characters(exclude_characters="\r\n"), max_size=12)


@pytest.mark.parametrize(
    ("line", "column", "utf_8", "utf_16", "utf_32"),
    [
        ("abc", 2, 2, 2, 2),
        ("é: x", 1, 2, 1, 1),
        ("€: x", 1, 3, 1, 1),
        ("🎉: x", 1, 4, 2, 1),
        ("a🎉é", 3, 7, 4, 3),
        ("abc", 9, 3, 3, 3),
        ("🎉", 9, 4, 2, 1),
        ("\ud83d!", 1, 3, 1, 1),
        ("", 0, 0, 0, 0),
    ],
)
def test_units_before_a_column(line: str, column: int, utf_8: int, utf_16: int, utf_32: int) -> None:
    """A column past the end means the end, and half a surrogate pair does not stop the counting."""
    assert [units_before(line, column, encoding) for encoding in ENCODINGS] == [utf_8, utf_16, utf_32]


@pytest.mark.parametrize(
    ("line", "units", "encoding", "column"),
    [
        ("abc", 2, "utf-8", 2),
        ("abc", 9, "utf-16", 3),
        ("abc", -1, "utf-16", 0),
        ("🎉b", -1, "utf-16", 0),
        ("🎉b", 1, "utf-16", 0),
        ("🎉b", 2, "utf-16", 1),
        ("🎉b", 9, "utf-16", 2),
        ("é🎉", 1, "utf-8", 0),
        ("é🎉", 4, "utf-8", 1),
        ("é🎉", 6, "utf-8", 2),
        ("é🎉", 1, "utf-32", 1),
    ],
)
def test_the_column_that_units_reach(line: str, units: int, encoding: PositionEncoding, column: int) -> None:
    """Inside of a character it is the character's start; outside of the line it is the nearest end."""
    assert column_of_units(line, units, encoding) == column


@given(LINES, st.sampled_from(ENCODINGS), st.data())
def test_every_column_comes_back(line: str, encoding: PositionEncoding, data: st.DataObject) -> None:
    """The units are those of Python's own codec, and they lead back to the same column."""
    column = data.draw(st.integers(0, len(line)))
    codec, size = CODECS[encoding]
    units = units_before(line, column, encoding)
    assert units == len(line[:column].encode(codec, "surrogatepass")) // size
    assert column_of_units(line, units, encoding) == column
