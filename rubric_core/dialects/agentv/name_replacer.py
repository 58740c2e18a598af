"""Texts with the values of a test's `vars` in place of their names, as AgentV 4 replaces them."""

import json
import re
from collections.abc import Mapping as PlainMapping

from rubric_core.model.builder import plain
from rubric_core.model.render import NodeRenderer, each_text, look_up, moved
from rubric_core.syntax.nodes import Node, Scalar, ScalarStyle
from rubric_core.syntax.scalars import YamlVersion

_PLACE = re.compile(r"\{\{\s*([A-Za-z_][\w.]*)\s*\}\}", re.ASCII)


class NameReplacer(NodeRenderer):
    """Replaces names between double braces. What `vars` does not have stays as it is written."""

    def __init__(self, values: PlainMapping[str, Node], version: YamlVersion) -> None:
        super().__init__()
        self.values = values
        self.version = version

    def render(self, node: Node) -> Node:
        """Return a node with its names replaced; without names, the node itself."""
        return each_text(node, self._text)

    def _text(self, node: Scalar) -> Node:
        if "{{" not in node.value:
            return node
        whole = _PLACE.fullmatch(node.value)
        if whole is not None:
            value = look_up(whole[1], self.values)
            return node if value is None else moved(value, node)
        text = _PLACE.sub(self._replaced, node.value)
        return node if text == node.value else Scalar(node.start, node.end, text, ScalarStyle.DOUBLE)

    def _replaced(self, place: re.Match[str]) -> str:
        node = look_up(place[1], self.values)
        if node is None:
            return place.group()
        value = plain(node, self.version)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
