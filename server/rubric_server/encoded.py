"""Diagnostics as JSON text, kept with the chunk they belong to.

A keystroke changes one chunk. The diagnostics of the others are the same but for their line numbers, so each is
encoded once, with holes where the lines go.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from rubric_server.convert import Client, Places, diagnostic_of, range_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rubric_core.rules.problem import Problem
    from rubric_core.syntax.chunks import Chunk
    from rubric_core.syntax.document import Document
    from rubric_server.protocol import Json

# A quote inside of a JSON string has a backslash in front, so this finds keys only.
_LINE = re.compile(r'"line": (\d+)')


class Encoded(NamedTuple):
    """A diagnostic as JSON text with a hole for each line number, and those numbers counted from the chunk's start."""

    template: str
    lines: tuple[int, ...]

    def below(self, line: int) -> str:
        """Return the JSON text for a chunk that starts at a line."""
        return self.template % tuple([line + own for own in self.lines])


def encode(diagnostic: dict[str, Json]) -> Encoded:
    """Encode a diagnostic whose lines may move."""
    text = json.dumps(diagnostic)
    lines = tuple(int(number) for number in _LINE.findall(text))
    return Encoded(_LINE.sub('"line": %d', text.replace("%", "%%")), lines)


class _Home(NamedTuple):
    """A chunk that has problems: where it stands now, and its diagnostics that are known."""

    text: str
    start: int
    end: int
    line: int
    known: dict[tuple[object, ...], Encoded]


class Encoder:
    """Encodes the diagnostics of one document."""

    def __init__(self, uri: str, client: Client) -> None:
        self.uri = uri
        self.client = client
        self._known: dict[Chunk, dict[tuple[object, ...], Encoded]] = {}

    def encode(self, document: Document, problems: Iterable[Problem]) -> list[str]:
        """Return each problem as JSON text. Problems come in the order of the text."""
        # Chunks that are gone, or have no problems any more, are dropped from memory here.
        before, self._known = self._known, {}
        found: list[str] = []
        home = _Home("", 0, 0, 0, {})
        for problem in problems:
            if problem.span.start >= home.end:
                home = self._home(document, problem, before)
            found.append(self._encode(document, home, problem))
        return found

    def _home(
        self, document: Document, problem: Problem, before: dict[Chunk, dict[tuple[object, ...], Encoded]]
    ) -> _Home:
        index = document.chunk_at(problem.span.start)
        chunk = document.chunks[index]
        start = document.start_of(index)
        known = self._known.setdefault(chunk, before.get(chunk) or {})
        return _Home(chunk.text, start, start + len(chunk.text), document.line_of(index), known)

    def _encode(self, document: Document, home: _Home, problem: Problem) -> str:
        spans = [problem.span, *(other.span for other in problem.related)]
        if any(span.start < home.start or span.end > home.end for span in spans):
            # It speaks of other chunks too, and those may move on their own.
            everywhere = partial(range_of, document, encoding=self.client.encoding)
            return encode(diagnostic_of(problem, self.uri, everywhere, self.client)).below(0)
        places = [offset - home.start for span in spans for offset in span]
        key = (problem.code, problem.severity, problem.message, *places)
        encoded = home.known.get(key)
        if encoded is None:
            inside = Places(home.text, self.client.encoding)
            encoded = home.known[key] = encode(
                diagnostic_of(problem, self.uri, lambda span: inside.range(span.shifted(-home.start)), self.client)
            )
        return encoded.below(home.line)
