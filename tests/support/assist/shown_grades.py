"""Grades of cases, as a client has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.analysis.check import analyse
from rubric_core.assist.case_grades import (
    CaseGrade,
    CriterionGrade,
    place_of_case,
)

if TYPE_CHECKING:
    from rubric_core.analysis.analysis import Analysis


def opened(text: str) -> Analysis:
    """Return a file that has been read."""
    analysis = analyse(text, path="a.eval.yaml")
    analysis.refresh()
    return analysis


def graded(analysis: Analysis, case_id: str = "a") -> CaseGrade:
    """Return a grade of a case as it is now, in which nothing was met."""
    place = place_of_case(analysis, case_id)
    assert place is not None
    criteria = [
        CriterionGrade(key, "not met", is_met=False, gate_failed=False, reasoning="Why.", text=each.text)
        for key, each in place.criteria.items()
    ]
    return CaseGrade(case_id, "fail", "0", criteria=tuple(criteria))
