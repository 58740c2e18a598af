"""Scorecards: how an answer is graded on the seven dimensions."""

from decimal import Decimal
from typing import Annotated

from pydantic import Field, field_validator

from rubric_core.model.base import Model, Text, Weight
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.views.scorecards import DEFAULT_DEDUCTION, DEFAULT_WEIGHTS

Deduction = Annotated[Decimal, Field(gt=0, le=2)]


class RedFlag(Model):
    """A fault that lowers the grade."""

    id: Text
    expected_outcome: Text
    deduction: Deduction = DEFAULT_DEDUCTION


class Bonus(Model):
    """A merit that raises the grade by 0.25."""

    id: Text
    expected_outcome: Text


class Scorecard(Model):
    """The weights of the seven dimensions, with what lowers and raises the grade.

    `skill` is the key of its history; without one, the store makes a key of the case's file and id.
    """

    skill: str = ""
    weights: dict[str, Weight] = Field(default_factory=lambda: dict(DEFAULT_WEIGHTS))
    red_flags: tuple[RedFlag, ...] = ()
    bonuses: tuple[Bonus, ...] = ()

    @field_validator("weights")
    @classmethod
    def _are_complete(cls, weights: dict[str, Decimal]) -> dict[str, Decimal]:
        if set(weights) != set(DIMENSIONS):
            raise ValueError("the weights do not name each of the seven dimensions once")
        total = sum(weights.values())
        if total != 1:
            raise ValueError(f"the weights sum to {total}, not to 1.0")
        return {name: weights[name] for name in DIMENSIONS}
