"""The score of a scorecard: seven dimensions, deductions, bonuses, a grade."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from decimal import Decimal


@dataclass(frozen=True, slots=True)
class DimensionJudgement:
    """What a judge said of one dimension: an integer from 1 to 10."""

    score: int
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A red flag or a bonus that a judge saw in the answer."""

    id: str
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class ScorecardJudgement:
    """A valid judgement of all dimensions, by name in the order of the format, and what the judge found."""

    dimensions: Mapping[str, DimensionJudgement]
    red_flags: tuple[Finding, ...] = ()
    bonuses: tuple[Finding, ...] = ()
    overall_reasoning: str = ""


@dataclass(frozen=True, slots=True)
class DimensionScore:
    """One dimension with its weight."""

    name: str
    score: int
    weight: Decimal
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A red flag with the points that it takes, or a bonus with the points that it gives; before the cap."""

    id: str
    amount: Decimal
    outcome: str = ""
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class ScorecardScore:
    """A graded scorecard. Totals are after the caps; scores have two decimal places.

    `adjusted` is the score after the deductions and before the bonuses.
    """

    dimensions: tuple[DimensionScore, ...]
    composite: Decimal
    deductions: tuple[Adjustment, ...]
    deduction_total: Decimal
    adjusted: Decimal
    bonuses: tuple[Adjustment, ...]
    bonus_total: Decimal
    final_score: Decimal
    grade: str
    label: str
    overall_reasoning: str = ""
