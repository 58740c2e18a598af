"""The table of formats. A format's module is imported when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.terminal.colours import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.report.reports import FileReport
    from rubric_core.terminal.colours import Paint


class Format(NamedTuple):
    """Where a format is written, whether it is for people and whether it shows fixes, which take time to make."""

    module: str
    for_people: bool = False
    shows_fixes: bool = False


FORMATS = {
    "text": Format("rubric_core.report.text", for_people=True, shows_fixes=True),
    "json": Format("rubric_core.report.json", shows_fixes=True),
    "jsonl": Format("rubric_core.report.jsonl", shows_fixes=True),
    "sarif": Format("rubric_core.report.sarif", shows_fixes=True),
    "github": Format("rubric_core.report.github"),
    "junit": Format("rubric_core.report.junit"),
    "gitlab": Format("rubric_core.report.gitlab"),
}


def render(name: str, reports: Sequence[FileReport], paint: Paint = plain) -> str:
    """Return the report of the files in a named format."""
    chosen = FORMATS[name]
    written = import_module(chosen.module).render
    text: str = written(reports, paint) if chosen.for_people else written(reports)
    return text
