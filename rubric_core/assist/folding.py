"""Folds: cases, lists, mappings, texts of several lines, and blocks of comments.

Folds depend on indentation alone. So they are stable while a case is typed, and a file of 5,000 cases need not be
parsed for them. The folds of a chunk are cached with it and count lines from its first one.
"""

from collections.abc import Generator
from itertools import groupby
from typing import NamedTuple
from weakref import WeakKeyDictionary

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.by_chunk import read_all
from rubric_core.syntax.chunks import Chunk, ChunkKind
from rubric_core.text.lines import split_lines
from rubric_core.text.patterns import lazily

# White space and dashes in front of the first word of a line; each dash opens a level of its own.
_LEAD = lazily(r"\ufeff?(?P<lead>[ \t]*(?:-(?:[ \t]+|(?=[\r\n]|\Z)))*)(?P<word>[^\r\n]?)")
# The indicator of a block scalar is behind a colon or a dash; only a comment may follow it.
_BLOCK_SCALAR = lazily(
    r"(?:\A\ufeff?|[:\-?][ \t]+)(?:[&!]\S*[ \t]+)*[|>](?:[+-]?[1-9]?|[1-9][+-])[ \t]*(?:(?<=[ \t])#.*)?[\r\n]*\Z"
)
_MARKERS = ("---", "...", "%")
_CLOSING = frozenset("]}")


class Fold(NamedTuple):
    """Lines that can be hidden behind the first one, inside of `level` others; some editors fold all comments."""

    first_line: int
    last_line: int
    level: int = 0
    is_comment: bool = False


class _Line(NamedTuple):
    """A line with text: its number, the columns at which something starts, and whether it only closes brackets."""

    number: int
    columns: tuple[int, ...]
    closes: bool = False


# A column left of everything ends all open folds.
_END = _Line(0, (-1,), closes=True)


class ChunkFolds(NamedTuple):
    """The folds of a chunk, and its last line that is neither blank nor a comment."""

    folds: tuple[Fold, ...]
    last_line: int


def chunk_folds(text: str) -> ChunkFolds:
    """Return the folds of a chunk, in the order of its lines; at most one fold starts on a line."""
    lines, comments = _read_lines(text)
    outermost: dict[int, Fold] = {}
    for fold in sorted([*_regions(lines), *comments], key=lambda fold: (fold.first_line, -fold.last_line)):
        outermost.setdefault(fold.first_line, fold)
    return ChunkFolds(tuple(_with_levels(list(outermost.values()))), lines[-1].number if lines else 0)


def _read_lines(text: str) -> tuple[list[_Line], list[Fold]]:
    """Return the lines that have structure, and the blocks of comments between them."""
    lines: list[_Line] = []
    comments: list[int] = []
    # The indentation that the text of an open block scalar has at least.
    text_indent: int | None = None
    for number, line in enumerate(split_lines(text)):
        match = _LEAD.match(line)
        lead, word = (match["lead"], match["word"]) if match else ("", "")
        if not word and not lead.strip():
            continue
        if text_indent is not None and len(lead) - len(lead.lstrip(" \t")) >= text_indent:
            lines.append(_Line(number, ()))
            continue
        text_indent = None
        if word == "#":
            comments.append(number)
            continue
        lines.append(_structure(number, line, lead, word))
        if ("|" in line or ">" in line) and _BLOCK_SCALAR.search(line):
            # Behind a dash alone the text may be further left than behind a key.
            text_indent = (lead.rfind("-") if word in "|>&!" else len(lead)) + 1
    # Comments on lines that follow each other are one block.
    blocks = [list(block) for _, block in groupby(enumerate(comments), lambda entry: entry[1] - entry[0])]
    return lines, [Fold(block[0][1], block[-1][1], is_comment=True) for block in blocks if len(block) > 1]


def _structure(number: int, line: str, lead: str, word: str) -> _Line:
    """Return the columns of the dashes of a line and of what follows them.

    Twice the column is counted, and one more for a dash: a list may be in the column of its key and is inside of it.
    """
    if line.startswith(_MARKERS):
        # No fold crosses the border of a YAML document.
        return _Line(number, (-1,), closes=True)
    dashes = [2 * at + 1 for at, character in enumerate(lead) if character == "-"] if "-" in lead else ()
    return _Line(number, (*dashes, 2 * len(lead)), closes=word in _CLOSING)


def _regions(lines: list[_Line]) -> list[Fold]:
    """Return the folds that indentation makes: each start reaches to the line before the next one that is no deeper."""
    regions: list[Fold] = []
    starts: list[tuple[int, int]] = []
    last = 0
    for number, columns, closes in (*lines, _END):
        while columns and starts and starts[-1][0] >= columns[0]:
            first = starts.pop()[1]
            if last > first:
                regions.append(Fold(first, last))
        if not closes:
            starts += [(column, number) for column in columns]
        last = number
    return regions


def _with_levels(folds: list[Fold]) -> list[Fold]:
    """Count how many folds are around each. They come in the order of their first lines."""
    around: list[int] = []
    levelled: list[Fold] = []
    for fold in folds:
        while around and around[-1] < fold.first_line:
            around.pop()
        levelled.append(fold._replace(level=len(around)))
        around.append(fold.last_line)
    return levelled


_folds: WeakKeyDictionary[Chunk, ChunkFolds] = WeakKeyDictionary()


def folds(analysis: Analysis) -> Generator[None, None, list[Fold]]:
    """Return the folds of a file, in the order of its lines. It yields between two chunks."""
    if not (yield from read_all(analysis)):
        return []
    ranges: list[Fold] = []
    # The index of the fold of the list whose items come next.
    head: int | None = None
    line = 0
    for chunk in list(analysis.document.chunks):
        if chunk.kind is not ChunkKind.LINE and analysis.owns(chunk):
            cached = _folds.get(chunk) or _folds.setdefault(chunk, chunk_folds(chunk.text))
            if chunk.kind is not ChunkKind.ITEM:
                head = None
            by = int(head is not None)
            ranges += [Fold(first + line, last + line, level + by, kind) for first, last, level, kind in cached.folds]
            if chunk.kind is ChunkKind.ITEM and head is not None:
                ranges[head] = ranges[head]._replace(last_line=line + cached.last_line)
            elif chunk.kind is ChunkKind.LIST_HEAD:
                # Comments may be below the key.
                head = len(ranges) - sum(fold.first_line > cached.last_line for fold in cached.folds)
                ranges.insert(head, Fold(line + cached.last_line, line + cached.last_line))
        line += chunk.line_breaks
        yield
    return ranges


def outermost(folds: list[Fold], most: int) -> list[Fold]:
    """Return at most `most` folds, the outermost first; of a level that does not fit as a whole, the topmost."""
    by_level = sorted(range(len(folds)), key=lambda number: folds[number].level)
    return [folds[number] for number in sorted(by_level[:most])]
