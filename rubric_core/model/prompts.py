"""The prompts of a suite: their texts, and their names in the ids of tests."""

import json
from collections.abc import Callable
from typing import NamedTuple

from rubric_core.model.builder import Builder, plain, text_of
from rubric_core.model.expand import PlacedFailure, failures_of
from rubric_core.model.outline import SuiteOutline
from rubric_core.model.render import EnvironmentRenderer, mapping, sequence, text_node
from rubric_core.schema.scales import FILE_URL
from rubric_core.syntax.document import Located
from rubric_core.syntax.nodes import Mapping, Node, Sequence
from rubric_core.syntax.parse import parse
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.views.test_names import data_hash, safe_id

_RUN = ("function_file", "function", "command")
_KINDS = (("command", "function"), ("messages", "chat"), ("prompt", "string"), ("raw", "string"))
_AFFIXES = ("prefix", "suffix")


class PromptKeys(NamedTuple):
    """The keys of a prompt: those of its name in ids, the first that is there, and which file has its text."""

    names: tuple[str, ...]
    file_of: Callable[[Mapping], str | None]


class SuitePrompt(NamedTuple):
    """The text before it is rendered; None if it is unknown. `labels` are names that tests may use."""

    name: str
    item: Located | None
    failures: tuple[PlacedFailure, ...] = ()
    labels: tuple[str, ...] = ()


NO_PROMPT = SuitePrompt("", None)


def suite_prompts(builder: Builder, outline: SuiteOutline, keys: PromptKeys) -> list[SuitePrompt]:
    """Return the prompts of a suite; messages in a list are one prompt."""
    value, items = outline.values.get("prompts"), outline.items("prompts")
    if items is None:
        return [] if value is None else [_prompt(builder, value, keys)]
    if items and all(_is_message(item.node) for item in items):
        whole = value or items[0]._replace(node=sequence(items[0].node, [item.node for item in items]))
        return [_prompt(builder, whole, keys)]
    return [_prompt(builder, item, keys) for item in items]


def _is_message(node: Node) -> bool:
    return isinstance(node, Mapping) and "role" in node.index


def _prompt(builder: Builder, item: Located, keys: PromptKeys) -> SuitePrompt:
    renderer = EnvironmentRenderer(builder.environment)
    item = item._replace(node=renderer.render(item.node))
    name = _name(item.node, builder.version, keys.names)
    sent, reason = _sent(builder, item.node, keys)
    failures = failures_of(renderer, item)
    failures += [] if reason is None else [PlacedFailure(item.span, reason)]
    return SuitePrompt(name, None if sent is None else item._replace(node=sent), tuple(failures), _labels(item.node))


def _labels(node: Node) -> tuple[str, ...]:
    named = [node.get(key) for key in ("label", "id", "raw")] if isinstance(node, Mapping) else [node]
    return tuple(label for name in map(text_of, named) if name for label in (name, name.removeprefix(FILE_URL)))


def _sent(builder: Builder, node: Node, keys: PromptKeys) -> tuple[Node | None, str | None]:
    """Return the text of a prompt, or why it is unknown."""
    text = text_of(node)
    if text is not None and text.startswith(FILE_URL):
        return _of_file(builder, node, text)
    if not isinstance(node, Mapping):
        return node, None
    run = next((key for key in _RUN if key in node.index), None)
    if run is not None:
        return None, f"The prompt is made by its `{run}`, which is not run."
    file = keys.file_of(node)
    if file is not None:
        return _of_file(builder, node, file)
    for key in ("messages", "prompt", "raw"):
        value = node.get(key)
        if value is not None:
            return value, None
    return (sequence(node, [node]), None) if _is_message(node) else (None, "The prompt has no text to send.")


def _of_file(builder: Builder, node: Node, reference: str) -> tuple[Node | None, str | None]:
    path = reference.removeprefix(FILE_URL)
    text = builder.files.texts(frozenset((path,))).get(path) if builder.files is not None else None
    if text is None:
        return None, f"The prompt {path} cannot be read."
    return text_node(node, text.replace("\r\n", "\n")), None


def _name(node: Node, version: YamlVersion, keys: tuple[str, ...]) -> str:
    """Return the name of a prompt in the ids of tests, from the first of its keys that is present."""
    text = text_of(node)
    if text is not None:
        name = text.removeprefix(FILE_URL) if text.startswith(FILE_URL) else f"prompt-{data_hash(text)}"
    elif isinstance(node, Mapping):
        name = next((text for key in keys if (text := text_of(node.get(key)))), "").removeprefix(FILE_URL)
        for key in ("function_file", "function", "file"):
            name = name or (text_of(node.get(key)) or "").removeprefix(FILE_URL)
        for key, kind in _KINDS:
            value = node.get(key)
            if value is not None and not name:
                name = f"{'chat' if isinstance(value, Sequence) else kind}-{data_hash(plain(value, version))}"
    else:
        name = f"chat-{data_hash(plain(node, version))}"
    return safe_id(name)


def with_affixes(prompt: SuitePrompt, test: Mapping) -> SuitePrompt:
    """Return a prompt with the prefix and suffix of a test's options; a failure if it is not a text."""
    options = test.get("options")
    prefix, suffix = ((text_of(options.get(key)) or "") if isinstance(options, Mapping) else "" for key in _AFFIXES)
    if prompt.item is None or not (prefix or suffix):
        return prompt
    text = text_of(prompt.item.node)
    if text is None:
        reason = "`options.prefix` and `options.suffix` stand beside a prompt that is no text, which is not graded."
        return prompt._replace(failures=(*prompt.failures, PlacedFailure(prompt.item.span, reason)))
    return prompt._replace(item=prompt.item._replace(node=text_node(prompt.item.node, f"{prefix}{text}{suffix}")))


def messages_of(node: Node) -> Sequence:
    """Return an input as messages: one of the user, unless it is a list or a message already."""
    if isinstance(node, Sequence):
        return node
    return sequence(node, [node if _is_message(node) else user_message(node, node)])


def messages_of_prompt(node: Node) -> Sequence:
    """Return a rendered prompt as messages, a list of which it may be as JSON."""
    text = text_of(node)
    chat = _chat(node, text) if text is not None and text.lstrip().startswith("[") else None
    return chat or messages_of(node)


def _chat(place: Node, text: str) -> Sequence | None:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return None
    root = parse(text.strip()).root
    is_chat = isinstance(root, Sequence) and root.items and all(map(_is_message, root.items))
    return sequence(place, list(root.items)) if is_chat and isinstance(root, Sequence) else None


def user_message(place: Node, content: Node) -> Mapping:
    """Return a message of the user in the place of another node."""
    return mapping(place, {"role": text_node(place, "user"), "content": content})
