"""The formats of a ranking."""

from __future__ import annotations

from rubric_core.report.format import Format

FORMATS = {
    "text": Format("rubric_core.report.ranking.text", ("page",)),
    "json": Format("rubric_core.report.ranking.json"),
    "markdown": Format("rubric_core.report.ranking.markdown"),
}
