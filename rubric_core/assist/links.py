"""The files that an eval file refers to: messages, prompts, scripts, cases. Whether they exist, others tell."""

from collections.abc import Generator, Iterator
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.by_chunk import ByTree, ChunkView, read_all
from rubric_core.assist.cursor import cursor_at
from rubric_core.assist.names.occurrences import content_of
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence, walk
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span
from rubric_core.views.references import FILE_URL, FileReference, references_of_case, references_of_suite

# A chunk without any of these refers to no file.
_WORDS = ("file", "prompt", "script", "command", "include", "tests")
_INCLUDE, _CASES, _PATHS = "include", "tests", "input_files"
# A template, a pattern, an address of another kind: what file it means is known only at run time.
_UNKNOWABLE = lazily(r"[{}$*?%<>|]|://")
_FILE_NAME = lazily(r"[^\s]*[/.][^\s]*\Z")


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
        # An item without a colon is the path itself.
        if analysis.owns(chunk) and (":" not in chunk.text or any(word in chunk.text for word in _WORDS)):
            known = _links.of(analysis, index)
            base = document.start_of(index)
            found += [link._replace(span=link.span.shifted(base)) for link in known]
            yield
        index += 1
    return found


def link_at(analysis: Analysis, offset: int) -> Link | None:
    """Return the path that stands at an offset."""
    cursor = cursor_at(analysis, offset)
    for link in _links.of(analysis, cursor.index) if cursor is not None else ():
        if cursor is not None and link.span.start <= cursor.at <= link.span.end:
            return link._replace(span=link.span.shifted(cursor.base))
    return None


def _read(view: ChunkView) -> tuple[Link, ...]:
    found: dict[Span, Link] = {}
    for node, path, kind, span in _references(view):
        # What an alias brings has its link where it is written.
        if node.origin is None:
            place = content_of(node) if span == node.span else span
            # What several places know of is told by the one that knows most of it.
            if kind != "path-as-prompt":
                found.setdefault(place, Link(place, path, kind))
    return tuple(sorted(found.values()))


_links = ByTree(_read)


def _references(view: ChunkView) -> Iterator[FileReference]:
    if view.suite is not None:
        yield from references_of_suite(view.suite, view.suite_evaluators()).files
    for case in view.cases():
        yield from references_of_case(case).files
    if view.dialect.has_file_urls and view.tree.root is not None:
        yield from _written_paths(view, view.tree.root)


def _written_paths(view: ChunkView, root: Node) -> Iterator[FileReference]:
    """Yield the files that are written as `file://` anywhere, included, listed as tests, or sent with the input."""
    chunk = view.chunk
    if chunk.kind is ChunkKind.ITEM and chunk.place is not None and chunk.place.key == _CASES:
        yield from _paths_in(root)
    for node in walk(root):
        if isinstance(node, Scalar) and node.value.startswith(FILE_URL):
            yield from _reference(node, node.value.removeprefix(FILE_URL))
        elif isinstance(node, Mapping):
            for key in (_CASES, _PATHS):
                yield from _paths_in(node.get(key))
            included = node.get(_INCLUDE)
            if isinstance(included, Scalar) and not included.value.startswith(FILE_URL):
                name = included.value
                yield from _reference(included, name if _FILE_NAME.match(name) else f".agentv/templates/{name}.yaml")


def _paths_in(listed: Node | None) -> Iterator[FileReference]:
    for item in listed.items if isinstance(listed, Sequence) else [listed]:
        if isinstance(item, Scalar) and _FILE_NAME.match(item.value) and not item.value.startswith(FILE_URL):
            yield from _reference(item, item.value)


def _reference(node: Scalar, path: str) -> Iterator[FileReference]:
    if path and not _UNKNOWABLE.search(path):
        yield FileReference(node, path, "file", node.span)
