"""Reports in Markdown, for a comment on a pull request."""

from collections.abc import Iterator
from typing import Any

from rubric_core.report.layout import Block, Conclusion, Family, ReportTable, plain
from rubric_core.report.results.markdown_text import inline, table
from rubric_core.terminal.display import PIPE
from rubric_core.text.writing import plural

# A comment has room for about this many rows of each list.
_MOST_ROWS = 50


def render(family: Family, reported: Any) -> str:
    """Return the blocks of a report with blank lines between them."""
    lines = [line for block in family.blocks(reported, PIPE) for line in ("", *_block(block))]
    return "".join(f"{line}\n" for line in lines[1:])


def _block(block: Block) -> Iterator[str]:
    if isinstance(block, ReportTable):
        rows = block.rows[:_MOST_ROWS] if block.title else block.rows
        if block.title:
            yield from (f"### {block.sign}{inline(block.title)}: {len(block.rows):,}", "")
        head = " | ".join(_capitalised(column.title) for column in block.columns)
        rows_of_cells = ([inline(plain(column.cell(row))) for column in block.columns] for row in rows)
        yield from table(f"| {head.lstrip()} |", rows_of_cells)
        if len(rows) < len(block.rows):
            yield from ("", f"{plural(len(block.rows) - _MOST_ROWS, 'row')} more, which would make this too long.")
    elif isinstance(block, Conclusion):
        subjects = " · ".join(f"{name}: {inline(subject)}" for name, subject in block.subjects)
        yield from (f"## {block.title}", "", f"**{block.words.text}**", "", _capitalised(subjects))
    else:
        yield inline(plain(block))


def _capitalised(title: str) -> str:
    return title[:1].upper() + title[1:]
