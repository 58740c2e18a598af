"""Reports for people at a terminal."""

from collections.abc import Iterator
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.measure import Measurement
from rich.padding import Padding
from rich.text import Text

from rubric_core.report.layout import Block, Conclusion, Family, ReportTable, Words, plain
from rubric_core.terminal.display import PIPE, Page
from rubric_core.terminal.drawing import draw, paragraph, table, text

_MOST_LISTED = 20
_SHORTEST = 10


def render(family: Family, reported: Any, *, page: Page = PIPE) -> str:
    """Return the blocks of a report with blank lines between them."""
    if page.width is not None:
        page = page._replace(width=max(page.width, family.narrowest))
    drawn = [part for block in family.blocks(reported, page) for part in ("", *_block(block))]
    return draw(Group(*drawn[1:]), page)


def _block(block: Block) -> Iterator[RenderableType]:
    if isinstance(block, ReportTable):
        yield from _list(block) if block.title else _table(block)
    elif isinstance(block, Conclusion):
        subjects = table("", "")
        for side, name in block.subjects:
            subjects.add_row(Text(side, "faint"), text(name))
        yield Group(subjects, "", text(*block.words[:2]), *([block.note] if block.note else []))
    else:
        yield paragraph(Text(block, "faint")) if isinstance(block, str) else _cell(block)


def _table(block: ReportTable) -> Iterator[RenderableType]:
    drawn = table(*(column.title for column in block.columns))
    for made, column in zip(drawn.columns, block.columns, strict=True):
        made.justify = "right" if column.kind == "number" else "left"
        made.no_wrap = column.kind != "text"
        made.overflow = block.overflow
    for row in block.rows:
        drawn.add_row(*(_cell(column.cell(row), column.style) for column in block.columns))
    yield drawn


def _list(block: ReportTable) -> Iterator[RenderableType]:
    yield text(f"{block.title}{block.suffix}: {len(block.rows):,}", block.style)
    listed = table("", "")
    for row in block.rows[:_MOST_LISTED]:
        name, *cells = ((column.kind, plain(column.cell(row))) for column in block.columns)
        beside = block.separator.join(cell for kind, cell in cells if kind != "details")
        details = (line for kind, cell in cells if kind == "details" for line in cell.splitlines())
        listed.add_row(text(name[1]), Group(text(beside), *(text(line, "faint") for line in details)))
    yield Padding.indent(listed, 2)
    if len(block.rows) > _MOST_LISTED:
        yield Text(f"  ... and {len(block.rows) - _MOST_LISTED:,} more (`--format json` has all)", "faint")


def _cell(cell: object, style: str = "") -> RenderableType:
    if isinstance(cell, Words):
        return _Shortened(cell) if cell.cut else text(cell.text, cell.style)
    return Text.assemble(*(text(*words[:2]) for words in cell)) if isinstance(cell, tuple) else text(plain(cell), style)


class _Shortened:
    """A text that is cut at its start to the width that the rest of a table leaves."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def __rich_measure__(self, _console: Console, _options: ConsoleOptions) -> Measurement:
        longest = len(self._words.text)
        return Measurement(min(_SHORTEST, longest), longest)

    def __rich_console__(self, _console: Console, options: ConsoleOptions) -> Iterator[Text]:
        shown, style, cut = self._words
        room = options.max_width
        yield Text(shown if len(shown) <= room else cut + shown[len(shown) - room + 1 :], style)
