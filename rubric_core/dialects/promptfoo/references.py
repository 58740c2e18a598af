"""References from one part of a file to another, such as `$ref: "#/assertionTemplates/short"`, and to other files."""

import json
from operator import is_
from pathlib import PurePath

from rubric_core.dialects.promptfoo import CASE_WORDS
from rubric_core.files.case_files import CaseFile
from rubric_core.files.read import holds_variables
from rubric_core.model.builder import Builder, plain, text_of
from rubric_core.model.expand import PlacedFailure
from rubric_core.model.outline import SuiteOutline
from rubric_core.model.render import mapping, sequence, text_node, with_values
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.document import Located
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.syntax.parse import parse
from rubric_core.syntax.scalars import YamlVersion

_KEY = CASE_WORDS.pointer
_START = "#/"
_DEEPEST = 20
_YAML = (".yaml", ".yml")
_CODE = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".py")
_PACKAGE = "package:"


def with_references(node: Node, outline: SuiteOutline, depth: int = 0) -> Node:
    """Return a node with its references replaced by their targets; those without one stay, and a rule reports them.

    Keys beside a reference override those of its target.
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
    """Return a node with the span of another one."""
    if isinstance(node, Sequence):
        return sequence(place, [_moved(item, place) for item in node.items])
    if isinstance(node, Mapping):
        return mapping(place, {name: _moved(pair.value, place) for name, pair in node.index.items()})
    assert isinstance(node, Scalar)  # noqa: S101 - there are three kinds of nodes.
    if node.is_plain:
        return Scalar(place.start, place.end, node.value, node.style, node.meta)
    return text_node(place, node.value)


# Variables in files


def read_variables(
    builder: Builder, item: Located, values: dict[str, Node] | None
) -> tuple[dict[str, Node], list[PlacedFailure]]:
    """Return the variables of a test with those that are in files, and why some cannot be read."""
    variables: dict[str, Node] = {}
    failures: list[PlacedFailure] = []
    own = item.node.get("vars") if isinstance(item.node, Mapping) else None
    if own is not None and not isinstance(own, Mapping):
        values = {}
        for reference in [text_of(node) for node in (own.items if isinstance(own, Sequence) else [own])]:
            read = [parse(file.text or "").root for file in _files(builder, reference or "")]
            mappings = [root for root in read if isinstance(root, Mapping)]
            values |= {name: pair.value for root in mappings for name, pair in root.index.items()}
            if not mappings:
                failures.append(PlacedFailure(item.span, f"The variables in {reference} cannot be read."))
    for name, node in (values or {}).items():
        variables[name], reason = _value(builder, name, node)
        failures += [] if reason is None else [PlacedFailure(item.span, reason)]
    return variables, failures


def _value(builder: Builder, name: str, node: Node) -> tuple[Node, str | None]:
    """Return the value of a variable, read from the files that it names, or why there is none."""
    text = text_of(node) or ""
    if text.startswith(_PACKAGE):
        return node, f"The variable {name} is what a function of a package returns, which is not run."
    if not text.startswith(FILE_URL):
        return node, None
    if text.endswith(_CODE):
        return node, f"The variable {name} is what {text.removeprefix(FILE_URL)} returns, which is not run."
    read = [None if holds_variables(file.name) else _content(file, builder.version) for file in _files(builder, text)]
    if not read or None in read:
        return node, f"The variable {name} stands in {text.removeprefix(FILE_URL)}, which cannot be read as a text."
    texts: list[Node] = [text_node(node, content) for content in read if content is not None]
    return texts[0] if len(texts) == 1 else sequence(node, texts), None


def _files(builder: Builder, reference: str) -> tuple[CaseFile, ...]:
    return builder.files.case_files(reference) if builder.files is not None else ()


def _content(file: CaseFile, version: YamlVersion) -> str | None:
    """Return the text of a file; for YAML its data as JSON."""
    if file.text is None or PurePath(file.path).suffix not in _YAML:
        return None if file.text is None else file.text.strip()
    root = parse(file.text).root
    return None if root is None else json.dumps(plain(root, version), ensure_ascii=False, separators=(",", ":"))
