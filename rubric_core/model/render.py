"""Texts of a test with the values of its `vars`: names between double braces are replaced, as AgentV 5 does.

A text with anything else of a template, such as a filter or a condition, stays as it is written.
"""

import re
from collections.abc import Mapping as PlainMapping

from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, ScalarStyle, Sequence
from rubric_core.syntax.scalars import is_null

_PLACE = re.compile(r"\{\{\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\}\}")
_OTHER = re.compile(r"\{[{%#]")
_ENVIRONMENT = "env"


def render(node: Node, values: PlainMapping[str, Node]) -> Node:
    """Return a node with its texts rendered, itself where there is nothing to render.

    A text that is one name and nothing else becomes the value itself. The parser's limit on depth bounds the recursion.
    """
    if isinstance(node, Scalar):
        return _render_text(node, values) if "{{" in node.value else node
    if isinstance(node, Sequence):
        items = [render(item, values) for item in node.items]
        return node if all(map(_is_same, items, node.items)) else _sequence(node, items)
    assert isinstance(node, Mapping)  # noqa: S101 - there are three kinds of nodes.
    found = [render(pair.value, values) for pair in node.pairs]
    return node if all(map(_is_same, found, (pair.value for pair in node.pairs))) else with_values(node, found)


def with_values(node: Mapping, values: list[Node]) -> Mapping:
    """Return a mapping with the same keys and other values."""
    made = Mapping(node.start, node.flow)
    made.end = node.end
    for pair, value in zip(node.pairs, values, strict=True):
        made.add(Pair(pair.key, value))
    return made


def _is_same(one: Node, other: Node) -> bool:
    return one is other


def _sequence(place: Node, items: list[Node]) -> Sequence:
    made = Sequence(place.start, flow=True)
    made.end = place.end
    made.items = items
    return made


def _render_text(node: Scalar, values: PlainMapping[str, Node]) -> Node:
    whole = _PLACE.fullmatch(node.value.strip())
    found = _look_up(whole[1], values) if whole is not None else None
    if found is not None:
        return _moved(found, node)
    names = {name: _look_up(name, values) for name in _PLACE.findall(node.value)}
    is_plain = all(value is None or isinstance(value, Scalar) for value in names.values())
    if not is_plain or _OTHER.search(_PLACE.sub("", node.value)) or any(map(_is_environment, names)):
        return node
    text = _PLACE.sub(lambda place: _text_of(names[place[1]]), node.value)
    return Scalar(node.start, node.end, text, ScalarStyle.DOUBLE)


def _is_environment(name: str) -> bool:
    return name.partition(".")[0] == _ENVIRONMENT


def _look_up(name: str, values: PlainMapping[str, Node]) -> Node | None:
    first, *rest = name.removeprefix("vars.").split(".")
    found = values.get(first)
    for part in rest:
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _text_of(node: Node | None) -> str:
    """Return what a value is in a text; nothing where there is none."""
    return node.value if isinstance(node, Scalar) and not is_null(node) else ""


def _moved(node: Node, place: Node) -> Node:
    """Return a value as if it stood where its name does."""
    if isinstance(node, Scalar):
        return Scalar(place.start, place.end, node.value, node.style, None)
    if isinstance(node, Sequence):
        return _sequence(place, [_moved(item, place) for item in node.items])
    assert isinstance(node, Mapping)  # noqa: S101 - see above.
    made = with_values(node, [_moved(pair.value, place) for pair in node.pairs])
    made.start, made.end = place.start, place.end
    return made
