"""Whole entries of a collection with the comments that belong to them: insert one beside another, or sort them.

An entry is an item of a list or a `key: value` of a mapping. Where entries have lines of their own, an entry owns the
comment at the end of its line, the comment lines directly above it, and those directly below it that are indented
further than it is. Any other comment between entries is *ambiguous*: it is unclear which entry it describes.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from rubric_core.syntax.edits import Data, column_of, is_json, render
from rubric_core.syntax.nodes import BlockScalar, Mapping, Node, Pair, Scalar, ScalarStyle, Sequence, walk
from rubric_core.text.lines import line_break_of, line_end, line_start
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit, Span

Collection = Mapping | Sequence
Entry = Node | Pair

_SPACE_AND_COMMENTS = lazily(r"(?:[ \t\r\n]|#[^\r\n]*)*")
_COMMENT_OR_NOTHING = lazily(r"[ \t]*(?:#[^\r\n]*)?(?=[\r\n]|\Z)")
_SPACES = lazily(r" *")
_REST_OF_EMPTY = lazily(r"[ \t]*:?[ \t]*(?=,)|")
_LINE_BREAK = lazily(r"\r\n?|\n")
_QUOTES = {ScalarStyle.DOUBLE: '"', ScalarStyle.SINGLE: "'"}
_NARROWEST_ITEM = 2


class _Line(NamedTuple):
    """A line without content: a comment at a column, or a blank line, which has none."""

    start: int
    end: int
    column: int | None


class _Core(NamedTuple):
    """An entry's own text, from its dash or key to the end of its value; `comma` is behind it, or -1."""

    start: int
    end: int
    comma: int


class _Layout(NamedTuple):
    """The lines of each entry with its comments, without the last line break. `is_ambiguous` is about any comment."""

    lines: list[Span]
    is_ambiguous: bool


def write_item(text: str, sequence: Sequence, like: Node, value: dict[str | int, Data]) -> list[str]:
    """Return a mapping as the lines of a list's item, in the style of another item of the list."""
    own_flow = isinstance(like, Mapping) and like.flow and not like.origin
    as_json = isinstance(like, Mapping) and own_flow and is_json(like)
    if sequence.flow:
        return [render(value, flow=True, as_json=as_json)]
    if own_flow:
        return [f"- {render(value, flow=True, as_json=as_json)}"]
    width = max(column_of(text, like.start) - column_of(text, sequence.start), _NARROWEST_ITEM)
    fields = [f"{render(key, flow=True)}: {render(field)}" for key, field in value.items()]
    return ["-".ljust(width) + fields[0], *(" " * width + field for field in fields[1:])]


def change_integer(node: Node, value: int) -> Edit:
    """Replace an integer and keep its quotes, since a key of JSON needs them."""
    quote = _quote_of(node)
    return Edit(node.start, node.end, f"{quote}{value}{quote}")


def _quote_of(node: Node) -> str:
    return _QUOTES.get(node.style, "") if isinstance(node, Scalar) else ""


def write_pair(mapping: Mapping, like: Pair, key: int, value: Data) -> list[str]:
    """Return `key: value` as the line of a mapping's entry, its key in the quotes of another key."""
    quote = _quote_of(like.key)
    return [f"{quote}{key}{quote}: {render(value, flow=mapping.flow, as_json=is_json(mapping))}"]


def insert_entry(
    text: str, collection: Collection, beside: Entry, written: list[str], *, before: bool = False
) -> tuple[Edit, ...]:
    """Insert the lines of an entry behind another one, or before it. Comments stay with the entries that own them."""
    entries = _own_entries(collection)
    cores = _cores(text, collection, entries)
    number = number_of(beside, entries)
    core = cores[number]
    layout = _lay_out(text, collection, cores)
    if layout is None:
        at, new = (core.start, f"{written[0]}, ") if before else (core.end, f", {written[0]}")
        return (Edit(at, at, new),)
    start, end = layout.lines[number]
    indent = " " * column_of(text, core.start)
    line_break = line_break_of(text)
    if before:
        comma = "," if collection.flow else ""
        return (Edit(start, start, "".join(f"{indent}{line}{comma}{line_break}" for line in written)),)
    comma = "," if core.comma >= 0 else ""
    new = "".join(f"{line_break}{indent}{line}{comma}" for line in written)
    if not collection.flow or comma:
        return (Edit(end, end, new),)
    if core.end == end:
        return (Edit(end, end, f",{new}"),)
    return Edit(core.end, core.end, ","), Edit(end, end, new)


