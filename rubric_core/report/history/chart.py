"""The history of a skill as a chart in a terminal: a line for each dimension, with its trend and its usual range."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from rubric_core.report.tables import Cell, aligned, table_width
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.scoring.history import FLAGGED_BEYOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.report.colours import Paint
    from rubric_core.report.history.reviewed import Reviewed
    from rubric_core.scoring.history import DimensionHistory

LOWEST = 1
HIGHEST = 10
_SCORES = range(LOWEST, HIGHEST + 1)
_SHORTEST_TREND = 10


@dataclass(frozen=True, slots=True)
class Signs:
    """What a chart is drawn with: a sign for each score of a trend, and the signs on the scale from 1 to 10."""

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


def chart(shown: Sequence[Reviewed], signs: Signs, width: int, paint: Paint) -> list[str]:
    """Return the lines of the chart. The trend takes the room that the other columns leave; the newest scores stay."""
    latest = shown[-1]
    past = {each.name: each for each in latest.report.dimensions}
    lines = [
        _Line("final score", [each.evaluation.final_score for each in shown]),
        *(
            _Line(name, [each.evaluation.dimensions[name] for each in shown], past.get(name), has_scale=True)
            for name in DIMENSIONS
        ),
    ]
    heading = [
        *(
            Cell("", "faint"),
            Cell(f"oldest {signs.arrow} newest", "faint"),
            Cell(f"{LOWEST}        {HIGHEST}", "faint"),
        ),
        *(Cell("last", "faint", right=True), Cell("mean" if past else "", "faint", right=True)),
        Cell("usual" if past else "", "faint"),
    ]
    without_trend = [line.cells("", signs) for line in lines] + [[*heading[:1], Cell(""), *heading[2:]]]
    room = max(_SHORTEST_TREND, width - table_width(without_trend))
    return aligned([heading, *(line.cells(line.trend(signs, room), signs) for line in lines)], paint)


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of the chart: scores from the oldest to the newest, and what was usual before the newest."""

    name: str
    scores: Sequence[int | Decimal]
    past: DimensionHistory | None = None
    has_scale: bool = False

    def trend(self, signs: Signs, room: int) -> str:
        """Return a sign for each score that there is room for."""
        drawn = "".join(signs.trend[_nearest(score) - LOWEST] for score in self.scores)
        return drawn if len(drawn) <= room else signs.cut + drawn[len(drawn) - room + 1 :]

    def cells(self, trend: str, signs: Signs) -> list[Cell]:
        """Return the line with a trend."""
        past = self.past
        style = "warning" if past is not None and past.flagged else ""
        return [
            Cell(self.name, "strong"),
            Cell(trend, style),
            Cell(self._scale(signs) if self.has_scale else "", style),
            Cell(f"{self.scores[-1]}", style, right=True),
            Cell("" if past is None else f"{past.mean}", right=True),
            Cell("" if past is None else usual_range(past), "faint"),
        ]

    def _scale(self, signs: Signs) -> str:
        """Return a sign for each possible score: the newest one, the mean before it, what is usual and what is not."""
        drawn = [signs.usual if self.past and is_usual(score, self.past) else signs.unusual for score in _SCORES]
        if self.past:
            drawn[_nearest(self.past.mean) - LOWEST] = signs.mean
        drawn[_nearest(self.scores[-1]) - LOWEST] = signs.latest
        return "".join(drawn)


def is_usual(score: int, past: DimensionHistory) -> bool:
    """Tell whether a score would not be flagged."""
    return abs(score - past.mean) <= FLAGGED_BEYOND * past.standard_deviation


def usual_range(past: DimensionHistory) -> str:
    """Return from where to where a score is not flagged, as far as there are scores."""
    reach = FLAGGED_BEYOND * past.standard_deviation
    return f"{max(past.mean - reach, Decimal(LOWEST)):.2f} to {min(past.mean + reach, Decimal(HIGHEST)):.2f}"


def _nearest(score: int | Decimal) -> int:
    return min(max(int(score + Decimal("0.5")), LOWEST), HIGHEST)
