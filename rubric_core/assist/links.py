"""The files that an eval file refers to: contents of messages, prompts, scripts. Whether they exist, others tell."""

from collections.abc import Generator, Iterator
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.by_chunk import ByTree, cases_in, read_all, suite_of
from rubric_core.assist.names.occurrences import content_of
from rubric_core.schema.dialects import AGENTV_2
from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.nodes import Node, Tree
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.text.spans import Span
from rubric_core.views.evaluators import read_evaluators
from rubric_core.views.references import FileReference, references_of_case, references_of_suite

# A chunk without any of these refers to no file.
_WORDS = ("file", "prompt", "script")


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
    found: list[Link] = []
    index = 0
    while index < len(document.chunks):
        chunk = document.chunks[index]
        if analysis.owns(chunk) and any(word in chunk.text for word in _WORDS):
            known = _links.of(document, index)
            base = document.start_of(index)
            found += [link._replace(span=link.span.shifted(base)) for link in known]
            yield
        index += 1
    return found


def _read(chunk: Chunk, tree: Tree, version: YamlVersion) -> tuple[Link, ...]:
    found: set[Link] = set()
    for node, path, kind, span in _references(chunk, tree.root, version):
        # What an alias brings has its link where it is written.
        if node.origin is None:
            found.add(Link(content_of(node) if span == node.span else span, path, kind))
    return tuple(sorted(found))


_links = ByTree(_read)


def _references(chunk: Chunk, root: Node | None, version: YamlVersion) -> Iterator[FileReference]:
    suite = suite_of(chunk, root)
    if suite is not None:
        evaluators = read_evaluators(suite, AGENTV_2.suite, version, AGENTV_2)
        yield from references_of_suite(suite, evaluators).files
    for case in cases_in(chunk, root, version):
        yield from references_of_case(case).files
