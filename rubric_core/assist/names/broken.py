"""Names in a text that cannot be read, by a tolerant look at its lines: enough to follow one of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.assist.broken_cases import broken_cases
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.syntax.chunks import Chunk

_ANCHOR_OR_ALIAS = lazily(r"(?:^|(?<=[\s\[{,]))([&*])([\w-]+)", re.MULTILINE)
_USE = lazily(
    r"""(?:^|[\s{,"'])(scorecard|target)["']?[ ]*:[ ]+(["']?)([^\s"'#{}\[\],&*|>][^\s"'{}\[\],]*)""", re.MULTILINE
)
_COMMENT_LINE = lazily(r"[ \t]*#|.*[ \t]#")


class BrokenName(NamedTuple):
    """A name, the sign or the key that it stands behind, and its place without and with quotes or sign."""

    behind: str
    name: str
    span: Span
    whole: Span


def broken_names(chunk: Chunk) -> Iterator[BrokenName]:
    """Give the names of a broken chunk."""
    text = chunk.text
    for case in broken_cases(chunk):
        if case.name:
            yield BrokenName("id", case.name, case.place, case.place)
    for found in _ANCHOR_OR_ALIAS.finditer(text):
        if not _is_in_comment(text, found.start()):
            yield BrokenName(found[1], found[2], Span(*found.span(2)), Span(found.start(1), found.end()))
    for found in _USE.finditer(text):
        if not _is_in_comment(text, found.start(1)):
            span = Span(*found.span(3))
            yield BrokenName(found[1], found[3], span, Span(found.start(2), found.end() + len(found[2])))


def _is_in_comment(text: str, at: int) -> bool:
    start = max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1
    return _COMMENT_LINE.match(text, start, at) is not None
