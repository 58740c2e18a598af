"""Trees as plain data, so that they can be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.parse import parse

if TYPE_CHECKING:
    from rubric_core.syntax.document import Document


def mapping_of(text: str) -> Mapping:
    """Return the mapping that a text is."""
    root = parse(text).root
    assert isinstance(root, Mapping)
    return root


def shape(node: Node | None, base: int = 0) -> Any:
    """Return a node with its place and value, and everything below it."""
    if node is None:
        return None
    place = (node.start + base, node.end + base, node.origin is not None)
    if isinstance(node, Scalar):
        return (*place, node.style.name, node.value)
    if isinstance(node, Sequence):
        return (*place, node.flow, [shape(item, base) for item in node.items])
    assert isinstance(node, Mapping)
    index = {name: node.pairs.index(pair) for name, pair in node.index.items()}
    return (*place, node.flow, [pair_shape(pair, base) for pair in node.pairs], index, len(node.duplicates))


def pair_shape(pair: Pair, base: int = 0) -> Any:
    """Return a pair with everything in it."""
    return shape(pair.key, base), shape(pair.value, base)


def data(node: Node | None) -> Any:
    """Return a node as data without places: lists, lists of pairs, and the text of scalars."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [data(item) for item in node.items]
    if isinstance(node, Mapping):
        return [(data(pair.key), data(pair.value)) for pair in node.pairs]
    return None


def top_level(document: Document, section: int = 0) -> list[tuple[Any, Any]]:
    """Put the chunks of one YAML document together: its top-level entries with the items of the lists."""
    entries: list[tuple[Any, Any]] = []
    index = 0
    while index < len(document.chunks):
        tree = document.tree(index)
        chunk = document.chunks[index]
        base = document.start_of(index)
        index += 1
        if chunk.section != section:
            continue
        if chunk.kind.name in {"ENTRY", "WHOLE"} and isinstance(tree.root, Mapping):
            entries += [pair_shape(pair, base) for pair in tree.root.pairs]
        elif chunk.kind.name == "LIST_HEAD" and isinstance(tree.root, Mapping):
            entries.append((shape(tree.root.pairs[0].key, base), []))
        elif chunk.kind.name == "ITEM" and isinstance(tree.root, Sequence):
            entries[-1][1].extend(shape(item, base) for item in tree.root.items)
        elif tree.root is not None:
            entries.append(("root", shape(tree.root, base)))
    return entries


def problems_of(document: Document) -> list[tuple[int, str]]:
    """Return the syntax problems of a document with their places in the whole text."""
    document.settle()
    return [
        (problem.span.start + document.start_of(index), problem.message)
        for index in range(len(document.chunks))
        for problem in document.tree(index).problems
    ]
