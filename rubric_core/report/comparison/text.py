"""A comparison for people at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

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
from rubric_core.report.text import many
from rubric_core.terminal.colours import PIPE
from rubric_core.terminal.drawing import draw, table, text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from rubric_core.report.comparison.compared import CasePair, ComparedResults
    from rubric_core.terminal.colours import Page

_ANSWER_STYLES = {"better": "help", "worse": "error", "unclear": "strong"}
_MOST_LISTED = 20


class ComparisonRow(NamedTuple):
    """A name, what is said of it, and lines below that say more."""

    name: str
    said: str = ""
    more: tuple[str, ...] = ()


def render(compared: ComparedResults, *, page: Page = PIPE) -> str:
    """Return the comparison: the answer first, then what changed, the worst first."""
    return draw(Group(*_parts(compared)), page)


def _parts(compared: ComparedResults) -> Iterator[RenderableType]:
    names = table("", "")
    for side, name in zip(("before", "after"), compared.names, strict=True):
        names.add_row(Text(side, "faint"), text(name))
    yield names
    interval = compared.comparison.interval
    yield ""
    yield Text(headline(compared), "strong" if interval is None else _ANSWER_STYLES[interval.direction])
    worse, better = compared.regressions, compared.improvements
    if compared.pairs and not worse and not better:
        yield "No verdict changed."
    yield from _section("Verdicts that got worse", _pair_rows(worse), "error")
    yield from _section("Verdicts that got better", _pair_rows(better), "help")
    yield from _section("Other scores", [ComparisonRow(pair.name, score_change(pair)) for pair in compared.moved])
    yield from _section("Criteria, mean over their cases", _criterion_rows(compared))
    yield from _section("Scorecards", [ComparisonRow(move.name, scorecard_words(move)) for move in compared.scorecards])
    yield from _section(
        "Errors", [ComparisonRow(pair.name, error_words(pair, compared.names)) for pair in compared.errors]
    )
    yield from _section(
        "Partial, not compared", [ComparisonRow(case.name, partial_words(case)) for case in compared.partial]
    )
    only = (compared.comparison.only_before, compared.comparison.only_after)
    for name, cases in zip(compared.names, only, strict=True):
        yield from _section(f"Only in {name}", [ComparisonRow(case) for case in cases])


def _pair_rows(pairs: Sequence[CasePair]) -> list[ComparisonRow]:
    return [
        ComparisonRow(
            pair.name, f"{state_words(pair)}, {score_change(pair)}", tuple(move_words(move) for move in pair.moves)
        )
        for pair in pairs
    ]


def _criterion_rows(compared: ComparedResults) -> list[ComparisonRow]:
    changed = [change for change in compared.comparison.criteria if change.change]
    changed.sort(key=lambda change: change.change)
    return [
        ComparisonRow(change.criterion, f"{criterion_words(change)} {many(change.cases, 'case')}") for change in changed
    ]


def _section(title: str, rows: Sequence[ComparisonRow], style: str = "strong") -> Iterator[RenderableType]:
    if not rows:
        return
    yield ""
    yield text(f"{title}: {len(rows):,}", style)
    listed = table("", "")
    for row in rows[:_MOST_LISTED]:
        listed.add_row(text(row.name), Group(text(row.said), *(text(line, "faint") for line in row.more)))
    yield Padding.indent(listed, 2)
    if len(rows) > _MOST_LISTED:
        yield Text(f"  ... and {len(rows) - _MOST_LISTED:,} more (`--format json` has all)", "faint")
