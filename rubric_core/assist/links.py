"""The files that an eval file refers to: messages, prompts, scripts, cases. Their existence is not checked here."""

from collections.abc import Generator
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.by_chunk import ByTree, ChunkView, own_chunks, read_all
from rubric_core.assist.cursor import cursor_at
from rubric_core.assist.names.occurrences import content_of
from rubric_core.dialects.parts import PATHS
from rubric_core.text.spans import Span
from rubric_core.views.references import references_of_case, references_of_suite

# A chunk without any of these refers to no file.
_WORDS = ("file", "prompt", "script", "command", "include", "tests")
# Kinds of references without a single file.
_NO_FILES = frozenset({"path-as-prompt", "pattern"})


class Link(NamedTuple):
    """A path in the text, as seen from the eval file's folder. `kind` is `file`, `prompt` or `script`."""

    span: Span
    path: str
    kind: str


def links(analysis: Analysis) -> Generator[None, None, list[Link]]:
    """Return the paths in a file, in the order of the text. It yields between two chunks."""
    if not (yield from read_all(analysis)):
        return []
    placed: list[Link] = []
    for index, chunk in own_chunks(analysis):
        # An item without a colon is the path itself.
        if ":" not in chunk.text or any(word in chunk.text for word in _WORDS):
            cached, base = _links.of(analysis, index), analysis.document.start_of(index)
            placed += [link._replace(span=link.span.shifted(base)) for link in cached]
            yield
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
    files = [file for case in view.cases() for file in references_of_case(case).files]
    if view.suite is not None:
        files = [*references_of_suite(view.suite, view.suite_evaluators()).files, *files]
    files += PATHS.of(view.dialect).written(view.chunk, view.tree.root)
    for node, path, kind, span in files:
        # The copy of an alias has its link at the anchor.
        if node.origin is None:
            place = content_of(node) if span == node.span else span
            # Of several links at one place, the one with the most information is used.
            if kind not in _NO_FILES:
                by_span.setdefault(place, Link(place, path, kind))
    return tuple(sorted(by_span.values()))


_links = ByTree(_read)
