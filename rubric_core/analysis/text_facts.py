"""Facts that are read from the chunks of a file each time that the file as a whole is checked."""

from collections.abc import Iterator
from collections.abc import Mapping as AbstractMapping

from rubric_core.analysis.outline import ChunkOutline
from rubric_core.syntax.chunks import Chunk, ChunkKind
from rubric_core.syntax.document import Document
from rubric_core.syntax.nodes import Mapping, Scalar, walk
from rubric_core.text.patterns import lazily
from rubric_core.views.files import PlacedReference

CASES_IN_LISTS = frozenset({ChunkKind.ITEM, ChunkKind.LINE, ChunkKind.CASE})
"""The chunks that a suite has thousands of."""
_METRIC = lazily(r"(?<![\w$])[\"']?metric[\"']?[ \t]*:[ \t]*(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s\"'#][^\n,}#]*))")
# The entries in which a reference is not followed, and what a case may have that makes it go without a prompt.
_UNREAD = frozenset({"providers", "targets", "redteam"})
_CHANGING_PROMPTS = ("$ref", "prompts", "providerOutput", "transformVars", "storeOutputAs")


def metrics_in(document: Document) -> frozenset[str] | None:
    """Return the names of metrics in the text; None where templates make some."""
    texts = [chunk.text for chunk in document.chunks if "metric" in chunk.text]
    found = (each for text in texts for each in _METRIC.finditer(text))
    names = frozenset((each[each.lastindex or 0]).strip() for each in found)
    return None if any("{{" in name for name in names) else names


def references_in(
    document: Document, outlines: AbstractMapping[Chunk, ChunkOutline], key: str
) -> Iterator[PlacedReference]:
    """Yield what stands for another part of the file; the settings of providers are not read."""
    for index, chunk in enumerate(document.chunks):
        outline = outlines.get(chunk) if key in chunk.text else None
        if outline is None or any(pair.name in _UNREAD for pair in outline.entries):
            continue
        root = document.tree(index).root
        for node in walk(root) if root is not None else ():
            pointer = node.get(key) if isinstance(node, Mapping) else None
            if isinstance(pointer, Scalar) and pointer.origin is None:
                yield PlacedReference(chunk, pointer)


def has_cases_without_prompt(document: Document) -> bool:
    """Return whether a case may go without some of the prompts, or have variables that are not written in it."""
    texts = [chunk.text for chunk in document.chunks if "$ref" in chunk.text or chunk.kind in CASES_IN_LISTS]
    return any(word in text for text in texts for word in _CHANGING_PROMPTS)
