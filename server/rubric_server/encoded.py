"""Diagnostics as JSON text, kept with the chunk they belong to.

A keystroke changes one chunk. The diagnostics of the others are the same but for their line numbers, so each chunk is
encoded once, with holes where the lines go.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from rubric_server.convert import Client, Places, diagnostic_of, range_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rubric_core.analysis.analysis import Analysis
    from rubric_core.rules.problem import Problem
    from rubric_core.syntax.chunks import Chunk
    from rubric_core.text.spans import Span
    from rubric_server.protocol import Range

# A quote inside of a JSON string has a backslash in front, so this finds keys only.
_LINE = re.compile(r'"line": (\d+)')


def encode_alone(problem: Problem, uri: str, ranges: Callable[[Span], Range], client: Client) -> str:
    """Return a problem as JSON text; `ranges` knows where spans stand."""
    return json.dumps(diagnostic_of(problem, uri, ranges, client))


class Template(NamedTuple):
    """JSON text with a hole for each line number, and those numbers counted from the chunk's start."""

    text: str
    lines: tuple[int, ...]

    def below(self, line: int) -> str:
        """Return the JSON text for a chunk that starts at a line."""
        return self.text % tuple([line + own for own in self.lines])


def template_of(text: str) -> Template:
    """Make holes for the line numbers of a JSON text."""
    lines = tuple(int(number) for number in _LINE.findall(text))
    return Template(_LINE.sub('"line": %d', text.replace("%", "%%")), lines)


class _Kept(NamedTuple):
    """What is known of one chunk: its problems, their template, and the text for the line that it started at."""

    problems: tuple[Problem, ...]
    template: Template
    line: int
    text: str


class Encoder:
    """Encodes the diagnostics of one document."""

    def __init__(self, uri: str, client: Client) -> None:
        self.uri = uri
        self.client = client
        self._kept: dict[Chunk, _Kept] = {}

    def encode(self, analysis: Analysis) -> list[str]:
        """Return the diagnostics that there are to show, those of a chunk in one text with commas between them."""
        # Chunks that are gone, or have no problems any more, are dropped from memory here.
        before, self._kept = self._kept, {}
        found: list[str] = []
        line_of = analysis.document.line_of
        for index, chunk, problems in analysis.shown():
            line = line_of(index)
            kept = before.get(chunk)
            if kept is None or kept.problems != problems:
                if _speaks_of_others(problems):
                    # Those may move on their own.
                    found += [self._encode_anywhere(analysis, index, problem) for problem in _in_order(problems)]
                    continue
                template = self._template(chunk, problems)
                kept = _Kept(problems, template, line, template.below(line))
            elif kept.line != line:
                kept = kept._replace(line=line, text=kept.template.below(line))
            self._kept[chunk] = kept
            found.append(kept.text)
        return found

    def _template(self, chunk: Chunk, problems: tuple[Problem, ...]) -> Template:
        ranges = Places(chunk.text, self.client.encoding).range
        return template_of(
            ", ".join(encode_alone(problem, self.uri, ranges, self.client) for problem in _in_order(problems))
        )

    def _encode_anywhere(self, analysis: Analysis, index: int, problem: Problem) -> str:
        """Encode a problem whose related places are in other chunks."""
        document = analysis.document
        absolute = analysis.absolute(problem, document.chunks[index], document.start_of(index))
        return encode_alone(
            absolute, self.uri, lambda span: range_of(document, span, self.client.encoding), self.client
        )


def _speaks_of_others(problems: tuple[Problem, ...]) -> bool:
    return any(other.chunk is not None for problem in problems for other in problem.related)


def _in_order(problems: tuple[Problem, ...]) -> list[Problem]:
    return sorted(problems, key=lambda problem: (problem.span, problem.code, problem.message))
