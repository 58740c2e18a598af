"""Verdicts: what a score means once all gates are known, and the score of a case: its evaluators, weighted."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction

from rubric_core.schema.scales import BORDERLINE_MARK, PASS_MARK
from rubric_core.scoring.exact import decimal_text, weighted_mean


class Verdict(str, Enum):
    """What is said of an answer in one word."""

    PASS = "pass"  # noqa: S105 - a verdict, not a password.
    BORDERLINE = "borderline"
    FAIL = "fail"


def verdict_of(score: Fraction, *, gates_hold: bool) -> Verdict:
    """Return the verdict for an exact score from 0 to 1; a gate that failed fails it, whatever the score."""
    if not gates_hold or score < BORDERLINE_MARK:
        return Verdict.FAIL
    return Verdict.PASS if score >= PASS_MARK else Verdict.BORDERLINE


_WORST_FIRST = (Verdict.FAIL, Verdict.BORDERLINE, Verdict.PASS)


def standing(verdict: Verdict) -> int:
    """Return a number by which verdicts can be compared: the better the verdict, the larger."""
    return _WORST_FIRST.index(verdict)


@dataclass(frozen=True, slots=True)
class EvaluatorScore:
    """What one evaluator says: a score from 0 to 1, and whether no gate of it failed."""

    name: str
    weight: Decimal
    score: Fraction
    gates_hold: bool = True


def combine(parts: Sequence[EvaluatorScore]) -> tuple[Fraction, Verdict]:
    """Return the weighted mean of all parts, and its verdict; a gate that failed in any part fails the whole.

    Raises:
        ValueError: There is no part with a weight above 0, or a score is not from 0 to 1.
    """
    for part in parts:
        if not 0 <= part.score <= 1:
            raise ValueError(f"The score of {part.name} is {decimal_text(part.score)}; it must be from 0 to 1.")
    score = weighted_mean((part.weight, part.score) for part in parts)
    return score, verdict_of(score, gates_hold=all(part.gates_hold for part in parts))
