"""Messages: the turns of the conversation that is sent, and of the one that is expected."""

from __future__ import annotations

from typing import Literal

from pydantic import model_validator

from rubric_core.model.base import JsonValue, Model, Text

Role = Literal["system", "user", "assistant", "tool"]


class ContentPart(Model):
    """A piece of a message: the text itself, or the path of a file that holds it."""

    type: Literal["text", "file"]
    value: str


class Message(Model):
    """One turn. `content` is text, a tuple of parts, structured data, or None beside tool calls."""

    role: Role
    content: str | tuple[ContentPart, ...] | dict[str, JsonValue] | None = None
    name: Text | None = None
    tool_calls: tuple[dict[str, JsonValue], ...] = ()

    @model_validator(mode="after")
    def _says_something(self) -> Message:
        if self.content is None and not self.tool_calls:
            raise ValueError("the message has neither content nor tool_calls")
        return self

    @property
    def parts(self) -> tuple[ContentPart, ...]:
        """Return the content as parts; a string is one text part, structured data has none."""
        if isinstance(self.content, str):
            return (ContentPart(type="text", value=self.content),)
        return self.content if isinstance(self.content, tuple) else ()
