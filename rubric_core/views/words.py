"""The words of a command that is written as one string, and where each stands in the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.syntax.nodes import BlockScalar, ScalarStyle
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

if TYPE_CHECKING:
    from rubric_core.syntax.nodes import Scalar

_WORD = lazily(r"""(?:[^ \t\r\n'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+""", re.DOTALL)
_QUOTING = lazily(r"""['"\\]""")
_QUOTES = {ScalarStyle.PLAIN: 0, ScalarStyle.SINGLE: 1, ScalarStyle.DOUBLE: 1}


class Word(NamedTuple):
    """A word as the command gets it, and the offset and text of it in the string, quotes included."""

    text: str
    offset: int
    written: str


def split_words(command: str) -> list[Word]:
    """Split a command as a shell would. A quote that is never closed leaves no words at all."""
    words: list[Word] = []
    done = 0
    for found in _WORD.finditer(command):
        if command[done : found.start()].strip():
            return []
        done = found.end()
        words.append(Word(_unquoted(found.group()), found.start(), found.group()))
    return [] if command[done:].strip() else words


def _unquoted(written: str) -> str:
    if not _QUOTING.search(written):
        return written
    import shlex  # noqa: PLC0415 - few files have commands with quotes in them.

    return shlex.split(written)[0]


def place_of_word(scalar: Scalar, word: Word) -> Span:
    """Return where a word of a scalar stands in the text; where that cannot be told, the scalar's own place.

    Through an alias there is no place in the text but the alias itself.
    """
    if scalar.origin is not None:
        return scalar.span
    if isinstance(scalar, BlockScalar):
        # The header's line holds no word of the command.
        at = scalar.raw.find(word.written, len(scalar.raw.partition("\n")[0]))
        return Span(scalar.start + at, scalar.start + at + len(word.written)) if at >= 0 else scalar.span
    quotes = _QUOTES[scalar.style]
    # YAML's escapes and folded lines only ever shorten a text, so equal lengths mean equal offsets.
    if scalar.end - scalar.start != len(scalar.value) + 2 * quotes:
        return scalar.span
    start = scalar.start + quotes + word.offset
    return Span(start, start + len(word.written))
