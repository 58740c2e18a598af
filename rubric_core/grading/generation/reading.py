"""A text read as suites with all its problems: what is compared before anything is written."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rubric_core.analysis.check import check_text
from rubric_core.grading.failures import CannotGrade
from rubric_core.model.load import CannotLoad, load_text
from rubric_core.rules.problem import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rubric_core.analysis.surroundings import Surroundings
    from rubric_core.config.config import Config
    from rubric_core.model.suite import EvalCase, Suite
    from rubric_core.rules.problem import Problem

Number = tuple[int, int]
"""Which suite of a file, and which of its cases, both from 0."""


@dataclass(frozen=True, slots=True)
class SuiteReading:
    """The suites of a text and its problems."""

    text: str
    path: str
    suites: tuple[Suite, ...]
    problems: tuple[Problem, ...]

    @property
    def cases(self) -> dict[Number, EvalCase]:
        """Return all cases in the order of the text."""
        return {
            (place, number): case for place, suite in enumerate(self.suites) for number, case in enumerate(suite.cases)
        }


def read_suites(text: str, path: str, config: Config, surroundings: Surroundings) -> SuiteReading:
    """Read a text with the problems that `rubric check` would show.

    Raises CannotGrade where it is no eval file.
    """
    checked = check_text(text, path=path, config=config, surroundings=surroundings)
    if not checked.ours:
        raise CannotGrade("This is no eval file: it has no list of cases with expected_outcome or input_messages.")
    try:
        suites = load_text(text, path, problems=checked.problems, config=config)
    except CannotLoad as error:
        raise CannotGrade(error.reason) from None
    return SuiteReading(text, path, suites, checked.problems)


def serious(problems: Iterable[Problem]) -> Counter[str]:
    """Count the errors and warnings among problems by their codes."""
    return Counter(problem.code for problem in problems if problem.severity is not Severity.HINT)
