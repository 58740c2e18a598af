"""Historical consistency: how far an evaluation lies from the ones before it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from rubric_core.scoring.exact import rounded, rounded_root

WINDOW = 10
"""How many evaluations before the current one are looked at."""
FEWEST = 2
"""How many of them it takes to speak of a deviation."""
FLAGGED_BEYOND = 2
"""How many standard deviations from the mean are still usual."""


@dataclass(frozen=True, slots=True)
class DimensionHistory:
    """One dimension against its history: `deviation` is the distance from the mean; `flagged` asks for a review."""

    name: str
    score: int
    mean: Decimal
    standard_deviation: Decimal
    deviation: Decimal
    flagged: bool


@dataclass(frozen=True, slots=True)
class HistoryReport:
    """The history of a skill as one evaluation sees it. Without two earlier evaluations there are no dimensions.

    `evaluations` counts the earlier evaluations that were looked at, ten at most.
    """

    skill: str
    evaluations: int
    dimensions: tuple[DimensionHistory, ...] = ()

    @property
    def flags(self) -> tuple[str, ...]:
        """Return the names of the dimensions that want a review."""
        return tuple(dimension.name for dimension in self.dimensions if dimension.flagged)


def history_report(skill: str, current: Mapping[str, int], earlier: Sequence[Mapping[str, int]]) -> HistoryReport:
    """Compare the scores of each dimension with those of the evaluations before, which are given oldest first.

    A dimension is flagged where its distance from the mean is more than two standard deviations. That is decided on
    exact squares; only the numbers that are shown are rounded. Where the scores never varied, any other is flagged.
    """
    window = earlier[-WINDOW:]
    if len(window) < FEWEST:
        return HistoryReport(skill, len(window))
    dimensions = (_compare(name, score, [each[name] for each in window]) for name, score in current.items())
    return HistoryReport(skill, len(window), tuple(dimensions))


def _compare(name: str, score: int, history: Sequence[int]) -> DimensionHistory:
    mean = Fraction(sum(history), len(history))
    # The sample variance: the history is a sample of what the skill does, not all of it.
    variance = sum(((value - mean) ** 2 for value in history), Fraction(0)) / (len(history) - 1)
    distance = abs(score - mean)
    return DimensionHistory(
        name=name,
        score=score,
        mean=rounded(mean),
        standard_deviation=rounded_root(variance),
        deviation=rounded(distance),
        flagged=distance**2 > FLAGGED_BEYOND**2 * variance,
    )
