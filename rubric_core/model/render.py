"""Texts with the values of a test's `vars`, and of the environment, as templates of Nunjucks.

Plain names are replaced here; only other templates need `nunjucks.rendering` and with it jinja2.
"""

import re
from collections.abc import Callable
from collections.abc import Mapping as PlainMapping
from functools import cached_property
from operator import is_
from typing import Any, NamedTuple

from rubric_core.model.builder import plain
from rubric_core.nunjucks.markup import has_templates
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, ScalarStyle, Sequence
from rubric_core.syntax.scalars import YamlVersion

_PLACE = re.compile(r"\{\{\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\s*\}\}", re.ASCII)
_ENVIRONMENT = re.compile(r"\{\{\s*env\.[\s\S]*?\}\}")
_ENVIRONMENT_NAME = re.compile(r"\benv\.([A-Za-z_]\w*)", re.ASCII)
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?", re.ASCII)
_OLD_ENVIRONMENT = "${{"
# A placeholder in a script's command, which is filled in when the script runs.
_RESERVED = "answer_file"
_LATER = frozenset({"rubricPrompt"})
"""What is filled in when a judge is asked."""
_COMMANDS = frozenset(("command", "script"))
_LARGEST_EXACT = 2**53


class Failure(NamedTuple):
    """A text that cannot be rendered, and why in one sentence."""

    node: Node
    reason: str


TextRenderer = Callable[[Scalar], Node]


class NodeRenderer:
    """Renders the texts of nodes; by default none. `failures` has what cannot be rendered."""

    def __init__(self) -> None:
        self.failures: list[Failure] = []

    def render(self, node: Node) -> Node:
        """Return a node with its texts rendered, itself where there is nothing to render."""
        return node


class Renderer(NodeRenderer):
    """Renders texts with the variables of a test.

    A text that is only a name becomes the value, even a list or a mapping.
    """

    def __init__(self, values: PlainMapping[str, Node], version: YamlVersion) -> None:
        super().__init__()
        self.values = values
        self.version = version

    @cached_property
    def _plain(self) -> dict[str, Any]:
        values = {name: plain(node, self.version) for name, node in self.values.items()}
        return {**values, "vars": values}

    def render(self, node: Node) -> Node:
        """Return a node with its texts rendered, itself where there is nothing to render."""
        return each_text(node, self._text, self._command)

    def replaces(self, _value: Node) -> bool:
        """Return whether a text that is only a name becomes the value itself; else the value as a text."""
        return True

    def _command(self, node: Scalar) -> Node:
        return self._text(node, {_RESERVED: f"{{{{ {_RESERVED} }}}}"})

    def _text(self, node: Scalar, reserved: PlainMapping[str, str] | None = None) -> Node:
        if not has_templates(node.value) and "#}" not in node.value:
            return node
        place = _PLACE.fullmatch(node.value.strip())
        value = self._look_up(place[1]) if place is not None and place[1] not in (reserved or ()) else None
        if value is not None and self.replaces(value):
            return moved(value, node)
        text = self._with_names(node.value, reserved or {})
        if text is None:
            text = self._with_nunjucks(node, reserved or {})
        return node if text is None else Scalar(node.start, node.end, text, ScalarStyle.DOUBLE)

    def _look_up(self, name: str) -> Node | None:
        return look_up(name if "vars" in self.values else name.removeprefix("vars."), self.values)

    def _with_names(self, text: str, reserved: PlainMapping[str, str]) -> str | None:
        """Return a text with its names replaced; None if it has any other template syntax."""
        names = {name: self._text_of(name, reserved) for name in _PLACE.findall(text)}
        if None in names.values() or has_templates(rest := _PLACE.sub("", text)) or "#}" in rest:
            return None
        return _PLACE.sub(lambda place: names[place[1]] or "", text)

    def _text_of(self, name: str, reserved: PlainMapping[str, str]) -> str | None:
        """Return the text for a name; None if that needs the template engine."""
        if name in reserved:
            return reserved[name]
        node = self._look_up(name)
        if node is None:
            return None if name.partition(".")[0] in {*self.values, "vars", "range", "cycler", "joiner"} else ""
        value = plain(node, self.version) if isinstance(node, Scalar) else node
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int) and abs(value) < _LARGEST_EXACT:
            return str(value)
        return "" if value is None else value if isinstance(value, str) else None

    def _with_nunjucks(self, node: Scalar, reserved: PlainMapping[str, str]) -> str | None:
        from rubric_core.nunjucks.rendering import TemplateFailure, render_template  # noqa: PLC0415 - imports jinja2.

        try:
            return render_template(node.value, {**self._plain, **reserved})
        except TemplateFailure as failure:
            where = "" if failure.line is None else f" in line {failure.line} of the text"
            self.failures.append(Failure(node, f"A template cannot be rendered: {failure.reason}{where}."))
            return None


