"""Results as JSON lines: one case a line, as they are kept and read again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.grading.result_json import json_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.grading.results import CaseResult


def render(results: Sequence[CaseResult]) -> str:
    """Return one JSON object a line."""
    return "".join(f"{json_line(result)}\n" for result in results)
