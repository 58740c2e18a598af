"""Gates: the lowest passing score of a criterion, how it is written, and what a failed one fails."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

from rubric_core.schema.scales import HIGHEST, LOWEST
from rubric_core.syntax.nodes import Node
from rubric_core.syntax.scalars import YamlVersion, as_integer, as_number


@dataclass(frozen=True)
class ScoreGates:
    """Gates that are written as scores.

    `fails` is the record of what fails with the criterion. `of_required` is the gate of `required: true` beside score
    ranges without a gate, or None.
    """

    fails: str = "case"
    of_required: int | None = None
    in_words: ClassVar[str] = f"an integer from {LOWEST} to {HIGHEST}"
    lowest: ClassVar[int] = LOWEST
    """The lowest whole score that can be written as a gate."""

    def score_of(self, node: Node, version: YamlVersion) -> int | Decimal | None:
        """Return the score from 0 to 10 of a gate as written; None if it cannot be read."""
        score = as_integer(node, version)
        return score if score is not None and LOWEST <= score <= HIGHEST else None

    def written(self, score: int | Decimal) -> str:
        """Return a score from 0 to 10 as the gate of a criterion is written."""
        return str(score)

    def model_value(self, written: Any, _score: int | Decimal | None) -> Any:
        """Return the value of a gate in a model, from the value as written and its score."""
        return written


@dataclass(frozen=True)
class ShareGates(ScoreGates):
    """Gates that are written as shares of the highest score."""

    in_words: ClassVar[str] = "a number above 0 and up to 1"
    lowest: ClassVar[int] = LOWEST + 1

    def score_of(self, node: Node, version: YamlVersion) -> Decimal | None:
        """Return the score up to 10 of a gate as written; None if it cannot be read."""
        share = as_number(node, version)
        return share * HIGHEST if share is not None and share.is_finite() and 0 < share <= 1 else None

    def written(self, score: int | Decimal) -> str:
        """Return a score from 0 to 10 as the gate of a criterion is written."""
        return f"{(Decimal(score) / HIGHEST).normalize():f}"

    def model_value(self, _written: Any, score: int | Decimal | None) -> Any:
        """Return the score of a gate, as an integer if it is whole."""
        return int(score) if score is not None and score == int(score) else score


SCORE_GATES = ScoreGates()
