"""A ranking as a Markdown table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.report.ranking.table import HEADINGS, rows_of
from rubric_core.report.results.markdown_text import inline

if TYPE_CHECKING:
    from rubric_core.report.ranking.ranked import Ranked


def render(ranked: Ranked) -> str:
    """Return the table."""
    headings = HEADINGS[ranked.by]
    lines = [
        f"| {' | '.join(headings)} |",
        f"|{'---|' * len(headings)}",
        *(f"| {' | '.join(inline(cell) for cell in row)} |" for row in rows_of(ranked)),
    ]
    return "".join(f"{line}\n" for line in lines)
