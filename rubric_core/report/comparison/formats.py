"""The formats of a comparison of two gradings."""

from __future__ import annotations

from rubric_core.report.format import Format

FORMATS = {
    "text": Format("rubric_core.report.comparison.text", ("page",)),
    "json": Format("rubric_core.report.comparison.json"),
    "markdown": Format("rubric_core.report.comparison.markdown"),
}
