"""The report as one JSON list, or as JSON lines for tools that read as it comes."""

from collections.abc import Sequence
from typing import Any

from rubric_core.report.portable import dump_json
from rubric_core.report.reports import FileReport, ReportRow, placed_fixes, rows_of


def render(reports: Sequence[FileReport]) -> str:
    """Return all problems as a list. Everything beyond ASCII is escaped, so that no console can spoil it."""
    return f"{dump_json(_entries(reports), indent=2)}\n"


def render_lines(reports: Sequence[FileReport]) -> str:
    """Return one JSON object a line."""
    return "".join(f"{dump_json(entry)}\n" for entry in _entries(reports))


def _entries(reports: Sequence[FileReport]) -> list[dict[str, Any]]:
    return [_entry(report, row) for report in reports for row in rows_of(report)]


def _entry(report: FileReport, row: ReportRow) -> dict[str, Any]:
    return {
        "path": row.path,
        "code": row.problem.code,
        "name": row.problem.name,
        "severity": row.level,
        "message": row.problem.message,
        **row.place._asdict(),
        "related": [{"path": row.path, **near.place._asdict(), "message": near.message} for near in row.related],
        "fixes": [
            {
                "title": fix.title,
                "safe": fix.safe,
                "edits": [{**edit.place._asdict(), "text": edit.text} for edit in fix.edits],
            }
            for fix in placed_fixes(report, row.problem)
        ],
        **({"untried_fixes": True} if row.problem.has_untried_fixes else {}),
    }
