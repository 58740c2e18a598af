"""The report as JSON lines: one problem a line, for tools that read as it comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.report.json import entries
from rubric_core.report.portable import dump_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.report.reports import FileReport


def render(reports: Sequence[FileReport]) -> str:
    """Return one JSON object a line."""
    return "".join(f"{dump_json(entry)}\n" for entry in entries(reports))
