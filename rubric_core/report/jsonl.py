"""The report as JSON lines: one problem a line, for tools that read as it comes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rubric_core.report.json import entries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.report.reports import FileReport


def render(reports: Sequence[FileReport]) -> str:
    """Return one JSON object a line."""
    return "".join(f"{json.dumps(entry)}\n" for entry in entries(reports))
