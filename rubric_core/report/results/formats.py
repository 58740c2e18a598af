"""The table of formats of results. A format's module is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from rubric_core.grading.past import NO_PAST
from rubric_core.report.results.summary import NO_MINIMUMS
from rubric_core.terminal.colours import PIPE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rubric_core.grading.past import Past
    from rubric_core.grading.results import CaseResult
    from rubric_core.terminal.colours import Page


class Format(NamedTuple):
    """Where a format is written, and which of the options of `render` it takes."""

    module: str
    options: tuple[str, ...] = ()
    for_people: bool = False

    @property
    def shows_past(self) -> bool:
        """Tell whether it shows what was graded before."""
        return "past" in self.options


FORMATS = {
    "text": Format("rubric_core.report.results.text", ("page",), for_people=True),
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
    chosen = FORMATS[name]
    offered: dict[str, Any] = {"page": page, "past": past, "asked": asked, "minimums": minimums}
    text: str = import_module(chosen.module).render(results, **{option: offered[option] for option in chosen.options})
    return text
