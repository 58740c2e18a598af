"""The formats of agreement."""

from __future__ import annotations

from rubric_core.report.format import Format

FORMATS = {
    "text": Format("rubric_core.report.agreement.text", ("page",)),
    "json": Format("rubric_core.report.agreement.json"),
}
