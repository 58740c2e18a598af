"""Verdicts: what a score means, once all gates are known."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from rubric_core.schema.scales import BORDERLINE_MARK, PASS_MARK

if TYPE_CHECKING:
    from fractions import Fraction


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
