"""The ids of cases and where they stand, of files that are open and of files that are only read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rubric_core.analysis.outline import outline_of
from rubric_core.assist.by_chunk import read_all
from rubric_core.config.config import DEFAULT, Config, is_ours_by_name
from rubric_core.syntax.document import Document

if TYPE_CHECKING:
    from collections.abc import Generator

    from rubric_core.analysis.analysis import Analysis
    from rubric_core.analysis.outline import Outline
    from rubric_core.text.spans import Span


class CaseName(NamedTuple):
    """The id of a case. `span` is where it stands in the whole text, with its quotes."""

    name: str
    span: Span


def names_of_cases(analysis: Analysis) -> Generator[None, None, list[CaseName]]:
    """Return the ids of an open file, in the order of the text. Once the file is read, they are all known."""
    if not (yield from read_all(analysis)):
        return []
    found: list[CaseName] = []
    start = 0
    for chunk in analysis.document.chunks:
        outline = analysis.facts.outlines.get(chunk)
        if outline is not None and outline.ids and analysis.owns(chunk):
            found += _names(outline, start)
        start += len(chunk.text)
    return found


def read_names_of_cases(text: str, *, path: str, config: Config = DEFAULT) -> Generator[None, None, list[CaseName]]:
    """Return the ids of a text that is not open; it is read once, and no tree of it is kept."""
    document = Document(text, json_lines=path.endswith(".jsonl"), limits=config.limits)
    ours: set[int] = set()
    everything = is_ours_by_name(config, path)
    found: list[tuple[int, CaseName]] = []
    index = 0
    while index < len(document.chunks):
        tree = document.tree(index)
        # Reading a chunk may join it with the next one, so the chunk is asked for only now.
        chunk = document.chunks[index]
        outline = outline_of(chunk, tree, starts_file=index == 0)
        everything = everything or outline.claims_file
        if outline.is_ours:
            ours.add(chunk.section)
        found += [(chunk.section, name) for name in _names(outline, document.start_of(index))]
        if not (tree.anchors or tree.external or tree.problems):
            chunk.tree = None
        index += 1
        yield
    return [name for section, name in found if everything or section in ours]


def _names(outline: Outline, start: int) -> list[CaseName]:
    return [CaseName(node.value, node.span.shifted(start)) for node in outline.ids]
