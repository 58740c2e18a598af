"""The report for GitLab's code quality widget."""

from collections.abc import Sequence

from rubric_core.report.portable import dump_json
from rubric_core.report.reports import FileReport, fingerprints, rows_of

_SEVERITIES = {"error": "major", "warning": "minor", "hint": "info"}


def render(reports: Sequence[FileReport]) -> str:
    """Return one JSON list; GitLab compares the fingerprints of two runs to find new problems."""
    entries = [
        {
            "description": row.problem.message,
            "check_name": f"{row.problem.code} {row.problem.name}",
            "fingerprint": fingerprint,
            "severity": _SEVERITIES[row.severity],
            "location": {
                "path": row.path.replace("\\", "/"),
                "lines": {"begin": row.place.line, "end": row.place.end_line},
            },
        }
        for row, fingerprint in zip(rows_of(reports), fingerprints(reports), strict=True)
    ]
    return f"{dump_json(entries, indent=2)}\n"
