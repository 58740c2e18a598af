"""Code lenses in the later generations of AgentV."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from assistance import finished
from dialect_suites import SUITES

from rubric_core.analysis.check import analyse
from rubric_core.assist.commands import GRADE_CASE, GRADE_FILE
from rubric_core.assist.lenses import Lens
from rubric_core.assist.lenses import lenses as work_on_lenses

if TYPE_CHECKING:
    from collections.abc import Collection

    from rubric_core.analysis.analysis import Analysis
    from rubric_core.assist.case_grades import Grades


def lenses(analysis: Analysis, commands: Collection[str], grades: Grades | None = None) -> list[Lens]:
    """Do all the work at once."""
    return finished(work_on_lenses(analysis, commands, grades or {}))


@pytest.mark.parametrize("name", SUITES)
def test_each_dialect_has_lenses_for_grading(name: str) -> None:
    """All dialects are graded."""
    assert lenses(analyse(SUITES[name], path="a.eval.yaml"), {GRADE_FILE, GRADE_CASE})
