"""The table of formats of results. A format's module is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rubric_core.report.colours import plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal

    from rubric_core.grading.results import CaseResult
    from rubric_core.report.colours import Paint


class Evaluated(Protocol):
    """One evaluation in the history of a skill, as the store keeps it."""

    @property
    def id(self) -> str:
        """Return the id, which a scorecard of a result names too."""

    @property
    def timestamp(self) -> str:
        """Return when it was graded."""

    @property
    def dimensions(self) -> Mapping[str, int]:
        """Return the score of each dimension."""

    @property
    def final_score(self) -> Decimal:
        """Return the final score."""


class Format(NamedTuple):
    """Where a format is written, and which of the options of `render` it takes."""

    module: str
    options: tuple[str, ...] = ()
    for_people: bool = False


FORMATS = {
    "text": Format("rubric_core.report.results.text", ("paint", "width"), for_people=True),
    "json": Format("rubric_core.report.results.json", ("asked",)),
    "jsonl": Format("rubric_core.report.results.jsonl"),
    "markdown": Format("rubric_core.report.results.markdown"),
    "html": Format("rubric_core.report.results.html", ("history",)),
    "junit": Format("rubric_core.report.results.junit"),
}


def render(  # noqa: PLR0913 - the choices of all formats, each by its name.
    name: str,
    results: Sequence[CaseResult],
    *,
    paint: Paint = plain,
    width: int = 100,
    history: Mapping[str, Sequence[Evaluated]] | None = None,
    asked: int | None = None,
) -> str:
    """Return the results in a named format. Colours and width are for the terminal, the history is for charts.

    `asked` is how many cases were to be graded, where that was told.
    """
    chosen = FORMATS[name]
    offered: dict[str, Any] = {"paint": paint, "width": width, "history": history or {}, "asked": asked}
    text: str = import_module(chosen.module).render(results, **{option: offered[option] for option in chosen.options})
    return text
