"""Diagnostics as JSON text, kept with the chunk they belong to.

A keystroke changes one chunk. The diagnostics of the others are the same but for their line numbers, so each is
encoded once, with holes where the lines go.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from lsprotocol.converters import get_converter

from rubric_server.convert import Client, Places, diagnostic_of, range_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lsprotocol import types

    from rubric_core.rules.problem import Problem
    from rubric_core.syntax.chunks import Chunk
    from rubric_core.syntax.document import Document

# A quote inside of a JSON string has a backslash in front, so this finds keys only.
_LINE = re.compile(r'"line": (\d+)')
_converter = get_converter()


class Encoded(NamedTuple):
    """A diagnostic as JSON text with a hole for each line number, and those numbers counted from the chunk's start."""

    template: str
    lines: tuple[int, ...]

    def below(self, line: int) -> str:
        """Return the JSON text for a chunk that starts at a line."""
        return self.template % tuple(line + own for own in self.lines)


def encode(diagnostic: types.Diagnostic) -> Encoded:
    """Encode a diagnostic whose lines may move."""
    text = json.dumps(_converter.unstructure(diagnostic))
    lines = tuple(int(number) for number in _LINE.findall(text))
    return Encoded(_LINE.sub('"line": %d', text.replace("%", "%%")), lines)


class Encoder:
    """Encodes the diagnostics of one document."""

    def __init__(self, uri: str, client: Client) -> None:
        self.uri = uri
        self.client = client
        self._known: dict[Chunk, dict[Problem, Encoded]] = {}

    def encode(self, document: Document, problems: Iterable[Problem]) -> list[str]:
        """Return each problem as JSON text."""
        # Chunks that are gone, or have no problems any more, are dropped from memory here.
        known, self._known = self._known, {}
        found: list[str] = []
        for problem in problems:
            index = document.chunk_at(problem.span.start)
            chunk = document.chunks[index]
            ours = self._known.setdefault(chunk, known.get(chunk) or {})
            found.append(self._encode(document, index, problem, ours))
        return found

    def _encode(self, document: Document, index: int, problem: Problem, known: dict[Problem, Encoded]) -> str:
        chunk = document.chunks[index]
        own = _within(problem, document.start_of(index), len(chunk.text))
        if own is None:
            # It speaks of other chunks too, and those may move on their own.
            everywhere = partial(range_of, document, encoding=self.client.encoding)
            return encode(diagnostic_of(problem, self.uri, everywhere, self.client)).below(0)
        encoded = known.get(own)
        if encoded is None:
            here = Places(chunk.text, self.client.encoding).range
            encoded = known[own] = encode(diagnostic_of(own, self.uri, here, self.client))
        return encoded.below(document.line_of(index))


def _within(problem: Problem, base: int, size: int) -> Problem | None:
    """Return a problem with offsets from its chunk's start, or None where it does not stay within the chunk."""
    spans = (problem.span, *(other.span for other in problem.related))
    if any(span.start < base or span.end > base + size for span in spans):
        return None
    related = tuple(replace(other, span=other.span.shifted(-base)) for other in problem.related)
    # Without its fixes a problem is a plain value, which can be looked up.
    return replace(problem, span=problem.span.shifted(-base), related=related, fixes=None)
