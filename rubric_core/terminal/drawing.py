"""Tables and paragraphs of reports, drawn with rich; unsafe characters of foreign texts are replaced here.

Importing rich takes long compared with a check, so a command imports this module when it draws.
"""

from io import StringIO

from rich.console import Console, RenderableType
from rich.constrain import Constrain
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from rubric_core.terminal.display import STYLES, Page, harmless_lines

# A file and a pipe have no width: rows must stay in one line, so that they can be searched.
_UNLIMITED = 100_000
_NARROWEST = 40
# Longer lines of prose are hard to read, however wide the terminal is.
_PARAGRAPH_WIDTH = 100


def draw(report: RenderableType, page: Page) -> str:
    """Return a report as text, without spaces at the ends of lines."""
    shown = StringIO()
    Console(
        file=shown,
        width=_UNLIMITED if page.width is None else max(page.width, _NARROWEST),
        color_system="standard" if page.has_colours else None,
        force_terminal=page.has_colours,
        legacy_windows=False,
        markup=False,
        emoji=False,
        highlight=False,
        theme=Theme(STYLES),
    ).print(report)
    return "".join(f"{line.rstrip(' ')}\n" for line in shown.getvalue().split("\n")[:-1])


def text(value: str, style: str = "") -> Text:
    """Return foreign text that is safe to show: without markup and control characters."""
    return Text(harmless_lines(value.strip("\r\n")), style)


def paragraph(value: RenderableType) -> Constrain:
    """Return prose that is wrapped where lines would become hard to read."""
    return Constrain(value, _PARAGRAPH_WIDTH)


def table(*headings: str, gap: int = 2) -> Table:
    """Return an empty table whose cells are wrapped, not cut; where all headings are empty, none are shown."""
    # rich measures an empty column as nothing and draws it one wide, which would take that from another column.
    drawn = Table(box=None, show_header=any(headings), header_style="faint", padding=(0, gap, 0, 0), pad_edge=False)
    for heading in headings:
        drawn.add_column(heading, overflow="fold", min_width=1)
    return drawn
