"""Anthropic's messages."""

import json
import re
from collections.abc import Collection
from typing import Any

from rubric_core.grading.json_text import elements, members
from rubric_core.grading.providers import dialect
from rubric_core.grading.providers.provider import Call, Completion
from rubric_core.text.patterns import lazily

_TOOL_USE = "tool_use"
_WHOLE = frozenset({"", "end_turn", "stop_sequence", _TOOL_USE})
_CUT_SHORT = frozenset({"max_tokens", "model_context_window_exceeded"})


def url(settings: dialect.ModelSettings) -> str:
    """Return the URL of messages."""
    return settings.base_url.rstrip("/").removesuffix("/v1") + "/v1/messages"


def body(settings: dialect.ModelSettings, call: Call) -> dict[str, Any]:
    """Return the request itself. Thinking takes tokens of its own, and goes with no temperature."""
    system, turns = dialect.split_system(call.turns)
    budget = settings.thinking_budget
    return {
        "model": settings.model,
        "max_tokens": (settings.max_tokens or 0) + (budget or 0),
        "messages": [{"role": turn.role, "content": turn.text} for turn in turns],
        **dialect.without_none(
            system=system or None,
            temperature=settings.temperature if budget is None else None,
            thinking=None if budget is None else {"type": "enabled", "budget_tokens": budget},
        ),
        **_structure(call, settings.structure, may_force=budget is None),
    }


def _structure(call: Call, structure: str, *, may_force: bool) -> dict[str, Any]:
    """Return the parameters that enforce the schema. A model that thinks cannot be forced to use a tool."""
    if call.schema is None or structure == dialect.PROMPT_ONLY:
        return {}
    schema = dict(call.schema)
    if structure == "json_schema":
        return {"output_config": {"format": {"type": "json_schema", "schema": schema}}}
    tool = {"name": dialect.SCHEMA_NAME, "description": "Gives the answer.", "input_schema": schema}
    choice = {"type": "tool", "name": dialect.SCHEMA_NAME} if may_force else {"type": "auto"}
    return {"tools": [tool], "tool_choice": choice}


def parse(body: bytes) -> Any:
    """Return the data of a reply, with the input of a tool as written.

    Parsing would lose repeated keys, which are refused in every judgement, and digits.
    """
    reply = dialect.parse_reply(body, own_text="input")
    blocks = dialect.list_at(reply, "content")
    if any(dialect.text_at(block, "type") == _TOOL_USE for block in blocks):
        written = dict(members(body.decode(json.detect_encoding(body), "surrogatepass")))["content"]
        for block, text in zip(blocks, elements(written), strict=True):
            if dialect.text_at(block, "type") == _TOOL_USE:
                block["input"] = "\n".join(value for name, value in members(text) if name == "input")
    return reply


def read(reply: Any, tools: Collection[str] = ()) -> Completion:
    """Return the answer in a reply. Raises ReplyWithoutAnswer if it was refused or is contradictory.

    It is the text, and below it the input of the tool, so that several judgements are detected and refused.
    """
    dialect.check_for_errors(reply)
    ending = dialect.ending_at(reply, "stop_reason")
    if ending == "refusal":
        raise dialect.ReplyWithoutAnswer("refused to answer", dialect.text_at(reply, "stop_details", "explanation"))
    dialect.check_ending(ending, _WHOLE | _CUT_SHORT)
    blocks = dialect.list_at(reply, "content")
    called = [block for block in blocks if dialect.text_at(block, "type").endswith(_TOOL_USE)]
    own = [block for block in called if block["type"] == _TOOL_USE and dialect.text_at(block, "name") in tools]
    dialect.check_tools(is_unoffered=own != called)
    if ending == _TOOL_USE and not called:
        raise dialect.ReplyWithoutAnswer("stopped for the call of a tool that it did not send")
    text = "".join(dialect.text_at(block, "text") for block in blocks if dialect.text_at(block, "type") == "text")
    content = "\n".join(part for part in (text, *(dialect.text_at(block, "input") for block in called)) if part)
    return dialect.completion(content, dialect.text_at(reply, "model"), cut_short=ending in _CUT_SHORT)


DIALECT = dialect.HttpDialect(
    structures=("json_schema", "tool", dialect.PROMPT_ONLY),
    url=url,
    headers={"x-api-key": "{key}", "anthropic-version": "{version}"},
    body=body,
    read=read,
    parse=parse,
    usage=("usage", ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"), ("output_tokens",)),
    structure_error=lazily(r"output_config|output_format|structured output|schema|tool", re.IGNORECASE),
    own_hosts=("api.anthropic.com",),
)
