"""Where the problems of a case stand, in the words of a reader who has only the file: line, criterion and range."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rubric_core.rules.duplicate_case_id import RULE as DUPLICATE_CASE_ID

if TYPE_CHECKING:
    from rubric_core.model.suite import Suite
    from rubric_core.rules.problem import Problem
    from rubric_core.syntax.document import Document


class PlaceNames:
    """Names places of a suite's text."""

    def __init__(self, suite: Suite, document: Document) -> None:
        self._suite = suite
        self._document = document

    def of(self, offset: int, case: int) -> str:
        """Return `FILE:LINE`, and the criterion and the range that an offset stands in."""
        names = self._suite.names
        parts = (*names.get(("cases", case), ()), *names.get(("execution", "evaluators"), ()))
        around = sorted((span, name) for span, name in parts if span.start <= offset < span.end)
        return ", ".join([f"{self._suite.path}:{self._line(offset)}", *(name for _, name in around)])

    def worded(self, problem: Problem, case_id: str) -> Problem:
        """Return a problem as it is told without the file beside it: of two cases with one id, both lines are named."""
        if problem.code != DUPLICATE_CASE_ID.code or not problem.related:
            return problem
        lines = f"lines {self._line(problem.related[0].span.start)} and {self._line(problem.span.start)}"
        return replace(problem, message=f"Two cases are called {case_id} ({lines}); give one of them another id.")

    def _line(self, offset: int) -> int:
        return self._document.position(offset).line + 1