def sort_entries(text: str, collection: Collection, ordered: list[Entry]) -> tuple[Edit, ...] | None:
    """Sort the entries of a collection into the given order, each with its comments.

    None if an entry is not in that order, if one cannot move, or if a comment is ambiguous.
    """
    entries = _own_entries(collection)
    if len(entries) != len(ordered) or not _can_move(collection):
        return None
    cores = _cores(text, collection, entries)
    order = [number_of(entry, entries) for entry in ordered]
    moves = [(place, number) for place, number in enumerate(order) if place != number]
    layout = _lay_out(text, collection, cores)
    if layout is None:
        if _has_comment_between(text, collection, cores):
            return None
        return tuple(
            Edit(cores[place].start, cores[place].end, text[cores[number].start : cores[number].end])
            for place, number in moves
        )
    if layout.is_ambiguous:
        return None
    edits: list[Edit] = []
    for place, number in moves:
        start, end = layout.lines[number]
        new = text[start:end]
        if collection.flow:
            new = _with_comma(text, layout.lines[number], cores[number], has_comma=cores[place].comma >= 0)
        edits.append(Edit(*layout.lines[place], new))
    return tuple(edits)


def _own_entries(collection: Collection) -> list[Entry]:
    """Return the entries in the collection's own text, without merged ones."""
    if isinstance(collection, Sequence):
        return list(collection.items)
    return [pair for pair in collection.pairs if not pair.key.origin]


def number_of(entry: object, entries: Iterable[object]) -> int:
    """Return the index of an entry, compared by identity."""
    return next(number for number, other in enumerate(entries) if other is entry)


def _can_move(collection: Collection) -> bool:
    """Return whether entries keep their meaning in another order."""
    nodes = [node for node in walk(collection) if node is not collection]
    metas = [node.meta for node in nodes if node.meta is not None]
    if collection.meta is not None and collection.meta.merges:
        return False
    if any(meta.anchor for meta in metas) and any(meta.alias for meta in metas):
        # An alias might end up before its anchor.
        return False
    # Blank lines would stay where they are.
    return not any(isinstance(node, BlockScalar) and node.keeps_blank_lines for node in nodes)


# Bounds of the text of an entry


def _cores(text: str, collection: Collection, entries: list[Entry]) -> list[_Core]:
    if not collection.flow:
        return [_block_core(text, collection, entry) for entry in entries]
    cores: list[_Core] = []
    behind = collection.start + 1
    for entry in entries:
        start = _behind(_SPACE_AND_COMMENTS, text, behind)
        end = entry.span.end
        if isinstance(entry, Pair) and entry.value.end == entry.value.start:
            # The colon of a key without a value belongs to the entry, and so does the space that ends the colon.
            end = _behind(_REST_OF_EMPTY, text, end)
        comma = _behind(_SPACE_AND_COMMENTS, text, end)
        cores.append(_Core(start, end, comma if text.startswith(",", comma) else -1))
        behind = comma + 1
    return cores


def _block_core(text: str, collection: Collection, entry: Entry) -> _Core:
    if isinstance(entry, Pair):
        line = line_start(text, entry.key.start)
        return _Core(_behind(_SPACES, text, line), entry.span.end, -1)
    # All dashes of a list are in one column; that of an item may be on a line above it.
    column = column_of(text, collection.start)
    line = line_start(text, entry.start)
    while line > collection.start and text[line : line + column + 1].lstrip(" ") != "-":
        line = line_start(text, line - 1)
    dash = max(line + column, collection.start)
    return _Core(dash, max(entry.end, dash + 1), -1)


