"""The formats of what `rubric check` found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.report.format import Format
from rubric_core.terminal.colours import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.report.reports import FileReport
    from rubric_core.terminal.colours import Paint


FORMATS = {
    "text": Format("rubric_core.report.text", ("paint",), shows_fixes=True),
    "json": Format("rubric_core.report.json", shows_fixes=True),
    "jsonl": Format("rubric_core.report.jsonl", shows_fixes=True),
    "sarif": Format("rubric_core.report.sarif", shows_fixes=True),
    "github": Format("rubric_core.report.github"),
    "junit": Format("rubric_core.report.junit"),
    "gitlab": Format("rubric_core.report.gitlab"),
}


def render(name: str, reports: Sequence[FileReport], paint: Paint = plain) -> str:
    """Return the report of the files in a named format."""
    return FORMATS[name].render(reports, paint=paint)
