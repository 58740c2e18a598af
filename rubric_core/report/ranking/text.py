"""A ranking for people at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.report.colours import plain
from rubric_core.report.columns import harmless
from rubric_core.report.ranking.table import HEADINGS, rows_of
from rubric_core.report.results.wrapping import column_width, padded

if TYPE_CHECKING:
    from rubric_core.report.colours import Paint
    from rubric_core.report.ranking.ranked import Ranked


def render(ranked: Ranked, *, paint: Paint = plain) -> str:
    """Return an aligned table."""
    rows = [tuple(harmless(cell) for cell in row) for row in rows_of(ranked)]
    table = [tuple(heading.lower() for heading in HEADINGS[ranked.by]), *rows]
    widths = [max(column_width(row[column]) for row in table) for column in range(len(table[0]))]
    lines = ["  ".join(padded(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in table]
    return "".join(f"{paint('faint', line) if number == 0 else line}\n" for number, line in enumerate(lines))
