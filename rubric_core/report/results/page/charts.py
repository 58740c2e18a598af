"""The numbers of charts, which `charts.html` draws."""

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from rubric_core.report.results.wording import short_score
from rubric_core.schema.grades import HIGHEST_FINAL, LOWEST_FINAL

Value: TypeAlias = "tuple[str, Decimal | Fraction | int, bool]"
"""A score in a line over time: its label, the score, and whether it stands out."""
_COLUMNS, _COLUMN_HEIGHT, _BASE_LINE = 20, 140, 148
_PANEL_WIDTH, _PANEL_HEIGHT, _PANEL_MARGIN = 152, 48, 8


def at(share: Fraction | float) -> str:
    """Return a position in percent."""
    return f"{float(share) * 100:.3f}".rstrip("0").rstrip(".") + "%"


def on_scale(score: Decimal) -> Fraction:
    """Return where a score is on the scale of final scores, from 0 to 1."""
    lowest, highest = Fraction(LOWEST_FINAL), Fraction(HIGHEST_FINAL)
    return (min(max(Fraction(score), lowest), highest) - lowest) / (highest - lowest)


def points_of(values: Sequence[Value], lowest: int, highest: int) -> list[tuple[str, str, str, str, bool]]:
    """Return the positions of a line's points on a scale between two scores, each with its label and score as texts."""
    step = Fraction(_PANEL_WIDTH, max(len(values) - 1, 1))
    return [
        (
            f"{_PANEL_MARGIN + float(step * number):.1f}",
            f"{_PANEL_MARGIN + float(_PANEL_HEIGHT * (highest - Fraction(score)) / (highest - lowest)):.1f}",
            label,
            short_score(score) if isinstance(score, Fraction) else str(score),
            stands_out,
        )
        for number, (label, score, stands_out) in enumerate(values)
    ]


def columns_of(scores: Sequence[tuple[Fraction, str]]) -> Iterator[tuple[Fraction, Fraction, str, int, float, float]]:
    """Yield the parts of the columns of a histogram: bounds of scores, a state, its cases, its top and its height."""
    columns: list[Counter[str]] = [Counter() for _ in range(_COLUMNS)]
    for score, state in scores:
        columns[min(int(score * _COLUMNS), _COLUMNS - 1)][state] += 1
    highest = max(column.total() for column in columns) or 1
    for number, column in enumerate(columns):
        low, high = Fraction(number, _COLUMNS), Fraction(number + 1, _COLUMNS)
        top = Fraction(_BASE_LINE)
        for state, count in column.items():
            height = Fraction(_COLUMN_HEIGHT * count, highest)
            top -= height
            yield low, high, state, count, float(top), float(height)
