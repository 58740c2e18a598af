"""What completion knows beyond the lines around the cursor."""

from typing import NamedTuple

from rubric_core.schema.fields import FieldType
from rubric_core.syntax.document import Document
from rubric_core.syntax.nodes import Mapping, Sequence, Tree
from rubric_core.text.patterns import lazily

# A file can hold more anchors than anybody wants to read through.
_MOST_ANCHORS = 100
_SHAPES = {Mapping: FieldType.MAPPING, Sequence: FieldType.SEQUENCE, type(None): None}
_ANCHOR = lazily(r"(?:(?<=[\s,\[{:-])|\A)&([^\s,\[\]{}]+)")


class CompletionContext(NamedTuple):
    """The file around the cursor: its chunks, which of them holds the cursor, and the offset in the whole text.

    `suite_keys` are the top-level keys that stand in other chunks.
    """

    document: Document
    chunk_number: int
    cursor: int
    suite_keys: frozenset[str] = frozenset()
    targets: tuple[str, ...] = ()
    scorecards: tuple[str, ...] = ()

    @property
    def is_json(self) -> bool:
        """Return whether each line is JSON."""
        return self.document.json_lines


def anchors_before(context: CompletionContext) -> dict[str, FieldType | None]:
    """Return the anchors that stand before the cursor in its YAML document, the nearest one first.

    The shape of what an anchor names is None where the text around it cannot be parsed.
    """
    found: dict[str, FieldType | None] = {}
    document = context.document
    own = document.chunks[context.chunk_number]
    _collect(found, own.text[: context.cursor - document.start_of(context.chunk_number)], own.tree)
    for chunk in document.anchored_before(context.chunk_number):
        if len(found) >= _MOST_ANCHORS:
            break
        _collect(found, chunk.text, chunk.tree)
    return found


def _collect(found: dict[str, FieldType | None], text: str, tree: Tree | None) -> None:
    known = tree.anchors if tree is not None else {}
    for name in reversed(_ANCHOR.findall(text)) if "&" in text else ():
        found.setdefault(name, _SHAPES.get(type(known.get(name)), FieldType.STRING))
