"""Where the results of a grading go: to the terminal, to standard output or into a file."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rubric_core.cli.output import page_for, print_data, print_text, write_file
from rubric_core.grading.past import NO_PAST
from rubric_core.report.results.formats import FORMATS, render
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
    if output is not None:
        write_file(output, render(format_, results, past=past, asked=asked, minimums=minimums))
    elif FORMATS[format_].for_people:
        print_text(render(format_, results, page=page_for(sys.stdout)))
    else:
        print_data(render(format_, results, past=past, asked=asked, minimums=minimums))
