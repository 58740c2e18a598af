"""Results in a named format, for Python users."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_core.report.formats import RESULT_FORMATS
from rubric_core.terminal.colours import PIPE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.grading.results import CaseResult


def render(name: str, results: Sequence[CaseResult], **options: Any) -> str:
    """Return the results in a named format. Options that the format does not take are ignored."""
    return RESULT_FORMATS[name].render(results, **{"page": PIPE, **options})
