"""From final scores to letter grades."""

from decimal import Decimal

from rubric_core.schema.grades import GRADES, HIGHEST_FINAL, LOWEST_FINAL, GradeRow


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
