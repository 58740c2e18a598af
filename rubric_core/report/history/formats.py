"""The formats of the history of skills: of all of them, and of one."""

from __future__ import annotations

from rubric_core.report.format import Format

FORMATS = {
    "text": Format("rubric_core.report.history.text", ("page",)),
    "json": Format("rubric_core.report.history.json"),
    "csv": Format("rubric_core.report.history.csv"),
}
