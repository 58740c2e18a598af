"""The cases of a text that cannot be parsed, found line by line: the outline keeps their names while the user types."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from rubric_core.dialects.registry import CASE_LIST_NAMES
from rubric_core.syntax.chunks import Chunk, ChunkKind
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

_CASE_LIST = lazily(rf"^(?:{'|'.join(CASE_LIST_NAMES)})[ ]*:[ ]*(?:#[^\r\n]*)?(?=[\r\n]|\Z)", re.MULTILINE)
_ITEM = lazily(r"^(?P<indent>[ ]*)-(?P<gap>[ ]+|(?=[\r\n]|\Z))", re.MULTILINE)
_TOP_LEVEL = lazily(r"^[^\s#-]", re.MULTILINE)
_ID_VALUE = r"""["']?id["']?[ ]*:[ ]+(?:"(?P<double>[^"\r\n]*)"?|'(?P<single>[^'\r\n]*)'?|(?P<plain>[^\s#][^\r\n]*))"""
_ID_IN_LINE = lazily(r'"id"[ ]*:[ ]*"(?P<double>(?:[^"\\\r\n]|\\.)*)"')
_ID_IN_BRACES = lazily(r"""[{,][ ]*["']?id["']?[ ]*:[ ]*(?P<plain>["']?[^\s,{}"']+)""")
_COMMENT = lazily(r"[ \t]+#.*\Z")


class BrokenCase(NamedTuple):
    """A case that cannot be read: its id if there is one, its lines, and the place of the id or of its start."""

    name: str
    span: Span
    place: Span


def broken_cases(chunk: Chunk) -> Iterator[BrokenCase]:
    """Yield the cases of a broken chunk."""
    text = chunk.text
    if chunk.kind is ChunkKind.LINE:
        if text.strip():
            yield _broken_case(text, Span(0, len(text)), _ID_IN_LINE.search(text))
        return
    if chunk.kind is ChunkKind.ITEM:
        if chunk.place is not None and chunk.place.key in CASE_LIST_NAMES:
            yield from _items(text, 0, len(text))
        return
    for header in _CASE_LIST.finditer(text):
        following = _TOP_LEVEL.search(text, header.end())
        yield from _items(text, header.end(), following.start() if following else len(text))


def _items(text: str, start: int, stop: int) -> Iterator[BrokenCase]:
    """Yield the items of the list that starts behind an offset: lines with a dash in the column of the first one."""
    first = _ITEM.search(text, start, stop)
    if first is None:
        return
    starts = [match for match in _ITEM.finditer(text, first.start(), stop) if match["indent"] == first["indent"]]
    ends = [match.start() for match in starts[1:]]
    for match, end in zip(starts, [*ends, stop], strict=True):
        dash = len(match["indent"])
        column = len(match.group())
        key = re.compile(rf"^(?:[ ]{{{column}}}|[ ]{{{dash}}}-[ ]+){_ID_VALUE}", re.MULTILINE)
        name = key.search(text, match.start(), end) or _ID_IN_BRACES.search(text, match.start(), end)
        yield _broken_case(text, Span(match.start() + dash, end), name)


def _broken_case(text: str, lines: Span, match: re.Match[str] | None) -> BrokenCase:
    span = Span(lines.start, lines.start + len(text[lines.start : lines.end].rstrip()))
    if match is None:
        return BrokenCase("", span, Span(span.start, min(span.start + 1, span.end)))
    group = match.lastgroup or "plain"
    name = match[group]
    if group == "plain":
        name = _COMMENT.sub("", name).strip().strip("\"'")
    start = text.index(name, match.start(group))
    return BrokenCase(name, span, Span(start, start + len(name)))
