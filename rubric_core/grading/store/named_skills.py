"""Which cases name their skill: what rows do not tell that were stored before skills had the name of their file."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from rubric_core.files.read import Unreadable, read_text
from rubric_core.syntax.limits import DEFAULT_LIMITS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def skill_reader(project: Path) -> Callable[[str, str], bool]:
    """Return a function that tells whether a case of a file names a skill that is equal to its id.

    The file is read as it is now, once; where it cannot be read, no case of it does.
    """

    @cache
    def named_in(file: str) -> frozenset[str]:
        # Only a store of an old version needs this, once.
        from rubric_core.model.load import CannotLoad, load_text  # noqa: PLC0415 - see the line above.

        read = read_text(project / file, DEFAULT_LIMITS)
        try:
            suites = () if isinstance(read, Unreadable) else load_text(read.text, file)
        except CannotLoad:
            suites = ()
        cases = (case for suite in suites for case in suite.cases)
        return frozenset(case.id for case in cases if case.scorecard is not None and case.scorecard.skill == case.id)

    return lambda file, case_id: case_id in named_in(file)
