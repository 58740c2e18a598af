"""The variables of a test that are in files."""

import json
from pathlib import PurePath

from rubric_core.files.case_files import CaseFile
from rubric_core.files.variable_files import holds_variables
from rubric_core.model.builder import Builder, plain, text_of
from rubric_core.model.case_items import PlacedFailure
from rubric_core.model.render import sequence, text_node
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.document import Located
from rubric_core.syntax.nodes import Mapping, Node, Sequence
from rubric_core.syntax.parse import parse
from rubric_core.syntax.scalars import YamlVersion

_YAML = (".yaml", ".yml")
_CODE = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".py")
_PACKAGE = "package:"


def read_variables(
    builder: Builder, item: Located, values: dict[str, Node] | None
) -> tuple[dict[str, Node], list[PlacedFailure]]:
    """Return the variables of a test with those that are in files, and why some cannot be read."""
    variables: dict[str, Node] = {}
    failures: list[PlacedFailure] = []
    own = item.node.get("vars") if isinstance(item.node, Mapping) else None
    if own is not None and not isinstance(own, Mapping):
        values = {}
        for reference in [text_of(item) for item in (own.items if isinstance(own, Sequence) else [own])]:
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
    """Return the value of a variable, from its file or its files where it names some, or why there is none."""
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
    texts: list[Node] = [text_node(node, text) for text in read if text is not None]
    return texts[0] if len(texts) == 1 else sequence(node, texts), None


def _files(builder: Builder, reference: str) -> tuple[CaseFile, ...]:
    return builder.files.case_files(reference) if builder.files is not None else ()


def _content(file: CaseFile, version: YamlVersion) -> str | None:
    """Return the text of a file, and of one in YAML its data as JSON."""
    if file.text is None or PurePath(file.path).suffix not in _YAML:
        return None if file.text is None else file.text.strip()
    root = parse(file.text).root
    return None if root is None else json.dumps(plain(root, version), ensure_ascii=False, separators=(",", ":"))
