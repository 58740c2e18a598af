"""Messages are read from each of the four keys of a case."""

from __future__ import annotations

import pytest
from plain_trees import mapping_of

from rubric_core.dialects.eval_files import MESSAGE_KEYS
from rubric_core.syntax.nodes import Scalar
from rubric_core.views.cases import MessageView, read_messages


def _read(text: str) -> list[MessageView]:
    return list(read_messages(mapping_of(text)))


@pytest.mark.parametrize("key", MESSAGE_KEYS)
def test_messages_are_under_each_key(key: str) -> None:
    """Parts that a message does not have are None."""
    (message,) = _read(f"{key}: [{{role: user, content: Hello}}]\n")
    assert message.role is not None
    assert isinstance(message.role.value, Scalar)
    assert message.role.value.value == "user"
    assert message.content is not None
    assert message.tool_calls is None


@pytest.mark.parametrize(
    "text", ["input: Hello\n", "input: [Hello, [a], 7]\n", "expected_output: {role: user}\n", "input:\n"]
)
def test_what_is_no_message_is_left_out(text: str) -> None:
    """A mapping under `expected_output` is structured output: its keys are the author's own."""
    assert _read(text) == []


@pytest.mark.parametrize(
    ("calls", "expected"),
    [("[{tool: grep}]", True), ("[]", False), ("~", False), ("''", False), ("grep", True), ("{tool: grep}", True)],
)
def test_a_message_calls_tools_where_it_lists_some(calls: str, expected: bool) -> None:  # noqa: FBT001 - a column of the table.
    """Calls of the wrong type are calls all the same: their type is what is wrong, not the content."""
    (message,) = _read(f"input:\n  - role: assistant\n    tool_calls: {calls}\n")
    assert message.calls_tools is expected


def test_without_tool_calls_none_are_made() -> None:
    """The usual message has no such key."""
    (message,) = _read("input: [{role: assistant}]\n")
    assert not message.calls_tools
