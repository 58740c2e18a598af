"""Results in a named format, for Python users."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_core.report.formats import RESULT_FORMATS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.grading.results import CaseResult


def render(name: str, results: Sequence[CaseResult], **options: Any) -> str:
    """Return the results in a named format.

    Of the options, a format takes its own: `page` (text), `past` (html), `asked`, the number of cases to grade (json),
    and `minimums`, the lowest grade allowed in a file (json, markdown, html, junit).
    """
    return RESULT_FORMATS[name].render(results, **options)
