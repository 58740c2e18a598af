"""The formats of results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.grading.past import NO_PAST
from rubric_core.report.format import Format
from rubric_core.report.results.summary import NO_MINIMUMS
from rubric_core.terminal.colours import PIPE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rubric_core.grading.past import Past
    from rubric_core.grading.results import CaseResult
    from rubric_core.terminal.colours import Page


FORMATS = {
    "text": Format("rubric_core.report.results.text", ("page",)),
    "json": Format("rubric_core.report.results.json", ("asked", "minimums")),
    "jsonl": Format("rubric_core.report.results.jsonl"),
    "markdown": Format("rubric_core.report.results.markdown", ("minimums",)),
    "html": Format("rubric_core.report.results.html", ("past", "minimums")),
    "junit": Format("rubric_core.report.results.junit", ("minimums",)),
}


def render(  # noqa: PLR0913 - each option is one of a format.
    name: str,
    results: Sequence[CaseResult],
    *,
    page: Page = PIPE,
    past: Past = NO_PAST,
    asked: int | None = None,
    minimums: Mapping[str, str] = NO_MINIMUMS,
) -> str:
    """Return the results in a named format. Only a text has a page, the past is for charts.

    `asked` is how many cases were to be graded, where that was told. `minimums` has the lowest grade that is allowed in
    a file.
    """
    return FORMATS[name].render(results, page=page, past=past, asked=asked, minimums=minimums)
