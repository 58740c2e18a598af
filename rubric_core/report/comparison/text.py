"""A comparison for people at a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rubric_core.report.colours import plain
from rubric_core.report.columns import harmless
from rubric_core.report.comparison.compared import state_words
from rubric_core.report.comparison.wording import (
    criterion_words,
    error_words,
    headline,
    move_words,
    score_change,
    scorecard_words,
)
from rubric_core.report.results.wrapping import column_width, padded
from rubric_core.report.text import many

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rubric_core.report.colours import Paint
    from rubric_core.report.comparison.compared import CasePair, Compared

_ANSWER_STYLES = {"better": "help", "worse": "error", "unclear": "strong"}
_MOST_LISTED = 20
_LONGEST_NAME = 50


class Row(NamedTuple):
    """A name, what is said of it, and lines below that say more."""

    name: str
    said: str = ""
    more: tuple[str, ...] = ()


def render(compared: Compared, *, paint: Paint = plain) -> str:
    """Return the comparison: the answer first, then what changed, the worst first."""
    interval = compared.comparison.interval
    style = "strong" if interval is None else _ANSWER_STYLES[interval.direction]
    lines = [
        f"{paint('faint', 'before')}  {harmless(compared.names[0])}",
        f"{paint('faint', 'after ')}  {harmless(compared.names[1])}",
        "",
        paint(style, headline(compared)),
    ]
    worse, better = compared.regressions, compared.improvements
    if compared.pairs and not worse and not better:
        lines.append("No verdict changed.")
    lines += _section("Verdicts that got worse", _pair_rows(worse), paint, "error")
    lines += _section("Verdicts that got better", _pair_rows(better), paint, "help")
    lines += _section("Other scores", [Row(pair.name, score_change(pair)) for pair in compared.moved], paint)
    lines += _section("Criteria, mean over their cases", _criterion_rows(compared), paint)
    lines += _section("Scorecards", [Row(move.name, scorecard_words(move)) for move in compared.scorecards], paint)
    lines += _section("Errors", [Row(pair.name, error_words(pair, compared.names)) for pair in compared.errors], paint)
    only = (compared.comparison.only_before, compared.comparison.only_after)
    for name, cases in zip(compared.names, only, strict=True):
        lines += _section(f"Only in {harmless(name)}", [Row(case) for case in cases], paint)
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _pair_rows(pairs: Sequence[CasePair]) -> list[Row]:
    return [
        Row(pair.name, f"{state_words(pair)}, {score_change(pair)}", tuple(move_words(move) for move in pair.moves))
        for pair in pairs
    ]


def _criterion_rows(compared: Compared) -> list[Row]:
    changed = [change for change in compared.comparison.criteria if change.change]
    changed.sort(key=lambda change: change.change)
    return [Row(change.criterion, f"{criterion_words(change)} {many(change.cases, 'case')}") for change in changed]


def _section(title: str, rows: Sequence[Row], paint: Paint, style: str = "strong") -> Iterator[str]:
    if not rows:
        return
    width = min(_LONGEST_NAME, max(column_width(harmless(row.name)) for row in rows[:_MOST_LISTED]))
    yield ""
    yield paint(style, f"{title}: {len(rows):,}")
    for row in rows[:_MOST_LISTED]:
        yield f"  {padded(harmless(row.name), width)}  {harmless(row.said)}"
        yield from (f"  {'':{width}}  {paint('faint', harmless(line))}" for line in row.more)
    if len(rows) > _MOST_LISTED:
        yield paint("faint", f"  ... and {len(rows) - _MOST_LISTED:,} more (`--format json` has all)")
