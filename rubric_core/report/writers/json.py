"""Reports as one JSON value, with all digits of each number."""

from typing import Any

from rubric_core.grading import exact_json
from rubric_core.report.layout import Family


def render(family: Family, reported: Any) -> str:
    """Return the data of a report."""
    return f"{exact_json.write(family.data(reported), indent=2)}\n"
