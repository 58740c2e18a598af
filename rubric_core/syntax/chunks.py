"""Splitting a text into chunks that can be parsed alone: the items of top-level lists, and the other top-level entries.

The split depends on indentation only. A chunk that turns out to end inside quotes or brackets is joined with what
follows by the document; a YAML document that cannot be split is one chunk.
"""

import re
from collections.abc import Iterator
from enum import Enum
from functools import cache
from sys import maxsize
from typing import NamedTuple

from rubric_core.syntax.nodes import Tree
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.text.lines import next_line
from rubric_core.text.patterns import lazily


class ChunkKind(Enum):
    """What a chunk holds."""

    PREFIX = "directives, comments and the document marker before the content"
    ENTRY = "a top-level key with its value"
    LIST_HEAD = "a top-level key whose list items are chunks of their own"
    ITEM = "one item of a top-level list"
    WHOLE = "a YAML document that is not cut"
    LINE = "one line of a JSON Lines file"
    CASE = "a YAML document that is one case"

    # Members are compared by identity, and the hash that Enum gives them is written in Python.
    __hash__ = object.__hash__


class ListPlace(NamedTuple):
    """The list that an item belongs to: its key and the column of its dashes."""

    key: str
    indent: int


class Piece(NamedTuple):
    """A stretch of text that becomes a chunk."""

    kind: ChunkKind
    text: str
    place: ListPlace | None = None


class Chunk:
    """A piece of the document, with its tree once it is parsed."""

    __slots__ = ("__weakref__", "kind", "line_breaks", "place", "section", "text", "tree")

    def __init__(self, piece: Piece, section: int, line_breaks: int) -> None:
        self.kind = piece.kind
        self.text = piece.text
        self.place = piece.place
        self.section = section
        self.line_breaks = line_breaks
        self.tree: Tree | None = None

    def is_like(self, piece: Piece) -> bool:
        """Return whether a piece would become a chunk like this one."""
        return self.text == piece.text and self.kind is piece.kind and self.place == piece.place

    def __repr__(self) -> str:
        return f"Chunk({self.kind.name}, {self.text[:30]!r})"


_MARKS = ("---", "...")
_BORDER_MARKS = ("\n---", "\n...", "\n%", "\ufeff")
_BORDER_STARTS = ("---", "...", "%")
_SPECIAL_STARTS = frozenset("-.%?\ufeff")
_MARKER = lazily(r"(?:\A\ufeff?|(?<=[\r\n]))(?:---|\.\.\.)(?=[ \t\r\n]|\Z)")
# A line with content at column 0; dashes of list items and comments are no such content.
_NEXT_TOP_LINE = lazily(r"\n(?=[^ \t\r\n#\-]|-[^ \t\r\n])")
_KEY_LINE = lazily(r"[^:\r\n?\]},%|>@`][^\r\n]*?:(?=[ \t\r\n]|\Z)")
# A YAML document that starts like this is one list, one value in braces, or content behind its marker.
_NO_KEY = lazily(r"---|-(?=[ \t\r\n]|\Z)|[\[{]")
_LIST_HEAD = lazily(
    r"""(?:\#[^\r\n]*\r?\n)*                                            # comments directly above the key
        (?:([A-Za-z_$][A-Za-z0-9_.$-]*)|"([^"\\\r\n]*)"|'([^'\r\n]*)')  # the key
        \ *:\ *(?:\ \#[^\r\n]*)?\r?\n                                   # nothing behind it on its line
        (?:\ *(?:\#[^\r\n]*)?\r?\n)*                                    # blank lines and comments
        (\ *)-(?=[ \r\n]|\Z)                                            # the first dash
    """,
    re.VERBOSE,
)
NO_LISTS: frozenset[str] = frozenset()
_CONTENT = lazily(r"\ufeff?(?: *(?:#[^\r\n]*)?(?:\r\n|\n|\r))*")
_COMPLEX_KEY = lazily(r"(?:\A|\n)\?(?=[ \t\r\n]|\Z)")
_VERSION_1_1 = lazily(r"^\ufeff?%YAML[ \t]+1\.1\b", re.MULTILINE)


