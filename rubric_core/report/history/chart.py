"""The history of a skill as a chart in a terminal: a line for each dimension, with its trend and its usual range."""

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass
from decimal import Decimal

from rich.console import Console, ConsoleOptions, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from rubric_core.report.history.reviewed import Reviewed
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.scoring.scorecards import FLAGGED_BEYOND, DimensionHistory
from rubric_core.scoring.scorecards import HIGHEST_DIMENSION_SCORE as HIGHEST
from rubric_core.scoring.scorecards import LOWEST_DIMENSION_SCORE as LOWEST
from rubric_core.terminal.drawing import table

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


def chart(shown: Sequence[Reviewed], signs: Signs) -> Table:
    """Return the chart. The trend takes the room that the other columns leave."""
    history = {each.name: each for each in shown[-1].report.dimensions}
    mean, usual = ("mean", "usual") if history else ("", "")
    scale = f"{LOWEST}        {HIGHEST}"
    drawn = table("", f"oldest {signs.arrow} newest", scale, "last", mean, usual, right={"last", "mean"})
    for column in drawn.columns[2:]:
        column.no_wrap = True
    drawn.add_row(*_cells("final score", [each.evaluation.final_score for each in shown], signs, "", None))
    for name in DIMENSIONS:
        scores = [each.evaluation.dimensions[name] for each in shown]
        drawn.add_row(*_cells(name, scores, signs, _scale(scores[-1], history.get(name), signs), history.get(name)))
    return drawn


@dataclass(frozen=True, slots=True)
class _Trend:
    """A sign for each score, oldest first. Where there is too little room for all, the newest stay."""

    drawn: str
    cut: str
    style: str

    def __rich_measure__(self, _console: Console, _options: ConsoleOptions) -> Measurement:
        return Measurement(min(_SHORTEST_TREND, len(self.drawn)), len(self.drawn))

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[Text]:
        room = options.max_width
        cut = self.cut + self.drawn[len(self.drawn) - room + 1 :]
        yield Text(self.drawn if len(self.drawn) <= room else cut, self.style)


def _cells(
    name: str, scores: Sequence[int | Decimal], signs: Signs, scale: str, history: DimensionHistory | None
) -> tuple[RenderableType, ...]:
    """Return a line of the chart: scores from the oldest to the newest, and what was usual before the newest."""
    style = "warning" if history is not None and history.flagged else ""
    usual = ""
    if history is not None:
        reach = FLAGGED_BEYOND * history.standard_deviation
        usual = f"{max(history.mean - reach, Decimal(LOWEST)):.2f} to {min(history.mean + reach, Decimal(HIGHEST)):.2f}"
    return (
        Text(name, "strong"),
        _Trend("".join(signs.trend[_nearest(score) - LOWEST] for score in scores), signs.cut, style),
        Text(scale, style),
        Text(f"{scores[-1]}", style),
        "" if history is None else f"{history.mean}",
        Text(usual, "faint"),
    )


def _scale(latest: int, history: DimensionHistory | None, signs: Signs) -> str:
    """Return a sign for each possible score: the newest one, the mean before it, what is usual and what is not."""
    drawn = [signs.unusual] * len(_SCORES)
    if history is not None:
        reach = FLAGGED_BEYOND * history.standard_deviation
        drawn = [signs.usual if abs(score - history.mean) <= reach else signs.unusual for score in _SCORES]
        drawn[_nearest(history.mean) - LOWEST] = signs.mean
    drawn[_nearest(latest) - LOWEST] = signs.latest
    return "".join(drawn)


def _nearest(score: int | Decimal) -> int:
    return min(max(int(score + Decimal("0.5")), LOWEST), HIGHEST)
