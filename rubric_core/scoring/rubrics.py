"""The score of a rubric: checks of its criteria, weighted, with its gates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from decimal import Decimal
    from fractions import Fraction

    from rubric_core.scoring.verdicts import Verdict

Mode = Literal["checklist", "score-range"]
Gate = Literal["passed", "failed"]


class Band(NamedTuple):
    """A range of scores, both ends included, and what an answer in it is like."""

    minimum: int
    maximum: int
    outcome: str


@dataclass(frozen=True, slots=True)
class CriterionScore:
    """One criterion with what the judge said of it.

    `value` is what it earned, from 0 to 1, before its weight; `gate` is None where the criterion gates nothing.
    `outcome` is the text that was judged: of the criterion, or of the band that the score falls into. In score-range
    mode `bands` are all ranges as written and `required_min_score` is the lowest score that passes the gate, so that a
    report can draw both.
    """

    id: str
    mode: Mode
    weight: Decimal
    value: Fraction
    satisfied: bool | None = None
    score: int | None = None
    gate: Gate | None = None
    outcome: str = ""
    reasoning: str = ""
    bands: tuple[Band, ...] = ()
    required_min_score: int | None = None


@dataclass(frozen=True, slots=True)
class RubricScore:
    """The score of a whole list of criteria, exact, with its verdict."""

    criteria: tuple[CriterionScore, ...]
    score: Fraction
    verdict: Verdict

    @property
    def gates_hold(self) -> bool:
        """Tell whether no gate failed."""
        return all(criterion.gate != "failed" for criterion in self.criteria)
