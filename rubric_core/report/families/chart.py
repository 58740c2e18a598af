"""The history of a skill as a chart in a terminal: a line for each dimension, with its trend and its usual range."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from decimal import Decimal
from typing import NamedTuple

from rubric_core.grading.results import Evaluation
from rubric_core.report.layout import Column, ReportTable, Words
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.scoring.scorecards import FLAGGED_BEYOND, DimensionHistory, HistoryReport
from rubric_core.scoring.scorecards import HIGHEST_DIMENSION_SCORE as HIGHEST
from rubric_core.scoring.scorecards import LOWEST_DIMENSION_SCORE as LOWEST

_SCORES = range(LOWEST, HIGHEST + 1)


@dataclass(frozen=True, slots=True)
class Signs:
    """The characters of a chart: one for each score of a trend, and those on the scale from 1 to 10."""

    trend: str
    latest: str
    mean: str
    usual: str
    unusual: str
    arrow: str
    cut: str


UNICODE = Signs("▁▂▂▃▄▅▅▆▇█", latest="●", mean="┿", usual="━", unusual="·", arrow="→", cut="…")
ASCII = Signs("123456789X", latest="o", mean="+", usual="-", unusual=".", arrow="to", cut="~")


def signs_for(encoding: str | None) -> Signs:
    """Return the signs that a stream of an encoding can show."""
    try:
        "".join(astuple(UNICODE)).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE


class _Row(NamedTuple):
    """A line of the chart: scores from the oldest to the newest, and what was usual before the newest."""

    name: str
    scores: Sequence[int | Decimal]
    history: DimensionHistory | None = None
    scale: str = ""

    def in_style(self, text: object, cut: str = "") -> Words:
        """Return a text in the style of a warning if the newest score is far from the others."""
        return Words(str(text), "warning" if self.history is not None and self.history.flagged else "", cut)


def chart(evaluations: Sequence[Evaluation], report: HistoryReport, signs: Signs) -> ReportTable:
    """Return the chart. The trend has the width that the other columns leave."""
    history = {evaluation.name: evaluation for evaluation in report.dimensions}
    rows = [_Row("final score", [evaluation.final_score for evaluation in evaluations])]
    for name in DIMENSIONS:
        scores = [evaluation.dimensions[name] for evaluation in evaluations]
        rows.append(_Row(name, scores, history.get(name), _scale(scores[-1], history.get(name), signs)))
    mean, usual = ("mean", "usual") if history else ("", "")
    columns = (
        Column("", "name", style="strong"),
        Column(f"oldest {signs.arrow} newest", "", lambda row: row.in_style(_trend(row.scores, signs), signs.cut)),
        Column(f"{LOWEST}        {HIGHEST}", "", lambda row: row.in_style(row.scale), "short"),
        Column("last", "", lambda row: row.in_style(row.scores[-1]), "number"),
        Column(mean, "history.mean", kind="number"),
        Column(usual, "history", _usual, "short", "faint"),
    )
    return ReportTable(columns, rows)


def _trend(scores: Sequence[int | Decimal], signs: Signs) -> str:
    return "".join(signs.trend[_nearest(score) - LOWEST] for score in scores)


def _usual(history: DimensionHistory) -> str:
    reach = FLAGGED_BEYOND * history.standard_deviation
    return f"{max(history.mean - reach, Decimal(LOWEST)):.2f} to {min(history.mean + reach, Decimal(HIGHEST)):.2f}"


def _scale(latest: int, history: DimensionHistory | None, signs: Signs) -> str:
    """Return a sign for each possible score: the newest, the mean before it, those in the usual range, and others."""
    drawn = [signs.unusual] * len(_SCORES)
    if history is not None:
        reach = FLAGGED_BEYOND * history.standard_deviation
        drawn = [signs.usual if abs(score - history.mean) <= reach else signs.unusual for score in _SCORES]
        drawn[_nearest(history.mean) - LOWEST] = signs.mean
    drawn[_nearest(latest) - LOWEST] = signs.latest
    return "".join(drawn)


def _nearest(score: int | Decimal) -> int:
    return min(max(int(score + Decimal("0.5")), LOWEST), HIGHEST)
