"""References from one part of a file to another, such as `$ref: "#/assertionTemplates/short"`."""

from operator import is_

from rubric_core.model.builder import text_of
from rubric_core.model.outline import SuiteOutline
from rubric_core.model.render import mapping, sequence, text_node, with_values
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence

_KEY = "$ref"
_START = "#/"
_DEEPEST = 20


def with_references(node: Node, outline: SuiteOutline, depth: int = 0) -> Node:
    """Return a node with what its references name in their places; what leads nowhere stays, and a rule reports it.

    Keys beside a reference go before those that it brings.
    """
    if isinstance(node, Sequence):
        items = [with_references(item, outline, depth) for item in node.items]
        return node if all(map(is_, items, node.items)) else sequence(node, items)
    if not isinstance(node, Mapping):
        return node
    target = _target(text_of(node.get(_KEY)) or "", outline) if depth < _DEEPEST else None
    if target is None:
        values = [with_references(pair.value, outline, depth) for pair in node.pairs]
        is_same = all(value is pair.value for value, pair in zip(values, node.pairs, strict=True))
        return node if is_same else with_values(node, values)
    named = with_references(_moved(target, node), outline, depth + 1)
    own = {name: pair.value for name, pair in node.index.items() if name != _KEY}
    if not own or not isinstance(named, Mapping):
        return named
    return mapping(node, {**{name: pair.value for name, pair in named.index.items()}, **own})


def _target(pointer: str, outline: SuiteOutline) -> Node | None:
    """Return the part of a file that a reference names."""
    if not pointer.startswith(_START):
        return None
    first, *parts = pointer.removeprefix(_START).split("/")
    value, items = outline.values.get(first), outline.items(first)
    node = (
        value.node if value is not None else sequence(items[0].node, [item.node for item in items]) if items else None
    )
    for part in parts:
        if isinstance(node, Mapping):
            node = node.get(part)
        elif isinstance(node, Sequence) and part.isdecimal() and int(part) < len(node.items):
            node = node.items[int(part)]
        else:
            return None
    return node


def _moved(node: Node, place: Node) -> Node:
    """Return a node in the place of another one."""
    if isinstance(node, Sequence):
        return sequence(place, [_moved(item, place) for item in node.items])
    if isinstance(node, Mapping):
        return mapping(place, {name: _moved(pair.value, place) for name, pair in node.index.items()})
    assert isinstance(node, Scalar)  # noqa: S101 - there are three kinds of nodes.
    if node.is_plain:
        return Scalar(place.start, place.end, node.value, node.style, node.meta)
    return text_node(place, node.value)
