"""Criteria: what a judge checks, either as met or not, or as a score from 0 to 10."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field, model_validator

from rubric_core.model.base import JsonValue, Model, SparseModel, Text, Weight
from rubric_core.schema.scales import HIGHEST, LOWEST

Score = Annotated[int, Field(ge=LOWEST, le=HIGHEST)]
Gate = Score | Annotated[Decimal, Field(gt=LOWEST, lt=HIGHEST)]
"""The lowest score that does not fail a criterion; a fraction where a dialect writes it as a share of 10."""


class ScoreRange(Model):
    """A band of scores, both ends included, and what an answer in it is like."""

    minimum: Score
    maximum: Score
    expected_outcome: Text

    @model_validator(mode="after")
    def _is_not_inverted(self) -> ScoreRange:
        if self.minimum > self.maximum:
            raise ValueError(f"the range runs from {self.minimum} down to {self.maximum}")
        return self

    def __contains__(self, score: int) -> bool:
        return self.minimum <= score <= self.maximum


class _CriterionModel(SparseModel):
    """Base of both kinds: whether the answer must support the criterion or must not contradict it.

    `other_fields` has the values of fields that are in the table of fields and have no attribute here.
    """

    rare = frozenset({"operator", "other_fields"})
    operator: Literal["correctness", "contradiction"] | None = None
    other_fields: dict[str, JsonValue] = Field(default_factory=dict, repr=False)


class ChecklistCriterion(_CriterionModel):
    """A criterion that is met or not. Failing a required one fails the case."""

    mode: Literal["checklist"] = "checklist"
    id: Text
    expected_outcome: Text
    weight: Weight = Decimal(1)
    required: bool = True


class ScoreRangeCriterion(_CriterionModel):
    """A criterion that is scored from 0 to 10. A score below `required_min_score` fails the case."""

    mode: Literal["score-range"] = "score-range"
    id: Text
    expected_outcome: Text | None = None
    weight: Weight = Decimal(1)
    required_min_score: Gate | None = None
    score_ranges: tuple[ScoreRange, ...]

    def band(self, score: int) -> ScoreRange | None:
        """Return the range that contains a score, or None."""
        return next((band for band in self.score_ranges if score in band), None)


Criterion = Annotated[ChecklistCriterion | ScoreRangeCriterion, Field(discriminator="mode")]
"""Either kind; both may be in one list."""
