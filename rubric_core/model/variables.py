"""The variables of a test: its own and those that it starts from, those in files, and the values of lists."""

import json
from pathlib import PurePath

from rubric_core.files.case_files import CaseFile
from rubric_core.files.variable_files import holds_variables
from rubric_core.model.builder import Builder, plain, text_of
from rubric_core.model.prompts import PlacedFailure
from rubric_core.model.render import sequence, text_node, without
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.document import Located
from rubric_core.syntax.nodes import Mapping, Node, Scalar, Sequence
from rubric_core.syntax.parse import parse
from rubric_core.syntax.scalars import ScalarKind, YamlVersion, as_boolean, is_blank, kind_of

_YAML = (".yaml", ".yml")
_CODE = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".py")
_PACKAGE = "package:"
_KEEPS_LISTS = "disableVarExpansion"


def variables_of(node: Mapping, shared: Mapping | None, *, has_prompts: bool) -> tuple[Mapping, dict[str, Node] | None]:
    """Return a test and its variables, None where it has none and so is not rendered.

    Those of the default test come first. Beside prompts the `input` of a test is a variable.
    """
    own, given = node.get("vars"), node.get("input") if has_prompts else None
    if own is not None and not isinstance(own, Mapping):
        return node, None
    values = {name: pair.value for each in (shared, own) if each is not None for name, pair in each.index.items()}
    if given is not None:
        values["input"] = given
        node = without(node, ("input", "input_files"))
    has_any = own is not None or given is not None or (shared is not None and bool(shared.index))
    return node, values if has_any else None


def read_variables(
    builder: Builder, item: Located, values: dict[str, Node] | None
) -> tuple[dict[str, Node], list[PlacedFailure]]:
    """Return the variables of a test with those that are in files, and why some cannot be read."""
    found: dict[str, Node] = {}
    failures: list[PlacedFailure] = []
    own = item.node.get("vars") if isinstance(item.node, Mapping) else None
    if own is not None and not isinstance(own, Mapping):
        values = {}
        for reference in [text_of(each) for each in (own.items if isinstance(own, Sequence) else [own])]:
            read = [parse(file.text or "").root for file in _files(builder, reference or "")]
            mappings = [root for root in read if isinstance(root, Mapping)]
            values |= {name: pair.value for root in mappings for name, pair in root.index.items()}
            if not mappings:
                failures.append(PlacedFailure(item.span, f"The variables in {reference} cannot be read."))
    for name, node in (values or {}).items():
        found[name], reason = _value(builder, name, node)
        failures += [] if reason is None else [PlacedFailure(item.span, reason)]
    return found, failures


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
    texts: list[Node] = [text_node(node, each) for each in read if each is not None]
    return texts[0] if len(texts) == 1 else sequence(node, texts), None


def _files(builder: Builder, reference: str) -> tuple[CaseFile, ...]:
    return builder.files.case_files(reference) if builder.files is not None else ()


def _content(file: CaseFile, version: YamlVersion) -> str | None:
    """Return the text of a file, and of one in YAML its data as JSON."""
    if file.text is None or PurePath(file.path).suffix not in _YAML:
        return None if file.text is None else file.text.strip()
    root = parse(file.text).root
    return None if root is None else json.dumps(plain(root, version), ensure_ascii=False, separators=(",", ":"))


def choices_of(test: Mapping, values: dict[str, Node] | None, version: YamlVersion) -> list[list[Node]]:
    """Return the values that each variable has in the copies of a test; one where its options keep lists."""
    options = test.get("options")
    switch = options.get(_KEEPS_LISTS) if isinstance(options, Mapping) else None
    keeps_lists = switch is not None and as_boolean(switch, version) is True
    return [[value] if keeps_lists else _texts_of(value, version) for value in (values or {}).values()]


def _texts_of(value: Node, version: YamlVersion) -> list[Node]:
    is_list = isinstance(value, Sequence) and (not value.items or is_text(value.items[0], version))
    return list(value.items) if isinstance(value, Sequence) and is_list else [value]


def is_text(node: Node, version: YamlVersion) -> bool:
    """Return whether a node is a text and nothing else."""
    return isinstance(node, Scalar) and not is_blank(node) and kind_of(node, version) is ScalarKind.STRING
