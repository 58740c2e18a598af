"""A comparison in Markdown, for a comment on a pull request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.report.comparison.compared import state_words
from rubric_core.report.comparison.wording import (
    criterion_words,
    error_words,
    headline,
    move_words,
    partial_words,
    score_change,
    scorecard_words,
)
from rubric_core.report.results.markdown_text import inline
from rubric_core.report.text import many

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rubric_core.report.comparison.compared import CasePair, ComparedResults

# A comment has room for about this many rows of each table.
_MOST_ROWS = 50


def render(compared: ComparedResults) -> str:
    """Return the comparison: the answer first, then what changed."""
    return "".join(f"{line}\n" for line in _lines(compared))


def _lines(compared: ComparedResults) -> Iterator[str]:
    yield "## Rubric comparison"
    yield ""
    yield f"**{headline(compared)}**"
    yield ""
    yield f"Before: {inline(compared.names[0])} · after: {inline(compared.names[1])}"
    yield from _table("❌ Verdicts that got worse", "Verdict | Score | Criteria", _rows(compared.regressions))
    yield from _table("✅ Verdicts that got better", "Verdict | Score | Criteria", _rows(compared.improvements))
    yield from _table("Other scores", "Score", [(pair.name, score_change(pair)) for pair in compared.moved])
    changed = sorted((each for each in compared.comparison.criteria if each.change), key=lambda each: each.change)
    criteria = [(each.criterion, criterion_words(each), many(each.cases, "case")) for each in changed]
    yield from _table("Criteria", "Mean value | Cases", criteria)
    yield from _table("Scorecards", "Final score", [(each.name, scorecard_words(each)) for each in compared.scorecards])
    yield from _table("Errors", "Why", [(pair.name, error_words(pair, compared.names)) for pair in compared.errors])
    yield from _table("Partial, not compared", "Where", [(case.name, partial_words(case)) for case in compared.partial])
    only = (compared.comparison.only_before, compared.comparison.only_after)
    for name, cases in zip(compared.names, only, strict=True):
        yield from _table(f"Only in {inline(name)}", "", [(case, "") for case in cases])


def _rows(pairs: Sequence[CasePair]) -> list[tuple[str, ...]]:
    return [
        (pair.name, state_words(pair), score_change(pair), "\n".join(move_words(move) for move in pair.moves))
        for pair in pairs
    ]


def _table(title: str, columns: str, rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    if not rows:
        return
    yield ""
    yield f"### {title}: {len(rows):,}"
    yield ""
    yield f"| | {columns} |"
    yield f"|---|{'---|' * (columns.count('|') + 1)}"
    for row in rows[:_MOST_ROWS]:
        yield f"| {' | '.join(inline(cell) for cell in row)} |"
    if len(rows) > _MOST_ROWS:
        yield ""
        yield f"{many(len(rows) - _MOST_ROWS, 'row')} more, which would make this too long."
