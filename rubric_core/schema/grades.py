"""Letter grades: which range of final scores has which grade, and what it means."""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple

LOWEST_FINAL = Decimal("1.00")
HIGHEST_FINAL = Decimal("10.00")
"""Every dimension, every composite and every final score lies from the lowest to the highest, both included."""


class GradeRow(NamedTuple):
    """A grade with the lowest score that earns it; the row above begins where it ends."""

    grade: str
    lowest: Decimal
    label: str
    description: str


GRADES = tuple(
    GradeRow(grade, Decimal(lowest), label, description)
    for grade, lowest, label, description in (
        ("A+", "9.50", "Exceptional", "Virtually flawless. Exceeds expectations in every dimension."),
        ("A", "9.00", "Excellent", "Outstanding quality with only the most trivial imperfections."),
        ("A-", "8.50", "Very Good", "High quality across all dimensions. Minor issues only."),
        ("B+", "8.00", "Good", "Solid output with a few noticeable but non-critical issues."),
        ("B", "7.50", "Above Average", "Competent output that meets expectations with room for improvement."),
        ("B-", "7.00", "Satisfactory", "Meets basic requirements. Some dimensions need improvement."),
        ("C+", "6.50", "Adequate", "Acceptable but clearly below professional standards."),
        ("C", "6.00", "Mediocre", "Barely meets minimum requirements. Multiple areas need work."),
        ("C-", "5.50", "Below Average", "Falls short of expectations in several dimensions."),
        ("D+", "5.00", "Poor", "Significant deficiencies. Output requires major rework."),
        ("D", "4.00", "Very Poor", "Fails to meet most requirements. Fundamental issues present."),
        ("F", "1.00", "Failing", "Output is unusable or severely flawed. Does not fulfill the task."),
    )
)
"""All grades, best first."""


def grade_of(final: Decimal) -> GradeRow:
    """Return the grade of a final score: a lower bound belongs to its grade, an upper one to the next grade.

    Raises:
        ValueError: The score is not from 1 to 10.
    """
    if not final.is_finite() or not LOWEST_FINAL <= final <= HIGHEST_FINAL:
        raise ValueError(f"The final score is {final}; it must be from {LOWEST_FINAL} to {HIGHEST_FINAL}.")
    return next(row for row in GRADES if final >= row.lowest)


def describe_grade(grade: str) -> str:
    """Return what a grade means; an empty text for a grade that the table does not have."""
    return next((row.description for row in GRADES if row.grade == grade), "")


def is_below(grade: str, minimum: str) -> bool:
    """Return whether a grade is worse than a minimum from the table; a grade that the table does not have is."""
    grades = [row.grade for row in GRADES]
    return grade not in grades[: grades.index(minimum) + 1]