def moves_documents(text: str) -> bool:
    """Return whether an edit of this text may move the borders of YAML documents."""
    return any(mark in text for mark in _BORDER_MARKS) or text.startswith(_BORDER_STARTS) or _has_lone_carriage(text)


def _has_lone_carriage(text: str) -> bool:
    return "\r" in text and text.count("\r") != text.count("\r\n")


def version_of(prefix: str) -> YamlVersion:
    """Return the YAML version that the directives of a YAML document ask for."""
    return YamlVersion.V1_1 if _VERSION_1_1.search(prefix) else YamlVersion.V1_2


def split_sections(text: str) -> list[tuple[str, str]]:
    """Cut a text into YAML documents; each is a prefix (directives, marker, comments) and its content."""
    sections: list[tuple[str, str]] = []
    prefix_start = 0
    content_start = 0
    in_prefix = True
    for marker in _markers(text):
        line_end = next_line(text, marker.end())
        if marker.group().endswith("---"):
            if not (in_prefix and _only_prefix(text[prefix_start : marker.start()])):
                sections.append((text[prefix_start:content_start], text[content_start : marker.start()]))
                prefix_start = marker.start()
            # Text behind the marker on its own line is content.
            rest = text[marker.end() : line_end].strip(" \t\r\n")
            content_start = line_end if not rest or rest.startswith("#") else marker.start()
            in_prefix = False
        else:
            sections.append((text[prefix_start:content_start], text[content_start:line_end]))
            prefix_start = content_start = line_end
            in_prefix = True
    if prefix_start < len(text) or not sections:
        sections.append((text[prefix_start:content_start], text[content_start:]))
    return sections


def _markers(text: str) -> Iterator[re.Match[str]]:
    """Yield the markers that start or end a YAML document. A fast search for plain text goes first."""
    at = 0
    if not (text.startswith(_MARKS, 1 if text.startswith("\ufeff") else 0) or "\n---" in text or "\n..." in text):
        if not _has_lone_carriage(text):
            return
        at = text.find("\r")
    yield from _MARKER.finditer(text, at)


def _only_prefix(text: str) -> bool:
    """Return whether a text holds nothing but directives, comments and blank lines."""
    lines = text.replace("\r", "\n").split("\n")
    return all(line.lstrip(" \t\ufeff")[:1] in {"", "#", "%"} for line in lines)


def split_documents(text: str, whole_lists: frozenset[str] = NO_LISTS) -> Iterator[tuple[YamlVersion, list[Piece]]]:
    """Cut a text into YAML documents, each with its chunks and the YAML version that it asks for."""
    tops = _top_lines(text)
    if _is_one_document(text, tops):
        # Most files are one document, which is visible from the lines without indentation.
        is_cut = _starts_with_key(text)
        yield (
            YamlVersion.V1_2,
            list(_split_entries(text, None, tops, whole_lists)) if is_cut else [Piece(ChunkKind.WHOLE, text)],
        )
        return
    for prefix, content in split_sections(text):
        pieces = [Piece(ChunkKind.PREFIX, prefix)] if prefix else []
        if "%TAG" in prefix or (prefix and content.startswith("---")):
            # Tags are declared for the whole YAML document, so no chunk of it can be parsed alone; neither can
            # a directive whose marker shares a line with the content.
            pieces = [Piece(ChunkKind.WHOLE, prefix + content)]
        elif content or not prefix:
            pieces += split_content(content, whole_lists)
        yield version_of(prefix), pieces


def split_content(text: str, whole_lists: frozenset[str] = NO_LISTS) -> list[Piece]:
    """Cut the content of one YAML document into chunks, or keep it whole if it is not made of top-level keys."""
    if not can_be_cut(text) or _has_lone_carriage(text):
        return [Piece(ChunkKind.WHOLE, text)]
    return list(split_region(text, None, whole_lists))


def _top_lines(text: str) -> list[int]:
    """Return the starts of the lines after the first that have content at column 0 other than comments and dashes."""
    return [match.start() + 1 for match in _NEXT_TOP_LINE.finditer(text)]


