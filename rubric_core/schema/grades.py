"""Letter grades: which range of final scores has which grade, and what it means."""

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
