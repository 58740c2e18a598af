"""Tables for people: aligned by what a terminal shows, whatever characters the texts hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rubric_core.report.results.wrapping import column_width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rubric_core.report.colours import Paint


class Cell(NamedTuple):
    """One entry of a table: harmless text in one line, its colour, its side, and the space before it."""

    text: str
    style: str = ""
    right: bool = False
    gap: int = 2


def column_widths(rows: Sequence[Sequence[Cell]]) -> list[int]:
    """Return how wide each column must be."""
    return [max(column_width(cell.text) for cell in column) for column in zip(*rows, strict=True)]


def table_width(rows: Sequence[Sequence[Cell]]) -> int:
    """Return how wide a table is."""
    return sum(column_widths(rows)) + sum(cell.gap for cell in rows[0][1:])


def aligned(rows: Sequence[Sequence[Cell]], paint: Paint) -> list[str]:
    """Return the rows as lines; each has the same number of cells, with the same gaps."""
    widths = column_widths(rows)
    return ["".join(_pieces(row, widths, paint)).rstrip() for row in rows]


def _pieces(row: Sequence[Cell], widths: Sequence[int], paint: Paint) -> Iterator[str]:
    for number, (cell, width) in enumerate(zip(row, widths, strict=True)):
        space = " " * (width - column_width(cell.text))
        text = paint(cell.style, cell.text) if cell.style else cell.text
        yield " " * cell.gap if number else ""
        yield space + text if cell.right else text + space
