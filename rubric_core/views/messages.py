"""The messages of a case."""

from collections.abc import Iterator
from typing import NamedTuple

from rubric_core.syntax.nodes import Mapping, Pair, Sequence
from rubric_core.syntax.scalars import is_blank

MESSAGE_KEYS = ("input_messages", "input", "expected_messages", "expected_output")
"""The keys of a case under which messages stand."""


class MessageView(NamedTuple):
    """One message: `role`, `content` and `tool_calls` as pairs, each None where it is absent."""

    node: Mapping
    role: Pair | None
    content: Pair | None
    tool_calls: Pair | None

    @property
    def calls_tools(self) -> bool:
        """Return whether there are tool calls, so that the message needs no content."""
        if self.tool_calls is None:
            return False
        calls = self.tool_calls.value
        # What is no list is of the wrong type; it must not make the content look missing as well.
        return bool(calls.items) if isinstance(calls, Sequence) else not is_blank(calls)


def read_messages(case: Mapping) -> Iterator[MessageView]:
    """Yield the messages that a case sends and those that it expects; items that are no mappings are left out."""
    for key in MESSAGE_KEYS:
        value = case.get(key)
        if isinstance(value, Sequence):
            for item in value.items:
                if isinstance(item, Mapping):
                    index = item.index
                    yield MessageView(item, index.get("role"), index.get("content"), index.get("tool_calls"))
