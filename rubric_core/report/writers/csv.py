"""Reports for spreadsheets."""

import csv
from io import StringIO
from typing import Any

from rubric_core.report.layout import Family


def render(family: Family, reported: Any) -> str:
    """Return the names of the columns, and a line for each record."""
    records, stream = family.records(reported), StringIO()
    lines = [[column.cell(row) for column in records.columns] for row in records.rows]
    csv.writer(stream, lineterminator="\n").writerows([[column.title for column in records.columns], *lines])
    return stream.getvalue()
