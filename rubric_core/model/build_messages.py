"""From nodes to messages. A string stands for one message, whatever key it is written under."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_core.model.builder import below, text_of
from rubric_core.model.messages import ContentPart, Message
from rubric_core.syntax.nodes import Mapping, Scalar, Sequence
from rubric_core.syntax.scalars import is_blank, is_null

if TYPE_CHECKING:
    from rubric_core.model.builder import Builder
    from rubric_core.model.suite import ModelPath
    from rubric_core.syntax.document import Located
    from rubric_core.syntax.nodes import Node

_PART_KEYS = ("type", "value")


def build_messages(builder: Builder, path: ModelPath, item: Located | None, speaker: str) -> tuple[Message, ...]:
    """Build the messages of a list, or the one message of `speaker` that a string or structured data stands for."""
    if item is None:
        return ()
    node = item.node
    if isinstance(node, Sequence):
        return builder.each(path, below(item, node), lambda at, _place, each: _build_message(builder, at, each))
    at = (*path, 0)
    if isinstance(node, Mapping) and node.get("role") is not None:
        made = _build_message(builder, at, item)
    else:
        content = text_of(node) if isinstance(node, Scalar) else builder.plain(node)
        made = builder.make(Message, at, item.span, {"role": speaker, "content": content})
    return () if made is None else (made,)


def _build_message(builder: Builder, path: ModelPath, item: Located) -> Message | None:
    node = item.node
    if not isinstance(node, Mapping):
        builder.leave_out(path, item.span, "A message is a mapping with role and content.")
        return None
    values: dict[str, Any] = {"role": text_of(node.get("role")), "name": _speaker(node.get("name"))}
    content = node.get("content")
    if isinstance(content, Sequence):
        parts = builder.each(
            (*path, "content"),
            below(item, content),
            lambda at, _place, each: builder.make(ContentPart, at, each.span, _part_values(builder, each.node)),
        )
        if len(parts) < len(content.items):
            builder.leave_out(path, item.span, "A part of the content is not {type: text or file, value: text}.")
            return None
        values["content"] = parts
    elif content is not None and not is_null(content):
        values["content"] = text_of(content) if isinstance(content, Scalar) else builder.plain(content)
    calls = node.get("tool_calls")
    if isinstance(calls, Sequence):
        values["tool_calls"] = tuple(builder.plain(call) for call in calls.items)
    return builder.make(Message, path, item.span, values)


def _speaker(node: Node | None) -> str | None:
    """Return the name of the speaker; a blank one counts as absent."""
    return None if node is None or is_blank(node) else text_of(node)


def _part_values(builder: Builder, node: Node) -> dict[str, Any]:
    """Return the values of a part. Other keys are not read, as everywhere; RB003 tells."""
    value = builder.plain(node)
    return {key: value[key] for key in _PART_KEYS if key in value} if isinstance(value, dict) else {"value": value}
