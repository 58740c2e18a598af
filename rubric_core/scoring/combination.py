"""The score of a case: what its evaluators say, weighted, with the gates of all of them kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rubric_core.scoring.exact import decimal_text, weighted_mean
from rubric_core.scoring.verdicts import Verdict, verdict_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal
    from fractions import Fraction


@dataclass(frozen=True, slots=True)
class EvaluatorScore:
    """What one evaluator says: a score from 0 to 1, and whether no gate of it failed."""

    name: str
    weight: Decimal
    score: Fraction
    gates_hold: bool = True


@dataclass(frozen=True, slots=True)
class Combination:
    """The score and the verdict of all parts together."""

    score: Fraction
    verdict: Verdict


def combine(parts: Sequence[EvaluatorScore]) -> Combination:
    """Return the weighted mean of all parts, and its verdict; a gate that failed in any part fails the whole.

    Raises:
        ValueError: There is no part with a weight above 0, or a score is not from 0 to 1.
    """
    for part in parts:
        if not 0 <= part.score <= 1:
            raise ValueError(f"The score of {part.name} is {decimal_text(part.score)}; it must be from 0 to 1.")
    score = weighted_mean((part.weight, part.score) for part in parts)
    return Combination(score, verdict_of(score, gates_hold=all(part.gates_hold for part in parts)))
