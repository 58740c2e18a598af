"""Diagnostics as JSON text, kept with the chunk they belong to.

A keystroke changes one chunk. The diagnostics of the others are the same but for their line numbers, so each chunk is
encoded once, with holes where the lines go.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.syntax.chunks import Chunk
from rubric_server.convert import Client, Places, diagnostic_of

if TYPE_CHECKING:
    from rubric_core.analysis.analysis import Analysis
    from rubric_core.rules.problem import Problem
    from rubric_core.text.spans import Span
    from rubric_server.convert import FindRange
    from rubric_server.protocol import Range

# A quote inside of a JSON string has a backslash in front, so this finds keys only.
_LINE = re.compile(r'"line": (\d+)')
# No text has so many lines, so the line numbers of the chunks that a problem speaks of can be told apart.
_FAR = 1_000_000_000


def encode_alone(problem: Problem, uri: str, ranges: FindRange, client: Client) -> str:
    """Return a problem as JSON text; `ranges` knows where spans stand."""
    return json.dumps(diagnostic_of(problem, uri, ranges, client))


class Template(NamedTuple):
    """JSON text with a hole for each line number; what goes there is counted from the start of some chunk."""

    text: str
    # For each hole the number of its chunk, 0 for the chunk of the problem itself, and the line in it.
    holes: tuple[tuple[int, int], ...]

    def below(self, *starts: int) -> str:
        """Return the JSON text for chunks that start at these lines."""
        return self.text % tuple([starts[number] + line for number, line in self.holes])


def template_of(text: str) -> Template:
    """Make holes for the line numbers of a JSON text. Each chunk has its own range of numbers, see `_FAR`."""
    holes = tuple(divmod(int(number), _FAR) for number in _LINE.findall(text))
    return Template(_LINE.sub('"line": %d', text.replace("%", "%%")), holes)


class _Kept(NamedTuple):
    """What is known of one chunk: its problems, their template, and the text for the line that it started at."""

    problems: tuple[Problem, ...]
    template: Template
    # The other chunks that are spoken of, which may move on their own.
    others: tuple[Chunk, ...]
    line: int
    text: str


class Encoder:
    """Encodes the diagnostics of one document."""

    def __init__(self, uri: str, client: Client) -> None:
        self.uri = uri
        self.client = client
        self._kept: dict[Chunk, _Kept] = {}

    def encode(self, analysis: Analysis) -> list[str]:
        """Return the diagnostics that there are to show, those of a chunk in one text with commas between them.

        This runs at every keystroke, over all chunks with problems, so it does no more than it must.
        """
        # Chunks that are gone, or have no problems any more, are dropped from memory here.
        before = self._kept
        now: dict[Chunk, _Kept] = {}
        found: list[str] = []
        first_lines = analysis.document.first_lines
        for index, chunk, problems in analysis.shown():
            kept = before.get(chunk)
            if kept is None or (kept.problems is not problems and kept.problems != problems):
                kept = self._encode(chunk, problems)
            line = first_lines[index]
            if kept.line != line or kept.others:
                indices = analysis.document.indices
                starts = [line, *(first_lines[indices[other]] for other in kept.others)]
                kept = _Kept(problems, kept.template, kept.others, line, kept.template.below(*starts))
            now[chunk] = kept
            found.append(kept.text)
        self._kept = now
        return found

    def _encode(self, chunk: Chunk, problems: tuple[Problem, ...]) -> _Kept:
        related = (other.chunk for problem in problems for other in problem.related)
        others = tuple(dict.fromkeys(other for other in related if isinstance(other, Chunk)))
        places = {
            other: Places(other.text, self.client.encoding, number * _FAR)
            for number, other in enumerate(others, start=1)
        }
        own = Places(chunk.text, self.client.encoding)

        def ranges(span: Span, chunk: object | None = None) -> Range:
            return (places[chunk] if isinstance(chunk, Chunk) else own).range(span)

        texts = [encode_alone(problem, self.uri, ranges, self.client) for problem in _in_order(problems)]
        return _Kept(problems, template_of(", ".join(texts)), others, -1, "")


def _in_order(problems: tuple[Problem, ...]) -> list[Problem]:
    return sorted(problems, key=lambda problem: (problem.span, problem.code, problem.message))
