"""Verdicts of scores and gates, and grades of the final scores of scorecards."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from fractions import Fraction

from rubric_core.schema.grades import GRADES, HIGHEST_FINAL, LOWEST_FINAL, GradeRow
from rubric_core.schema.scales import THREE_VERDICTS, VerdictMarks
from rubric_core.scoring.exact import decimal_text, weighted_mean


class Verdict(str, Enum):
    """The overall judgement of an answer."""

    PASS = "pass"  # noqa: S105 - a verdict, not a password.
    BORDERLINE = "borderline"
    FAIL = "fail"


def verdict_of(score: Fraction, *, gates_hold: bool, marks: VerdictMarks = THREE_VERDICTS) -> Verdict:
    """Return the verdict for an exact score from 0 to 1; a failed gate fails it, whatever the score."""
    if gates_hold and score >= marks.passing:
        return Verdict.PASS
    is_borderline = gates_hold and marks.borderline is not None and score >= marks.borderline
    return Verdict.BORDERLINE if is_borderline else Verdict.FAIL


def opposite(verdict: Verdict) -> Verdict:
    """Return the verdict of a negated result."""
    return _OPPOSITES.get(verdict, verdict)


_OPPOSITES = {Verdict.PASS: Verdict.FAIL, Verdict.FAIL: Verdict.PASS}
_WORST_FIRST = (Verdict.FAIL, Verdict.BORDERLINE, Verdict.PASS)


def standing(verdict: Verdict) -> int:
    """Return a number by which verdicts can be compared: the better the verdict, the larger."""
    return _WORST_FIRST.index(verdict)


@dataclass(frozen=True, slots=True)
class EvaluatorScore:
    """The score of one evaluator from 0 to 1, and whether its gates hold. Below its `minimum` the whole has 0."""

    name: str
    weight: Decimal
    score: Fraction
    gates_hold: bool = True
    minimum: Fraction | None = None


def combine(parts: Sequence[EvaluatorScore], marks: VerdictMarks = THREE_VERDICTS) -> tuple[Fraction, Verdict]:
    """Return the weighted mean of all parts, and its verdict; a gate that failed in any part fails the whole.

    A part below its minimum makes the score 0. Raises ValueError if no part has a weight above 0, or a score is not
    from 0 to 1.
    """
    for part in parts:
        if not 0 <= part.score <= 1:
            raise ValueError(f"The score of {part.name} is {decimal_text(part.score)}; it must be from 0 to 1.")
    score = weighted_mean((part.weight, part.score) for part in parts)
    if any(part.minimum is not None and part.score < part.minimum for part in parts):
        score = Fraction(0)
    return score, verdict_of(score, gates_hold=all(part.gates_hold for part in parts), marks=marks)


def grade_of(final: Decimal) -> GradeRow:
    """Return the grade of a final score, which starts at its lower bound. Raises ValueError unless it is 1 to 10."""
    if not final.is_finite() or not LOWEST_FINAL <= final <= HIGHEST_FINAL:
        raise ValueError(f"The final score is {final}; it must be from {LOWEST_FINAL} to {HIGHEST_FINAL}.")
    return next(row for row in GRADES if final >= row.lowest)


def describe_grade(grade: str) -> str:
    """Return the meaning of a grade; an empty text for an unknown grade."""
    return next((row.description for row in GRADES if row.grade == grade), "")


def is_below(grade: str, minimum: str) -> bool:
    """Return whether a grade is worse than a minimum from the table; an unknown grade is."""
    grades = [row.grade for row in GRADES]
    return grade not in grades[: grades.index(minimum) + 1]