def _is_one_document(text: str, tops: list[int]) -> bool:
    """Return whether a text has no markers, directives or complex keys, which are all at column 0."""
    starts = {text[at] for at in (0, *tops)} if text else set()
    return starts.isdisjoint(_SPECIAL_STARTS) and not _has_lone_carriage(text)


def can_be_cut(text: str) -> bool:
    """Return whether the content of a YAML document is made of top-level `key: value` entries."""
    return _starts_with_key(text) and not has_complex_key(text)


def _starts_with_key(text: str) -> bool:
    first = _content_start(text)
    return bool(_KEY_LINE.match(text, first)) and not _NO_KEY.match(text, first)


def _content_start(text: str, start: int = 0, stop: int = maxsize) -> int:
    """Return where the first line with content starts in a stretch, or the end of the stretch."""
    match = _CONTENT.match(text, start, stop)
    return match.end() if match else start


def has_complex_key(text: str) -> bool:
    """Return whether a top-level key is written with a question mark, which keeps its YAML document from being cut."""
    # A fast search for plain text goes first.
    return ("\n?" in text or text.startswith("?")) and _COMPLEX_KEY.search(text) is not None


def split_region(text: str, place: ListPlace | None, whole_lists: frozenset[str] = NO_LISTS) -> Iterator[Piece]:
    """Cut a stretch of text that starts at a chunk's border, inside the list `place` or between top-level entries."""
    return _split_entries(text, place, _top_lines(text), whole_lists)


def _split_entries(text: str, place: ListPlace | None, tops: list[int], whole_lists: frozenset[str]) -> Iterator[Piece]:
    starts = _entry_starts(text, tops, skip_first=place is not None)
    if place is not None:
        yield from _split_items(text, 0, starts[0] if starts else len(text), place)
    for number, start in enumerate(starts):
        # Comments and blank lines before the first entry belong to it: nothing else could hold them.
        begin = 0 if number == 0 and place is None else start
        end = starts[number + 1] if number + 1 < len(starts) else len(text)
        yield from _split_entry(text, begin, start, end, whole_lists)


def _entry_starts(text: str, tops: list[int], *, skip_first: bool) -> list[int]:
    """Return where each top-level entry starts, with the comments directly above its key."""
    first = _content_start(text)
    starts = [] if skip_first else [first]
    starts += [_above_comments(text, top, 0) for top in tops if top > first and _KEY_LINE.match(text, top)]
    return starts


def _split_entry(text: str, begin: int, start: int, end: int, whole_lists: frozenset[str]) -> Iterator[Piece]:
    head = _LIST_HEAD.match(text, start, end)
    if not head or head[1] in whole_lists:
        yield Piece(ChunkKind.ENTRY, text[begin:end])
        return
    place = ListPlace(head[1] or head[2] or head[3] or "", len(head[4]))
    items = _above_comments(text, head.start(4), place.indent)
    # The comments directly above the first dash cannot reach up to the key's own line.
    items = max(items, next_line(text, max(head.start(1), head.start(2), head.start(3))))
    yield Piece(ChunkKind.LIST_HEAD, text[begin:items], place)
    yield from _split_items(text, items, end, place)


def _split_items(text: str, begin: int, end: int, place: ListPlace) -> Iterator[Piece]:
    """Cut the items of a list that fill a stretch of the text."""
    start = begin
    for item in _item_start(place.indent).finditer(text, begin, end):
        following = max(_above_comments(text, item.start() + 1, place.indent), begin)
        # The first dash of the stretch is the first item's own.
        if _content_start(text, start, following) < following:
            yield Piece(ChunkKind.ITEM, text[start:following], place)
            start = following
    yield Piece(ChunkKind.ITEM, text[start:end], place)


@cache
def _item_start(indent: int) -> re.Pattern[str]:
    return re.compile(rf"\n {{{indent}}}-(?=[ \r\n]|\Z)")


def _above_comments(text: str, start: int, indent: int) -> int:
    """Move a border up over the comment lines directly above it that are indented by at most `indent`."""
    while start > 0:
        line_start = text.rfind("\n", 0, start - 1) + 1
        line = text[line_start:start].lstrip(" ")
        if line[:1] != "#" or start - line_start - len(line) > indent:
            return start
        start = line_start
    return start
