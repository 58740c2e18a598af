"""The files that an eval file refers to: contents of messages, prompts, scripts. Whether they exist, others tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rubric_core.analysis.outline import cases_of
from rubric_core.assist.by_chunk import ByTree, read_all
from rubric_core.assist.names.occurrences import content_of
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.nodes import Mapping
from rubric_core.views.cases import CaseView
from rubric_core.views.evaluators import read_evaluators
from rubric_core.views.references import references_of_case, references_of_entry

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from rubric_core.analysis.analysis import Analysis
    from rubric_core.syntax.chunks import Chunk
    from rubric_core.syntax.nodes import Node, Tree
    from rubric_core.syntax.scalars import YamlVersion
    from rubric_core.text.spans import Span
    from rubric_core.views.references import FileReference

# A chunk without any of these refers to no file.
_WORDS = ("file", "prompt", "script")


class Link(NamedTuple):
    """A path in the text, as seen from the eval file's folder. `kind` is `file`, `prompt` or `script`."""

    span: Span
    path: str
    kind: str

    def shifted(self, by: int) -> Link:
        """Return the same link in a text that has `by` more code points in front."""
        return Link(self.span.shifted(by), self.path, self.kind)


def links(analysis: Analysis) -> Generator[None, None, list[Link]]:
    """Return the paths in a file, in the order of the text. It lets others go first between two chunks."""
    if not (yield from read_all(analysis)):
        return []
    document = analysis.document
    found: list[Link] = []
    index = 0
    while index < len(document.chunks):
        chunk = document.chunks[index]
        if analysis.owns(chunk) and any(word in chunk.text for word in _WORDS):
            known = _links.of(document, index)
            if known:
                base = document.start_of(index)
                found += [link.shifted(base) for link in known]
            yield
        index += 1
    return found


def _read(chunk: Chunk, tree: Tree, version: YamlVersion) -> tuple[Link, ...]:
    found = [*_references(chunk, tree.root, version)]
    # What an alias brings has its link where it is written.
    links = {
        Link(_place(reference), reference.path, reference.kind) for reference in found if reference.node.origin is None
    }
    return tuple(sorted(links))


_links = ByTree(_read)


def _references(chunk: Chunk, root: Node | None, version: YamlVersion) -> Iterator[FileReference]:
    in_list = chunk.kind is ChunkKind.ITEM or chunk.kind is ChunkKind.LINE
    if isinstance(root, Mapping) and not in_list:
        execution = root.index.get("execution")
        if execution is not None:
            yield from references_of_entry("execution", execution.value, read_evaluators(root, version)).files
    for case in cases_of(chunk, root)[1]:
        if isinstance(case, Mapping):
            yield from references_of_case(CaseView(case, version)).files


def _place(reference: FileReference) -> Span:
    """Return where the path itself stands, without quotes."""
    return content_of(reference.node) if reference.span == reference.node.span else reference.span