def _behind(pattern: re.Pattern[str], text: str, offset: int) -> int:
    match = pattern.match(text, offset)
    return match.end() if match else offset


def _has_comment_between(text: str, collection: Collection, cores: list[_Core]) -> bool:
    """Return whether a comment is before, between or behind entries that share lines."""
    starts = [collection.start, *(core.end for core in cores)]
    ends = [*(core.start for core in cores), collection.end]
    return any("#" in text[start:end] for start, end in zip(starts, ends, strict=True))


# Lines that belong to an entry


def _lay_out(text: str, collection: Collection, cores: list[_Core]) -> _Layout | None:
    """Return the lines of each entry, or None where entries share a line with each other or with a bracket."""
    if collection.flow and not all(_has_own_lines(text, core) for core in cores):
        return None
    column = column_of(text, cores[0].start)
    starts = [first_comment_above(text, line_start(text, cores[0].start))]
    ends: list[int] = []
    is_ambiguous = False
    for core in cores:
        end = line_end(text, max(core.end, core.comma))
        below = list(_lines_below(text, end))
        while below and below[0].column is not None and below[0].column > column:
            end = below.pop(0).end
        ends.append(end)
        if len(ends) == len(cores):
            is_ambiguous = is_ambiguous or _is_ambiguous(text, below, column)
            continue
        start = line_start(text, cores[len(ends)].start)
        while below and below[-1].column is not None:
            start = below.pop().start
        starts.append(start)
        is_ambiguous = is_ambiguous or any(line.column is not None for line in below)
    return _Layout([Span(*bounds) for bounds in zip(starts, ends, strict=True)], is_ambiguous)


def _has_own_lines(text: str, core: _Core) -> bool:
    """Return whether nothing but a comma and a comment shares the lines of an entry in flow style."""
    is_first = not text[line_start(text, core.start) : core.start].strip(" \t")
    comma_is_near = core.comma < 0 or not _LINE_BREAK.search(text, core.end, core.comma)
    behind = core.end if core.comma < 0 else core.comma + 1
    return is_first and comma_is_near and _COMMENT_OR_NOTHING.match(text, behind) is not None


def _lines_below(text: str, offset: int) -> Iterator[_Line]:
    """Yield the lines below the end of a line, up to the first one with content."""
    while (line_break := _LINE_BREAK.match(text, offset)) is not None and line_break.end() < len(text):
        start = line_break.end()
        if _COMMENT_OR_NOTHING.match(text, start) is None:
            return
        offset = line_end(text, start)
        content = text[start:offset].lstrip(" \t")
        yield _Line(start, offset, offset - start - len(content) if content else None)


def first_comment_above(text: str, start: int) -> int:
    """Return the start of the first of the comment lines directly above a line, or the line's own start."""
    while start > 0:
        above = line_start(text, start - (2 if text.startswith("\r\n", start - 2) else 1))
        if not text[above:start].lstrip(" \t").startswith("#"):
            break
        start = above
    return start


def _is_ambiguous(text: str, below: list[_Line], column: int) -> bool:
    """Return whether a comment directly below the last entry may describe that entry or the whole."""
    if not below or below[0].column != column:
        return False
    following = _behind(_LINE_BREAK, text, below[-1].end)
    # The text that follows in the same column is no entry, so the comment belongs to it.
    return _behind(_SPACES, text, following) - following != column or following >= len(text)


def _with_comma(text: str, lines: Span, core: _Core, *, has_comma: bool) -> str:
    """Return the lines of an entry in flow style with a comma or without one."""
    head, tail = text[lines.start : core.end], text[core.end : lines.end]
    if has_comma == (core.comma >= 0):
        return head + tail
    return f"{head},{tail}" if has_comma else head + tail.replace(",", "", 1)
