"""The report as workflow commands, which GitHub shows as annotations on the changed lines."""

from collections.abc import Sequence

from rubric_core.report.portable import one_line
from rubric_core.report.reports import FileReport, ReportRow, rows_of

_COMMANDS = {"error": "error", "warning": "warning", "hint": "notice"}
# The percent sign comes first, or it would escape the escapes.
_DATA_ESCAPES = (("%", "%25"), ("\r", "%0D"), ("\n", "%0A"))
_PROPERTY_ESCAPES = (*_DATA_ESCAPES, (":", "%3A"), (",", "%2C"))


def render(reports: Sequence[FileReport]) -> str:
    """Return one workflow command a problem."""
    return "".join(f"{_command(row)}\n" for row in rows_of(reports))


def _command(row: ReportRow) -> str:
    place = row.place
    properties: dict[str, object] = {
        "title": f"{row.problem.code} {row.problem.name}",
        "file": row.path,
        "line": place.line,
        "endLine": place.end_line,
    }
    if place.line == place.end_line:
        # Columns are refused for an annotation of several lines.
        properties |= {"col": place.column, "endColumn": place.end_column}
    written = ",".join(f"{key}={_escaped(str(value), _PROPERTY_ESCAPES)}" for key, value in properties.items())
    return f"::{_COMMANDS[row.severity]} {written}::{_escaped(row.problem.message, _DATA_ESCAPES)}"


def _escaped(text: str, escapes: tuple[tuple[str, str], ...]) -> str:
    for character, escape in escapes:
        text = text.replace(character, escape)
    return one_line(text)
