"""Problems on a needle of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.rules.problem import Problem, Related, Severity
from rubric_core.text.spans import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.rules.problem import Fix


def problem_at(  # noqa: PLR0913 - the fields of a problem.
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
    """Return a problem on the first place of a text that reads like the needle."""
    near = tuple(Related(_span(text, place), note) for place, note in related)
    thunk = None if fixes is None else lambda: fixes
    return Problem(code, name, Severity(severity), _span(text, needle), message, near, thunk)


def _span(text: str, needle: str) -> Span:
    start = text.index(needle)
    return Span(start, start + len(needle))
