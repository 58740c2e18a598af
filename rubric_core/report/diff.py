"""A unified diff of a text before and after its fixes."""

from __future__ import annotations

import re
from difflib import unified_diff
from typing import TYPE_CHECKING

from rubric_core.report.colours import plain
from rubric_core.report.columns import lay_out

if TYPE_CHECKING:
    from rubric_core.report.colours import Paint

_STYLES = {"+": "added", "-": "removed", "@": "gutter"}
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_NO_LINE_BREAK = "\\ No newline at end of file\n"


def render_diff(path: str, before: str, after: str, paint: Paint = plain) -> str:
    """Return the diff as `patch` reads it; without colours every byte of the lines is kept."""
    lines = unified_diff(_lines(before), _lines(after), f"a/{path}", f"b/{path}")
    return "".join(_written(line, paint) for line in lines)


def _lines(text: str) -> list[str]:
    """Split a text at LF only: a carriage return belongs to the line for `patch`."""
    return _LINE.findall(text)


def _written(line: str, paint: Paint) -> str:
    if not line.endswith("\n"):
        line = f"{line}\n{_NO_LINE_BREAK}"
    if paint is plain:
        return line
    # Colours are for a terminal, which must not obey what stands in a file.
    style = _STYLES.get(line[0], "")
    shown = "\n".join(lay_out(part.removesuffix("\r")).shown for part in line.removesuffix("\n").split("\n"))
    return f"{paint(style, shown) if style else shown}\n"
