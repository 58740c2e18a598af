"""The report as one JSON list, or as JSON lines for tools that read a stream."""

from collections.abc import Sequence
from typing import Any

from rubric_core.report.portable import dump_json
from rubric_core.report.reports import FileReport, ReportRow, rows_of


def render(reports: Sequence[FileReport]) -> str:
    """Return all problems as a list in ASCII, which every console can print."""
    return f"{dump_json([_entry(row) for row in rows_of(reports)], indent=2)}\n"


def render_lines(reports: Sequence[FileReport]) -> str:
    """Return one JSON object a line."""
    return "".join(f"{dump_json(_entry(row))}\n" for row in rows_of(reports))


def _entry(row: ReportRow) -> dict[str, Any]:
    return {
        "path": row.path,
        "code": row.problem.code,
        "name": row.problem.name,
        "severity": row.severity,
        "message": row.problem.message,
        **row.place._asdict(),
        "related": [{"path": row.path, **place._asdict(), "message": message} for place, message in row.related],
        "fixes": [
            {
                "title": fix.title,
                "safe": fix.safe,
                "edits": [{**place._asdict(), "text": text} for place, text in edits],
            }
            for fix, edits in row.fixes
        ],
        **({"untried_fixes": True} if row.problem.has_untried_fixes else {}),
    }
