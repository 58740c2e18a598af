"""Where anchors (`&a`) and aliases (`*a`) stand in a text that could be read."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rubric_core.rules.suppressions import Scalars
from rubric_core.syntax.nodes import Mapping, Node, children
from rubric_core.text.lines import line_start
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

_ANCHOR = lazily(r"&([^\s,\[\]{}]+)")
_COMMENT = lazily(r"(?:(?<=[ \t\r\n\ufeff])|\A)#")


class AnchorPlace(NamedTuple):
    """An anchor or an alias with its sign."""

    name: str
    span: Span
    defines: bool


def anchor_places(text: str, root: Node) -> list[AnchorPlace]:
    """Return the anchors and aliases of a text, in its order."""
    names: set[str] = set()
    found: list[AnchorPlace] = []
    for node in _written_nodes(root):
        meta = node.meta
        if meta is not None and meta.anchor is not None:
            names.add(meta.anchor)
        if meta is not None and meta.alias is not None:
            found.append(AnchorPlace(meta.alias, node.span, defines=False))
    if names:
        found += _definitions(text, root, names)
    return sorted(found, key=lambda place: place.span)


def _written_nodes(root: Node) -> Iterator[Node]:
    """Give the nodes that stand in the text themselves, merge keys included: an alias, but not what it repeats."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        if node.meta is not None and node.meta.alias is not None:
            continue
        stack += [child for child in children(node) if child.origin is None or _is_alias(child)]
        if isinstance(node, Mapping) and node.meta is not None:
            # What stands in braces behind a merge key is among the pairs already.
            stack += [
                merge.value for merge in node.meta.merges if not isinstance(merge.value, Mapping) or merge.value.origin
            ]


def _is_alias(node: Node) -> bool:
    return node.meta is not None and node.meta.alias is not None


def _definitions(text: str, root: Node, names: set[str]) -> Iterator[AnchorPlace]:
    """Find the anchors between the scalars of a text; a node does not know where its own anchor stands."""
    scalars = Scalars(text, root)
    for found in _ANCHOR.finditer(text):
        name = found[1] if found[1] in names else found[1].rstrip(":")
        if name in names and scalars.is_comment(found.start()) and not _is_in_comment(text, found.start(), scalars):
            yield AnchorPlace(name, Span(found.start(), found.start() + 1 + len(name)), defines=True)


def _is_in_comment(text: str, at: int, scalars: Scalars) -> bool:
    starts = _COMMENT.finditer(text, line_start(text, at), at)
    return any(scalars.is_comment(found.start()) for found in starts)
