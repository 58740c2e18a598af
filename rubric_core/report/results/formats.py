"""Results in a named format, for Python users."""

from collections.abc import Mapping, Sequence

from rubric_core.grading.results import NO_HISTORY, CaseResult, ResultHistory
from rubric_core.report.formats import RESULT_FORMATS
from rubric_core.report.results.wording import NO_MINIMUMS
from rubric_core.terminal.display import PIPE, Page


def render(  # noqa: PLR0913 - each option is one of a format.
    name: str,
    results: Sequence[CaseResult],
    *,
    page: Page = PIPE,
    history: ResultHistory = NO_HISTORY,
    asked: int | None = None,
    minimums: Mapping[str, str] = NO_MINIMUMS,
) -> str:
    """Return the results in a named format; a format ignores the options of others.

    `page` is for text and `history` for the charts of HTML. `asked` is the number of cases to grade (json), `minimums`
    has the lowest grade allowed in a file (json, markdown, html, junit).
    """
    return RESULT_FORMATS[name].render(results, page=page, history=history, asked=asked, minimums=minimums)
