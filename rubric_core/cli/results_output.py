"""Where the results of a grading go: to the terminal, to standard output or into a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.cli.rendered_output import show_rendered
from rubric_core.grading.past import NO_PAST
from rubric_core.report.results.formats import FORMATS
from rubric_core.report.results.summary import NO_MINIMUMS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from rubric_core.grading.past import Past
    from rubric_core.grading.results import CaseResult


def show_results(  # noqa: PLR0913 - each option is one of a format.
    results: Sequence[CaseResult],
    format_: str,
    output: Path | None = None,
    *,
    past: Past = NO_PAST,
    asked: int | None = None,
    minimums: Mapping[str, str] = NO_MINIMUMS,
) -> None:
    """Write results in a format to a file, or to standard output where none is named."""
    show_rendered(FORMATS[format_], results, output=output, past=past, asked=asked, minimums=minimums)
