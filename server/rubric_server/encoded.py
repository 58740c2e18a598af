"""Diagnostics as JSON text, cached by chunk.

A keystroke changes one chunk, and only the line numbers of the others. So each chunk is encoded once, with placeholders
for line numbers. Neighbouring chunks form a block, whose text is cached: most keystrokes change one block, and an
inserted line changes the numbers of the blocks below.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, urljoin

from lsprotocol import types

from rubric_core.rules.problem import Problem, in_order
from rubric_core.syntax.chunks import Chunk
from rubric_core.text.spans import Span
from rubric_server.convert import Client, Places, diagnostic_of
from rubric_server.protocol.converter import to_json_text

if TYPE_CHECKING:
    from rubric_core.analysis.analysis import Analysis
    from rubric_core.files.naming_suite import NamingSuite

# A quote in a JSON string has a backslash before it, so this matches keys only.
_LINE = re.compile(r'"line": (\d+)')
# More lines than any text has, so that the line numbers of the chunks of a problem can be distinguished.
_FAR = 1_000_000_000
# From this number on, a line is one of another file, which does not change.
_ELSEWHERE = 1_000_000_000_000_000_000
# The number of chunks in a block.
_BLOCK = 256


class Template(NamedTuple):
    """JSON text with placeholders (holes) for line numbers, which are relative to the start of a chunk."""

    text: str
    # For each hole the number of its chunk (0 is the chunk of the problem itself) and the line in it.
    holes: tuple[tuple[int, int], ...]

    def below(self, *starts: int) -> str:
        """Return the JSON text for chunks that start at these lines."""
        return self.text % tuple([starts[number] + line for number, line in self.holes])


def template_of(text: str) -> Template:
    """Replace the line numbers of a JSON text by holes. Each chunk has its own range of numbers, see `_FAR`."""
    numbers = [int(number) for number in _LINE.findall(text)]
    holes = tuple(divmod(number, _FAR) for number in numbers if number < _ELSEWHERE)
    return Template(_LINE.sub(_hole, text.replace("%", "%%")), holes)


def _hole(match: re.Match[str]) -> str:
    number = int(match[1])
    return '"line": %d' if number < _ELSEWHERE else f'"line": {number - _ELSEWHERE}'


class _Piece(NamedTuple):
    """The problems of one chunk, their template, and the other chunks that they refer to."""

    problems: tuple[Problem, ...]
    template: Template
    others: tuple[Chunk, ...]


class _Block(NamedTuple):
    """Neighbouring chunks with problems, and their text for the lines that they start at."""

    part: list[tuple[Chunk, tuple[Problem, ...]]]
    pieces: dict[Chunk, _Piece]
    template: Template
    # The chunks that the holes refer to, and the lines that the text was made for.
    chunks: list[Chunk]
    starts: list[int]
    text: str


class Encoder:
    """Encodes the diagnostics of one document."""

    def __init__(self, uri: str, client: Client) -> None:
        self.uri = uri
        self.client = client
        self._blocks: dict[int, _Block] = {}
        self._shown: object = None
        # The suite that names the file as one of its files of cases.
        self._suite: NamingSuite | None = None

    def encode(self, analysis: Analysis) -> list[str]:
        """Return the diagnostics to show, those of a block as one text separated by commas."""
        shown = analysis.shown()
        suite = analysis.project.naming_suite if shown and not analysis.facts.has_suite_key else None
        if suite != self._suite:
            self._suite, self._shown, self._blocks = suite, None, {}
        if shown is not self._shown:
            self._shown = shown
            self._update_blocks(shown)
        first_lines, indices = analysis.document.first_lines, analysis.document.indices
        for number, block in self._blocks.items():
            starts = [first_lines[indices[chunk]] for chunk in block.chunks]
            if block.starts != starts:
                self._blocks[number] = block._replace(starts=starts, text=block.template.below(*starts))
        return [block.text for block in self._blocks.values()]

    def _update_blocks(self, shown: list[tuple[int, Chunk, tuple[Problem, ...]]]) -> None:
        """Make blocks of the problems to show; unchanged blocks are kept."""
        parts: dict[int, list[tuple[Chunk, tuple[Problem, ...]]]] = {}
        for index, chunk, problems in shown:
            parts.setdefault(index // _BLOCK, []).append((chunk, problems))
        before, self._blocks = self._blocks, {}
        for number, part in parts.items():
            block = before.get(number)
            if block is None or block.part != part:
                block = self._block(part, block.pieces if block is not None else {})
            self._blocks[number] = block

    def _block(self, part: list[tuple[Chunk, tuple[Problem, ...]]], earlier: dict[Chunk, _Piece]) -> _Block:
        pieces: dict[Chunk, _Piece] = {}
        chunks: list[Chunk] = []
        holes: list[tuple[int, int]] = []
        for chunk, problems in part:
            piece = earlier.get(chunk)
            if piece is None or piece.problems != problems:
                piece = self._piece(chunk, problems)
            pieces[chunk] = piece
            holes += [(len(chunks) + number, line) for number, line in piece.template.holes]
            chunks += (chunk, *piece.others)
        text = ", ".join([piece.template.text for piece in pieces.values()])
        return _Block(part, pieces, Template(text, tuple(holes)), chunks, [], "")

    def _piece(self, chunk: Chunk, problems: tuple[Problem, ...]) -> _Piece:
        related = (other.chunk for problem in problems for other in problem.related)
        others = tuple(dict.fromkeys(other for other in related if isinstance(other, Chunk)))
        places = {
            other: Places(other.text, self.client.encoding, number * _FAR)
            for number, other in enumerate(others, start=1)
        }
        own = Places(chunk.text, self.client.encoding)

        def ranges(span: Span, chunk: object) -> types.Range:
            return (places[chunk] if isinstance(chunk, Chunk) else own).range(span)

        diagnostics = [diagnostic_of(problem, self.uri, ranges, self.client) for problem in in_order(problems)]
        if self._suite is not None and self.client.related:
            for diagnostic in diagnostics:
                diagnostic.related_information = [*(diagnostic.related_information or ()), self._naming(self._suite)]
        return _Piece(problems, template_of(", ".join(map(to_json_text, diagnostics))), others)

    def _naming(self, suite: NamingSuite) -> types.DiagnosticRelatedInformation:
        """Return the place at which a suite names the file."""
        path = PurePath(suite.path).as_posix()
        place = types.Position(_ELSEWHERE + suite.line, 0)
        location = types.Location(urljoin(self.uri, quote(path)), types.Range(place, place))
        return types.DiagnosticRelatedInformation(location, f"{path} names this file.")
