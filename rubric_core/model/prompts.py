"""The prompts of a suite: what each sends, and what it is called in the ids of tests."""

from typing import NamedTuple

from rubric_core.model.builder import Builder, plain, text_of
from rubric_core.model.outline import SuiteOutline
from rubric_core.model.render import EnvironmentRenderer, sequence, text_node
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.document import Located
from rubric_core.syntax.nodes import Mapping, Node, Sequence
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.text.spans import Span
from rubric_core.views.test_names import data_hash, safe_id

_RUN = ("function_file", "function", "command")
_KINDS = (("command", "function"), ("messages", "chat"), ("prompt", "string"), ("raw", "string"))


class PlacedFailure(NamedTuple):
    """What could not be rendered or read: its place, and why in one sentence."""

    span: Span
    reason: str


class SuitePrompt(NamedTuple):
    """What is sent, before it is rendered; None where that cannot be known. `labels` are names that tests may use."""

    name: str
    item: Located | None
    failures: tuple[PlacedFailure, ...] = ()
    labels: tuple[str, ...] = ()


def suite_prompts(builder: Builder, outline: SuiteOutline) -> list[SuitePrompt]:
    """Return the prompts of a suite, none where it has none; messages in a list are one prompt."""
    value, items = outline.values.get("prompts"), outline.items("prompts")
    if items is None:
        return [] if value is None else [_prompt(builder, value)]
    if items and all(_is_message(item.node) for item in items):
        whole = value or items[0]._replace(node=sequence(items[0].node, [item.node for item in items]))
        return [_prompt(builder, whole)]
    return [_prompt(builder, item) for item in items]


def _is_message(node: Node) -> bool:
    return isinstance(node, Mapping) and "role" in node.index


def _prompt(builder: Builder, item: Located) -> SuitePrompt:
    renderer = EnvironmentRenderer(builder.environment)
    item = item._replace(node=renderer.render(item.node))
    keys = ("label", "id") if builder.dialect.names_by_description else ("id",)
    name = _name(item.node, builder.version, keys)
    sent, reason = _sent(builder, item.node)
    failures = [PlacedFailure(each.node.span.shifted(item.base), each.reason) for each in renderer.failures]
    failures += [] if reason is None else [PlacedFailure(item.span, reason)]
    return SuitePrompt(name, None if sent is None else item._replace(node=sent), tuple(failures), _labels(item.node))


def _labels(node: Node) -> tuple[str, ...]:
    named = [node.get(key) for key in ("label", "id", "raw")] if isinstance(node, Mapping) else [node]
    return tuple(each for name in map(text_of, named) if name for each in (name, name.removeprefix(FILE_URL)))


def _sent(builder: Builder, node: Node) -> tuple[Node | None, str | None]:
    """Return what a prompt sends, or why that cannot be known."""
    text = text_of(node)
    if text is not None and text.startswith(FILE_URL):
        return _of_file(builder, node, text)
    if not isinstance(node, Mapping):
        return node, None
    run = next((key for key in _RUN if key in node.index), None)
    if run is not None:
        return None, f"The prompt is made by its `{run}`, which is not run."
    file = text_of(node.get("file")) or _named_file(builder, node)
    if file is not None:
        return _of_file(builder, node, file)
    for key in ("messages", "prompt", "raw"):
        value = node.get(key)
        if value is not None:
            return value, None
    return (sequence(node, [node]), None) if _is_message(node) else (None, "The prompt has no text to send.")


def _named_file(builder: Builder, node: Mapping) -> str | None:
    """Return the file that the id of a prompt without a text names, in a dialect in which it can be one."""
    named = text_of(node.get("id")) or ""
    may_be_file = builder.dialect.names_by_description and "raw" not in node.index
    return named if may_be_file and named.startswith(FILE_URL) else None


def _of_file(builder: Builder, node: Node, reference: str) -> tuple[Node | None, str | None]:
    path = reference.removeprefix(FILE_URL)
    text = builder.files.texts(frozenset((path,))).get(path) if builder.files is not None else None
    if text is None:
        return None, f"The prompt {path} cannot be read."
    return text_node(node, text.replace("\r\n", "\n")), None


def _name(node: Node, version: YamlVersion, keys: tuple[str, ...]) -> str:
    """Return what a prompt is called in the ids of tests, by the first of its keys that is there."""
    text = text_of(node)
    if text is not None:
        found = text.removeprefix(FILE_URL) if text.startswith(FILE_URL) else f"prompt-{data_hash(text)}"
    elif isinstance(node, Mapping):
        found = next((text for key in keys if (text := text_of(node.get(key)))), "").removeprefix(FILE_URL)
        for key in ("function_file", "function", "file"):
            found = found or (text_of(node.get(key)) or "").removeprefix(FILE_URL)
        for key, kind in _KINDS:
            value = node.get(key)
            if value is not None and not found:
                found = f"{'chat' if isinstance(value, Sequence) else kind}-{data_hash(plain(value, version))}"
    else:
        found = f"chat-{data_hash(plain(node, version))}"
    return safe_id(found)
