"""Charts as inline SVG: positions in percent, so that they fit any width while their text keeps its size."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from rubric_core.report.results.page.markup import Html, element, slug
from rubric_core.report.results.wording import PipelineStep, State, short_score
from rubric_core.schema.grades import HIGHEST_FINAL, LOWEST_FINAL
from rubric_core.schema.scales import BORDERLINE_MARK, HIGHEST, LOWEST, PASS_MARK
from rubric_core.scoring.rubrics import CriterionScore
from rubric_core.scoring.scorecards import DimensionHistory

# Each score has a cell.
_CELLS = HIGHEST - LOWEST + 1
DIMENSION_SCALE, CASE_SCALE = (1, 10), (0, 1)
Value: TypeAlias = "tuple[str, Decimal | Fraction | int, bool]"
"""A score in a line over time: its label, the score, and whether it stands out."""
_COLUMNS, _COLUMN_HEIGHT, _BASE_LINE = 20, 140, 148
_PANEL_WIDTH, _PANEL_HEIGHT, _PANEL_MARGIN = 168, 64, 8


def _chart(class_: str, title: str, *content: Html, **attributes: str) -> Html:
    """Return an image with a name that is read aloud."""
    return element("svg", element("title", title), *content, class_=f"chart {class_}", role="img", **attributes)


def _at(share: Fraction | float) -> str:
    return f"{float(share) * 100:.3f}".rstrip("0").rstrip(".") + "%"


def _rect(x: Fraction, width: Fraction, class_: str, title: str = "", **attributes: str) -> Html:
    tip = element("title", title) if title else None
    return element("rect", tip, x=_at(x), width=_at(max(width, Fraction(0))), class_=class_, **attributes)


def _bar(length: Fraction, class_: str) -> Html:
    return element("rect", width=_at(length), height="8", y="4", rx="4", class_=class_)


def _vertical(x: Fraction, top: str, bottom: str, class_: str, *content: Html) -> Html:
    return element("line", *content, x1=_at(x), x2=_at(x), y1=top, y2=bottom, class_=class_)


def _rail(y: int, width: str = "100%") -> Html:
    return element("line", x1="0", x2=width, y1=str(y), y2=str(y), class_="rail")


def counts_bar(counts: Mapping[State, int]) -> Html:
    """Return one bar that is divided among the states as the cases are."""
    total = sum(counts.values()) or 1
    pieces, start = [], Fraction(0)
    for state, number in counts.items():
        width = Fraction(number, total)
        if number:
            pieces.append(_rect(start, width, f"fill {slug(state)}", f"{number} {state}", height="100%"))
        start += width
    title = ", ".join(f"{number} {state}" for state, number in counts.items() if number) or "no cases"
    return _chart("counts", title, *pieces)


def score_bar(score: Fraction, state: str, title: str) -> Html:
    """Return a score from 0 to 1 with the marks of the verdicts."""
    marks = [_vertical(mark, "0", "100%", "mark") for mark in (BORDERLINE_MARK, PASS_MARK)]
    return _chart("score", title, _bar(Fraction(1), "track"), _bar(score, f"fill {slug(state)}"), *marks)


def contribution_bar(share: Fraction, value: Fraction, tone: str, title: str) -> Html:
    """Return how much a criterion could add to the score, and how much it did."""
    return _chart("contribution", title, _rail(8), _bar(share, "track"), _bar(share * value, f"fill {tone}"))


def band_ruler(criterion: CriterionScore, tone: str, title: str) -> Html:
    """Return the scores from 0 to 10 with the bands on them, the gate, and a mark on the score that was given."""
    score = criterion.score or 0
    bands = [
        _rect(
            Fraction(band.minimum, _CELLS),
            Fraction(band.maximum - band.minimum + 1, _CELLS),
            f"band fill {tone}" if band.minimum <= score <= band.maximum else f"band shade-{number % 2}",
            f"{band.minimum}-{band.maximum}: {band.outcome}",
            y="22",
            height="12",
        )
        for number, band in enumerate(criterion.bands)
    ]
    ticks = [
        element("text", str(number), x=_at(_middle(number)), y="48", class_=f"tick{' chosen' * (number == score)}")
        for number in range(_CELLS)
    ]
    gate = []
    if (minimum := criterion.required_min_score) is not None:
        tip = element("title", f"The gate needs at least {minimum}.")
        gate = [_vertical(Fraction(minimum) / _CELLS, "14", "38", "gate", tip)]
    pin = element(
        "svg",
        element("path", d="M0 20 L-5 12 H5 Z", class_=f"fill {tone}"),
        element("rect", x="-12", y="-1", width="24", height="15", rx="7.5", class_=f"fill {tone}"),
        element("text", str(score), y="10.5", class_="pin"),
        x=_at(_middle(score)),
        overflow="visible",
    )
    return _chart("ruler", title, *bands, *gate, *ticks, pin)


def _middle(score: int) -> Fraction:
    return Fraction(2 * score + 1, 2 * _CELLS)


def dimension_bar(score: int, title: str, history: DimensionHistory | None) -> Html:
    """Return the score of a dimension, with the mean of its history and one standard deviation to both sides."""
    bars = [_bar(Fraction(1), "track"), _bar(Fraction(score, HIGHEST), "fill accent")]
    if history is not None:
        mean, deviation = Fraction(history.mean), Fraction(history.standard_deviation)
        low = max(mean - deviation, Fraction(0)) / HIGHEST
        high = min(mean + deviation, Fraction(HIGHEST)) / HIGHEST
        bars.append(_rect(low, high - low, "spread", y="13", height="3"))
        bars.append(_vertical(mean / HIGHEST, "0", "16", "mean"))
    return _chart("dimension", title, *bars)


def step_bar(step: PipelineStep) -> Html:
    """Return one step of the way to the final score, on the scale from 1 to 10."""
    whole = Fraction(HIGHEST_FINAL) - Fraction(LOWEST_FINAL)
    start, end = (
        (Fraction(min(max(score, LOWEST_FINAL), HIGHEST_FINAL)) - Fraction(LOWEST_FINAL)) / whole
        for score in (step.start, step.end)
    )
    left, right = min(start, end), max(start, end)
    if step.kind == "cap":
        return _chart("step", step.label, _rail(8), _vertical(end, "0", "16", "gate"))
    tones = {"total": "accent", "deduction": "fail", "bonus": "pass"}
    drawn = _rect(left, right - left, f"fill {tones[step.kind]}", height="10", y="3", rx="2")
    return _chart("step", f"{step.label} {step.amount}", _rail(8), drawn)


def history_panel(
    name: str,
    values: Sequence[Value],
    scale: tuple[int, int] = DIMENSION_SCALE,
) -> Html:
    """Return the line of a score over time on a scale; see `Value`."""
    inner_width, inner_height = _PANEL_WIDTH - 2 * _PANEL_MARGIN, _PANEL_HEIGHT - 2 * _PANEL_MARGIN
    step = Fraction(inner_width, max(len(values) - 1, 1))
    lowest, highest = scale
    heights = [inner_height * (highest - Fraction(score)) / (highest - lowest) for _, score, _ in values]
    points = [
        (_PANEL_MARGIN + float(step * number), _PANEL_MARGIN + float(height)) for number, height in enumerate(heights)
    ]
    dots = [
        element(
            "circle",
            element("title", f"{label}: {_words(score)}"),
            cx=f"{x:.1f}",
            cy=f"{y:.1f}",
            r="4.5" if stands_out else "2.5",
            class_="dot shown" if stands_out else "dot",
        )
        for (x, y), (label, score, stands_out) in zip(points, values, strict=True)
    ]
    line = element("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), class_="line")
    scores = ", ".join(_words(score) for _, score, _ in values)
    return _chart(
        "panel",
        f"{name}: {scores}",
        *(_rail(y, str(_PANEL_WIDTH)) for y in (_PANEL_MARGIN, _PANEL_HEIGHT - _PANEL_MARGIN)),
        line,
        *dots,
        viewBox=f"0 0 {_PANEL_WIDTH} {_PANEL_HEIGHT}",
        width=str(_PANEL_WIDTH),
        height=str(_PANEL_HEIGHT),
    )


def _words(score: Decimal | Fraction | int) -> str:
    return short_score(score) if isinstance(score, Fraction) else str(score)


def histogram(scores: Sequence[tuple[Fraction, str]]) -> Html:
    """Return how the scores are spread from 0 to 1, in twenty columns with the colours of the verdicts."""
    columns: list[Counter[str]] = [Counter() for _ in range(_COLUMNS)]
    for score, state in scores:
        columns[min(int(score * _COLUMNS), _COLUMNS - 1)][state] += 1
    highest = max(column.total() for column in columns) or 1
    bars = [bar for number, column in enumerate(columns) for bar in _column(number, column, highest)]
    labels = [
        element("text", label, x=_at(at), y=str(_BASE_LINE + 15), class_=f"tick {anchor}")
        for label, at, anchor in (("0", 0.0, "start"), ("0.6", 0.6, ""), ("0.8", 0.8, ""), ("1", 1.0, "end"))
    ]
    marks = [_vertical(mark, "0", str(_BASE_LINE), "mark") for mark in (BORDERLINE_MARK, PASS_MARK)]
    title = f"The spread of {len(scores)} scores from 0 to 1"
    return _chart("histogram", title, *marks, *bars, _rail(_BASE_LINE), *labels)


def _column(number: int, column: Mapping[str, int], highest: int) -> Iterable[Html]:
    bottom = Fraction(_BASE_LINE)
    for state, count in column.items():
        height = Fraction(_COLUMN_HEIGHT * count, highest)
        bottom -= height
        low, high = Fraction(number, _COLUMNS), Fraction(number + 1, _COLUMNS)
        yield _rect(
            low,
            high - low,
            f"fill column {slug(state)}",
            f"{count} {state} from {float(low):.2f} to {float(high):.2f}",
            y=f"{float(bottom):.2f}",
            height=f"{float(height):.2f}",
        )
