"""The files that an eval file refers to: messages, prompts, scripts, cases. Their existence is not checked here."""

from collections.abc import Generator, Iterator
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.by_chunk import ByTree, ChunkView, read_all
from rubric_core.assist.cursor import cursor_at
from rubric_core.assist.names.occurrences import content_of
from rubric_core.dialects.parts import PATHS
from rubric_core.text.spans import Span
from rubric_core.views.references import FileReference, references_of_case, references_of_suite

# A chunk without any of these refers to no file.
_WORDS = ("file", "prompt", "script", "command", "include", "tests")
# What no one file can be opened for.
_NO_FILES = frozenset({"path-as-prompt", "pattern"})


class Link(NamedTuple):
    """A path in the text, as seen from the eval file's folder. `kind` is `file`, `prompt` or `script`."""

    span: Span
    path: str
    kind: str


def links(analysis: Analysis) -> Generator[None, None, list[Link]]:
    """Return the paths in a file, in the order of the text. It lets others go first between two chunks."""
    if not (yield from read_all(analysis)):
        return []
    document = analysis.document
    placed: list[Link] = []
    index = 0
    while index < len(document.chunks):
        chunk = document.chunks[index]
        # An item without a colon is the path itself.
        if analysis.owns(chunk) and (":" not in chunk.text or any(word in chunk.text for word in _WORDS)):
            cached = _links.of(analysis, index)
            base = document.start_of(index)
            placed += [link._replace(span=link.span.shifted(base)) for link in cached]
            yield
        index += 1
    return placed


def link_at(analysis: Analysis, offset: int) -> Link | None:
    """Return the path at an offset."""
    cursor = cursor_at(analysis, offset)
    for link in _links.of(analysis, cursor.index) if cursor is not None else ():
        if cursor is not None and link.span.start <= cursor.at <= link.span.end:
            return link._replace(span=link.span.shifted(cursor.base))
    return None


def _read(view: ChunkView) -> tuple[Link, ...]:
    by_span: dict[Span, Link] = {}
    for node, path, kind, span in _references(view):
        # What an alias brings has its link where it is written.
        if node.origin is None:
            place = content_of(node) if span == node.span else span
            # Of several links at one place, the one with the most information is used.
            if kind not in _NO_FILES:
                by_span.setdefault(place, Link(place, path, kind))
    return tuple(sorted(by_span.values()))


_links = ByTree(_read)


def _references(view: ChunkView) -> Iterator[FileReference]:
    if view.suite is not None:
        yield from references_of_suite(view.suite, view.suite_evaluators()).files
    for case in view.cases():
        yield from references_of_case(case).files
    yield from PATHS.of(view.dialect).written(view.chunk, view.tree.root)
