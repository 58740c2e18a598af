"""Scorecards: how an answer is graded on the seven dimensions."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any

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


def scorecard_values(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a scorecard that the configuration describes. A number counts as it is written there."""
    values: dict[str, Any] = {key: settings[key] for key in ("skill",) if key in settings}
    if "weights" in settings:
        values["weights"] = {name: _exact(number) for name, number in settings["weights"].items()}
    for key, prefix in (("red_flags", "red-flag"), ("bonuses", "bonus")):
        entries = enumerate(settings.get(key, ()), start=1)
        values[key] = tuple(_adjustment(entry, f"{prefix}-{number}") for number, entry in entries)
    return values


def _adjustment(entry: Any, generated_id: str) -> Any:
    if isinstance(entry, str):
        return {"id": generated_id, "expected_outcome": entry}
    if not isinstance(entry, Mapping):
        return entry
    values = {"id": generated_id, **entry}
    return {**values, "deduction": _exact(values["deduction"])} if "deduction" in values else values


def _exact(number: Any) -> Any:
    """Return a number of the configuration as a decimal; TOML's reader gives the nearest binary fraction of it."""
    return Decimal(str(number)) if isinstance(number, float) else number
