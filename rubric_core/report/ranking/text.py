"""A ranking for people at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.report.ranking.table import HEADINGS, rows_of
from rubric_core.terminal.colours import PIPE
from rubric_core.terminal.drawing import draw, table, text

if TYPE_CHECKING:
    from rubric_core.report.ranking.ranked import Ranked
    from rubric_core.terminal.colours import Page


def render(ranked: Ranked, *, page: Page = PIPE) -> str:
    """Return a table."""
    drawn = table(*(heading.lower() for heading in HEADINGS[ranked.by]))
    for row in rows_of(ranked):
        drawn.add_row(*map(text, row))
    return draw(drawn, page)
