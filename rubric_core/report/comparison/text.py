"""A comparison for people at a terminal."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from rubric_core.report.comparison.compared import ComparedResults
from rubric_core.report.comparison.wording import Section, headline, sections
from rubric_core.terminal.display import PIPE, Page
from rubric_core.terminal.drawing import draw, table, text

_ANSWER_STYLES = {"better": "help", "worse": "error", "unclear": "strong"}
_MOST_LISTED = 20


def render(compared: ComparedResults, *, page: Page = PIPE) -> str:
    """Return the comparison: the answer first, then what changed, the worst first."""
    return draw(Group(*_parts(compared)), page)


def _parts(compared: ComparedResults) -> Iterator[RenderableType]:
    names = table("", "")
    for side, name in zip(("before", "after"), compared.names, strict=True):
        names.add_row(Text(side, "faint"), text(name))
    yield names
    interval = compared.comparison.interval
    yield ""
    yield Text(headline(compared), "strong" if interval is None else _ANSWER_STYLES[interval.direction])
    if compared.pairs and not compared.regressions and not compared.improvements:
        yield "No verdict changed."
    for section in sections(compared):
        yield from _section(section)


def _section(section: Section) -> Iterator[RenderableType]:
    yield ""
    yield text(f"{section.title}{section.suffix}: {len(section.rows):,}", section.style)
    listed = table("", "")
    for name, *cells in section.rows[:_MOST_LISTED]:
        more = [text(line, "faint") for cell in cells[2:] for line in cell.splitlines()]
        listed.add_row(text(name), Group(text(section.separator.join(cells[:2])), *more))
    yield Padding.indent(listed, 2)
    if len(section.rows) > _MOST_LISTED:
        yield Text(f"  ... and {len(section.rows) - _MOST_LISTED:,} more (`--format json` has all)", "faint")
