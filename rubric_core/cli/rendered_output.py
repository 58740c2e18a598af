"""Where a comparison or a ranking goes: to the terminal, to standard output or into a file."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from rubric_core.cli.output import page_for, print_data, print_text, write_file

if TYPE_CHECKING:
    from pathlib import Path

FORMATS = ("text", "json", "markdown")


def show_rendered(package: str, value: object, format_: str, output: Path | None) -> None:
    """Write a value with the format of that name in a package; only text has colours."""
    render = import_module(f"{package}.{format_}").render
    if output is not None:
        write_file(output, render(value))
    elif format_ == "text":
        print_text(render(value, page=page_for(sys.stdout)))
    else:
        print_data(render(value))
