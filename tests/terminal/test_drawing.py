"""Tables and paragraphs on a terminal and in a pipe."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Group
from rich.padding import Padding

from rubric_core.terminal.display import PIPE, Page, harmless
from rubric_core.terminal.drawing import draw, paragraph, table, text

ANYTHING = st.text(st.characters(exclude_categories=()))
# What has a width of its own; marks that join others are measured together with them.
WORDS = st.text(st.sampled_from("ab 日🎉"), max_size=80)


def test_markup_and_escapes_of_others_are_shown_and_not_obeyed() -> None:
    """Neither the markup of rich, nor emoji codes, nor a terminal's own."""
    rows = table("", "")
    rows.add_row(text("[red]a[/red] :smile:"), "[bold]b")
    rows.add_row(text("\x1b[31mc\x07"), text("\u202ed"))
    assert draw(rows, PIPE) == "[red]a[/red] :smile:  [bold]b\n␛[31mc␇               <U+202E>d\n"


@given(ANYTHING, ANYTHING)
def test_nothing_that_a_terminal_would_obey_gets_through(first: str, second: str) -> None:
    """Whatever is in a cell or in a paragraph."""
    rows = table("", "")
    rows.add_row(text(first), text(second))
    drawn = draw(Group(rows, paragraph(text(first))), Page(60))
    assert all(harmless(line) == line for line in drawn.split("\n"))


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1), st.integers(40, 120))
def test_a_narrow_terminal_wraps_cells_and_loses_nothing(rows: list[tuple[str, str]], width: int) -> None:
    """No line is wider than the terminal, and every character is there."""
    drawn = table("", "")
    for row in rows:
        drawn.add_row(*map(text, row))
    shown = draw(Padding.indent(drawn, 2), Page(width))
    assert all(cell_len(line) <= width for line in shown.splitlines())
    assert sorted("".join(shown.split())) == sorted("".join("".join(map("".join, rows)).split()))


def test_a_row_in_a_pipe_is_one_line() -> None:
    """However long its cells are: somebody may search for them."""
    rows = table("name", "number")
    rows.add_row(text("word " * 200), "7")
    assert len(draw(rows, PIPE).splitlines()) == 2


def test_a_paragraph_is_never_wider_than_can_be_read() -> None:
    """On a wide terminal and in a pipe."""
    for page in (PIPE, Page(300)):
        assert max(map(len, draw(paragraph(text("word " * 60)), page).splitlines())) <= 100


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        ("one", ["one"]),
        ("first\n\n  code", ["first", "", "  code"]),
        ("\n\nblank lines at both ends\n", ["blank lines at both ends"]),
        ("a" * 45, ["a" * 40, "a" * 5]),
        ("日本語の説明です" * 3, ["日本語の説明です日本語の説明です日本語の", "説明です"]),
    ],
)
def test_text_is_wrapped_at_words(value: str, lines: list[str]) -> None:
    """A word that is wider than the line is broken; spaces at the start of a line stay."""
    assert draw(text(value), Page(40)).splitlines() == lines


def test_an_empty_column_takes_nothing_from_the_others() -> None:
    """Not even in a table that is indented, which is measured first."""
    rows = table("", "")
    rows.add_row("port-unknown", "")
    assert draw(Padding.indent(rows, 2), PIPE) == "  port-unknown\n"
