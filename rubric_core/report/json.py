"""The report as one JSON list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_core.report.portable import dump_json
from rubric_core.report.reports import placed_fixes, rows_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rubric_core.report.reports import FileReport, LineRange, ReportRow


def render(reports: Sequence[FileReport]) -> str:
    """Return all problems as a list. Everything beyond ASCII is escaped, so that no console can spoil it."""
    return f"{dump_json(list(entries(reports)), indent=2)}\n"


def entries(reports: Sequence[FileReport]) -> Iterator[dict[str, Any]]:
    """Give each problem as plain data."""
    for report in reports:
        for row in rows_of(report):
            yield entry(report, row)


def entry(report: FileReport, row: ReportRow) -> dict[str, Any]:
    """Return one problem as plain data."""
    return {
        "path": row.path,
        "code": row.problem.code,
        "name": row.problem.name,
        "severity": row.level,
        "message": row.problem.message,
        **_place(row.place),
        "related": [{"path": row.path, **_place(near.place), "message": near.message} for near in row.related],
        "fixes": [
            {
                "title": fix.title,
                "safe": fix.safe,
                "edits": [{**_place(edit.place), "text": edit.text} for edit in fix.edits],
            }
            for fix in placed_fixes(report, row.problem)
        ],
        **({"untried_fixes": True} if row.problem.has_untried_fixes else {}),
    }


def _place(place: LineRange) -> dict[str, int]:
    return place._asdict()