class EnvironmentRenderer(NodeRenderer):
    """Renders `{{ env.X }}` with the variables of the environment that the configuration allows."""

    def __init__(self, allowed: PlainMapping[str, str | None]) -> None:
        super().__init__()
        self.allowed = allowed

    def render(self, node: Node) -> Node:
        """Return a node with the allowed variables of the environment; others are empty, and failures."""
        return each_text(node, self._text)

    def _text(self, node: Scalar) -> Node:
        if "env." not in node.value or _OLD_ENVIRONMENT in node.value or not _ENVIRONMENT.search(node.value):
            return node
        text = _ENVIRONMENT.sub(lambda place: self._piece(place.group(), node), node.value)
        is_whole = _ENVIRONMENT.fullmatch(node.value.strip()) is not None
        is_other = text in {"true", "false"} or _NUMBER.fullmatch(text) is not None
        return Scalar(node.start, node.end, text, ScalarStyle.PLAIN if is_whole and is_other else ScalarStyle.DOUBLE)

    def _piece(self, piece: str, node: Scalar) -> str:
        for name in dict.fromkeys(_ENVIRONMENT_NAME.findall(piece)):
            if name not in self.allowed:
                reason = f"`env.{name}` is not allowed and so empty; add {name} to `template-env` in rubric.toml."
                self.failures.append(Failure(node, reason))
        simple = _PLACE.fullmatch(piece)
        if simple is not None:
            return self.allowed.get(simple[1].removeprefix("env.")) or ""
        renderer = Renderer({}, YamlVersion.V1_2)
        renderer._plain = {"env": {name: value for name, value in self.allowed.items() if value is not None}}  # noqa: SLF001 - the same class of values.
        made = renderer.render(Scalar(node.start, node.end, piece, ScalarStyle.DOUBLE))
        self.failures += (Failure(node, failure.reason) for failure in renderer.failures)
        return "" if renderer.failures or not isinstance(made, Scalar) else made.value


def each_text(node: Node, render: TextRenderer, command: TextRenderer | None = None) -> Node:
    """Return a node with a function applied to each text; the node itself if nothing changes.

    `command` is used for the commands of scripts. The parser's limit on depth bounds the recursion.
    """
    if isinstance(node, Scalar):
        return render(node)
    if isinstance(node, Sequence):
        items = [each_text(item, render, command) for item in node.items]
        return node if all(map(is_, items, node.items)) else sequence(node, items)
    assert isinstance(node, Mapping)  # noqa: S101 - there are three kinds of nodes.
    values = [
        pair.value
        if pair.name in _LATER
        else each_text(pair.value, command if command is not None and pair.name in _COMMANDS else render, command)
        for pair in node.pairs
    ]
    return node if all(map(is_, values, (pair.value for pair in node.pairs))) else with_values(node, values)


def with_values(node: Mapping, values: list[Node]) -> Mapping:
    """Return a mapping with the same keys and other values."""
    made = Mapping(node.start, node.flow)
    made.end = node.end
    for pair, value in zip(node.pairs, values, strict=True):
        made.add(Pair(pair.key, value))
    return made


def without(node: Mapping, names: tuple[str, ...]) -> Mapping:
    """Return a mapping without some of its keys."""
    made = Mapping(node.start, node.flow)
    made.end = node.end
    for pair in node.pairs:
        if pair.name not in names:
            made.add(pair)
    return made


def sequence(place: Node, items: list[Node]) -> Sequence:
    """Return a list with the span of another node."""
    made = Sequence(place.start, flow=True)
    made.end = place.end
    made.items = items
    return made


def mapping(place: Node, values: PlainMapping[str, Node]) -> Mapping:
    """Return a mapping with the span of another node."""
    made = Mapping(place.start, flow=True)
    made.end = place.end
    for name, value in values.items():
        made.add(Pair(text_node(place, name), value))
    return made


def text_node(place: Node, text: str) -> Scalar:
    """Return a text with the span of another node."""
    return Scalar(place.start, place.end, text, ScalarStyle.DOUBLE)


def look_up(name: str, values: PlainMapping[str, Node]) -> Node | None:
    """Return the value of a variable, or of a key in it, by a path with dots."""
    first, *rest = name.split(".")
    value = values.get(first)
    for part in rest:
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def moved(node: Node, place: Node) -> Node:
    """Return a value with the span of another node."""
    if isinstance(node, Scalar):
        return Scalar(place.start, place.end, node.value, node.style, None)
    if isinstance(node, Sequence):
        return sequence(place, [moved(item, place) for item in node.items])
    assert isinstance(node, Mapping)  # noqa: S101 - see above.
    made = with_values(node, [moved(pair.value, place) for pair in node.pairs])
    made.start, made.end = place.start, place.end
    return made
