"""Where a report goes that is one text: to the terminal, to standard output or into a file."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rubric_core.cli.output import page_for, print_data, print_text, write_file
from rubric_core.terminal.colours import PIPE

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.report.format import Format


def show_rendered(format_: Format, *reported: Any, output: Path | None = None, **options: Any) -> None:
    """Write what is reported in a format to a file or to standard output; only a terminal gets colours."""
    if output is not None:
        write_file(output, format_.render(*reported, page=PIPE, **options))
    elif format_.for_people:
        print_text(format_.render(*reported, page=page_for(sys.stdout), **options))
    else:
        print_data(format_.render(*reported, **options))
