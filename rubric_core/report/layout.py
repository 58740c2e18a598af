"""The parts of a report: a module of `families` has a `FAMILY`, and a module of `writers` writes any of them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from rubric_core.terminal.display import Page


class Words(NamedTuple):
    """A text, and its style on a terminal; with `cut`, a text that is too long is shown as `cut` and its end."""

    text: str
    style: str = ""
    cut: str = ""


Line: TypeAlias = tuple[Words, ...]


def plain(cell: object) -> str:
    """Return the text of a cell: words, a line, or any other value, None included."""
    if isinstance(cell, Words):
        return cell.text
    return "".join(map(plain, cell)) if isinstance(cell, tuple) else "" if cell is None else str(cell)


class Column(NamedTuple):
    """A column: the path of an attribute of a row (the row itself if empty), and how a value other than None is shown.

    On a terminal, a `text` is wrapped, a `short` text and a `number` are not, and a number is aligned to the right.
    Below a title, the lines of `details` follow the other cells.
    """

    title: str
    path: str = ""
    show: Callable[[Any], object] | None = None
    kind: Literal["text", "short", "number", "details"] = "text"
    style: str = ""

    def cell(self, row: object) -> object:
        """Return the cell of the column for a row."""
        value = row
        for name in filter(None, self.path.split(".")):
            value = getattr(value, name, None)
        return value if self.show is None or value is None else self.show(value)


@dataclass(frozen=True, slots=True)
class ReportTable:
    """Rows below headings, if there are any; `overflow` is the treatment of a word that is too long.

    With a title it is a list of names (the first column) with other cells, which a terminal joins by a `separator`. A
    terminal shows the title in a `style` with a `suffix`, Markdown with a `sign` in front.
    """

    columns: Sequence[Column]
    rows: Sequence[Any]
    title: str = ""
    style: str = "strong"
    suffix: str = ""
    sign: str = ""
    separator: str = ", "
    overflow: Literal["fold", "ellipsis"] = "fold"


class Conclusion(NamedTuple):
    """An answer in one sentence, and what it is about, by name; a title for Markdown, a note for a terminal."""

    title: str
    subjects: Sequence[tuple[str, str]]
    words: Words
    note: str = ""


Block: TypeAlias = ReportTable | Conclusion | Line | str
"""A table, an answer, a line as a heading, or sentences that explain what is above them."""


@dataclass(frozen=True, slots=True)
class Family:
    """The contents of a report: blocks for people, data for JSON, a table of plain values for CSV.

    Blocks may depend on the width and the characters of a page, which has at least `narrowest` columns.
    """

    blocks: Callable[[Any, Page], Iterable[Block]]
    data: Callable[[Any], object]
    records: Callable[[Any], ReportTable] = lambda _: ReportTable((), ())
    narrowest: int = 0
