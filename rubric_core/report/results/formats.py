"""The table of formats of results. A format's module is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from rubric_core.grading.past import NO_PAST
from rubric_core.report.colours import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.grading.past import Past
    from rubric_core.grading.results import CaseResult
    from rubric_core.report.colours import Paint


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
    "text": Format("rubric_core.report.results.text", ("paint", "width"), for_people=True),
    "json": Format("rubric_core.report.results.json", ("asked",)),
    "jsonl": Format("rubric_core.report.results.jsonl"),
    "markdown": Format("rubric_core.report.results.markdown"),
    "html": Format("rubric_core.report.results.html", ("past",)),
    "junit": Format("rubric_core.report.results.junit"),
}


def render(  # noqa: PLR0913 - the choices of all formats, each by its name.
    name: str,
    results: Sequence[CaseResult],
    *,
    paint: Paint = plain,
    width: int = 100,
    past: Past = NO_PAST,
    asked: int | None = None,
) -> str:
    """Return the results in a named format. Colours and width are for the terminal, the past is for charts.

    `asked` is how many cases were to be graded, where that was told.
    """
    chosen = FORMATS[name]
    offered: dict[str, Any] = {"paint": paint, "width": width, "past": past, "asked": asked}
    text: str = import_module(chosen.module).render(results, **{option: offered[option] for option in chosen.options})
    return text
