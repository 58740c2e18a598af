"""Nodes as plain Python data, for the parts of a file whose shape is the author's own."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, cast

from rubric_core.syntax.nodes import Mapping, Sequence
from rubric_core.syntax.scalars import YamlVersion, resolve

if TYPE_CHECKING:
    from rubric_core.model.base import JsonValue
    from rubric_core.syntax.nodes import Node, Scalar


def plain(node: Node, version: YamlVersion = YamlVersion.V1_2) -> JsonValue:
    """Return the value of a node as JSON knows it. The parser's limit on depth bounds the recursion."""
    if isinstance(node, Mapping):
        return plain_mapping(node, version)
    if isinstance(node, Sequence):
        return [plain(item, version) for item in node.items]
    value = resolve(cast("Scalar", node), version).value
    return float(value) if isinstance(value, Decimal) else value


def plain_mapping(
    node: Mapping, version: YamlVersion = YamlVersion.V1_2, without: frozenset[str] = frozenset()
) -> dict[str, JsonValue]:
    """Return a mapping with its keys as strings, leaving out the given keys; a collection as a key is passed over."""
    return {name: plain(pair.value, version) for name, pair in node.index.items() if name not in without}
