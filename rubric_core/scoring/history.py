"""Historical consistency: how far an evaluation lies from the ones before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from decimal import Decimal


@dataclass(frozen=True, slots=True)
class DimensionHistory:
    """One dimension against its past: `deviation` is the distance from the mean; `flagged` asks for a review."""

    name: str
    score: int
    mean: Decimal
    standard_deviation: Decimal
    deviation: Decimal
    flagged: bool


@dataclass(frozen=True, slots=True)
class HistoryReport:
    """The past of a skill as one evaluation sees it. Without two earlier evaluations there are no dimensions."""

    skill: str
    evaluations: int
    dimensions: tuple[DimensionHistory, ...] = ()

    @property
    def flags(self) -> tuple[str, ...]:
        """Return the names of the dimensions that want a review."""
        return tuple(dimension.name for dimension in self.dimensions if dimension.flagged)
