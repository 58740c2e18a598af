"""What the tests of the reports share: problems on a needle of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

from rubric_core.rules.problem import Problem, Related, Severity
from rubric_core.text.spans import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.rules.problem import Fix


class Found(Protocol):
    """Make a problem on the first place of a text that reads like the needle."""

    def __call__(  # noqa: PLR0913, D102 - the fields of a problem.
        self,
        text: str,
        needle: str,
        *,
        code: str = "RB101",
        name: str = "overlapping-score-ranges",
        severity: str = "error",
        message: str = "Ranges overlap.",
        related: Sequence[tuple[str, str]] = (),
        fixes: Sequence[Fix] | None = None,
    ) -> Problem: ...


@pytest.fixture
def found() -> Found:
    """Return the maker of problems."""

    def span(text: str, needle: str) -> Span:
        start = text.index(needle)
        return Span(start, start + len(needle))

    def make(  # noqa: PLR0913 - the fields of a problem.
        text: str,
        needle: str,
        *,
        code: str = "RB101",
        name: str = "overlapping-score-ranges",
        severity: str = "error",
        message: str = "Ranges overlap.",
        related: Sequence[tuple[str, str]] = (),
        fixes: Sequence[Fix] | None = None,
    ) -> Problem:
        near = tuple(Related(span(text, place), note) for place, note in related)
        thunk = None if fixes is None else lambda: fixes
        return Problem(code, name, Severity(severity), span(text, needle), message, near, thunk)

    return make
