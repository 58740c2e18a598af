"""Anthropic's messages."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from rubric_core.grading.json_text import elements, members
from rubric_core.grading.providers.dialect import (
    PROMPT_ALONE,
    HttpDialect,
    ReplyWithoutAnswer,
    at,
    check_for_error,
    count_at,
    dropping_temperature,
    ending_at,
    given,
    one_call,
    parse_reply,
    parted,
    stepping_down,
    temperature_of,
    text_at,
    unoffered_tool,
)
from rubric_core.grading.providers.provider import Completion
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Collection

    from rubric_core.grading.providers.dialect import Manner, ModelSettings
    from rubric_core.grading.providers.provider import Call

LADDER = ("json_schema", "tool", PROMPT_ALONE)

_TOOL_USE = "tool_use"
_WHOLE = frozenset({"", "end_turn", "stop_sequence", _TOOL_USE})
_CUT_SHORT = frozenset({"max_tokens", "model_context_window_exceeded"})


def url(settings: ModelSettings) -> str:
    """Return where messages are sent."""
    return settings.base_url.rstrip("/").removesuffix("/v1") + "/v1/messages"


def headers(settings: ModelSettings) -> dict[str, str]:
    """Return the headers of a request."""
    return {"x-api-key": settings.api_key or "", "anthropic-version": settings.version}


def body(settings: ModelSettings, call: Call, manner: Manner) -> dict[str, Any]:
    """Return the request itself. Thinking takes tokens of its own, and goes with no temperature."""
    conversation = parted(call.turns)
    budget = settings.thinking_budget
    return {
        "model": settings.model,
        "max_tokens": (settings.max_tokens or 0) + (budget or 0),
        "messages": [{"role": turn.role, "content": turn.text} for turn in conversation.turns],
        **given(
            system=conversation.system or None,
            temperature=temperature_of(settings, manner) if budget is None else None,
            thinking=None if budget is None else {"type": "enabled", "budget_tokens": budget},
        ),
        **_structure(call, manner.structure, may_force=budget is None),
    }


def _structure(call: Call, structure: str, *, may_force: bool) -> dict[str, Any]:
    """Return what holds the reply to the schema. A model that thinks cannot be forced to use a tool."""
    if call.schema is None or structure == PROMPT_ALONE:
        return {}
    schema = dict(call.schema)
    if structure == "json_schema":
        return {"output_config": {"format": {"type": "json_schema", "schema": schema}}}
    tool = {"name": call.schema_name, "description": "Gives the answer.", "input_schema": schema}
    choice = {"type": "tool", "name": call.schema_name} if may_force else {"type": "auto"}
    return {"tools": [tool], "tool_choice": choice}


def parse(body: bytes) -> Any:
    """Return the data of a reply, with what was given to a tool as the text that it was written as.

    Read and written again it would have lost what is refused in every judgement: repeated keys, and digits.
    """
    reply = parse_reply(body, own_text="input")
    if any(text_at(block, "type") == _TOOL_USE for block in _listed(reply)):
        written = dict(members(body.decode(json.detect_encoding(body), "surrogatepass")))["content"]
        for block, text in zip(_listed(reply), elements(written), strict=True):
            if text_at(block, "type") == _TOOL_USE:
                block["input"] = "\n".join(each for name, each in members(text) if name == "input")
    return reply


def read(reply: Any, tools: Collection[str] = ()) -> Completion:
    """Return the answer in a reply. Raises ReplyWithoutAnswer where it was withheld or contradicts itself."""
    usage = one_call(
        sum(
            count_at(reply, "usage", name)
            for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
        ),
        count_at(reply, "usage", "output_tokens"),
    )
    check_for_error(reply, usage)
    reason = ending_at(reply, "stop_reason", usage)
    if reason == "refusal":
        raise ReplyWithoutAnswer("refused to answer", usage, text_at(reply, "stop_details", "explanation"))
    if reason not in _WHOLE | _CUT_SHORT:
        raise ReplyWithoutAnswer(f"stopped the answer ({reason})", usage)
    called = [block for block in _listed(reply) if text_at(block, "type").endswith(_TOOL_USE)]
    if any(text_at(block, "type") != _TOOL_USE or text_at(block, "name") not in tools for block in called):
        raise unoffered_tool(usage)
    if reason == _TOOL_USE and not called:
        raise ReplyWithoutAnswer("stopped for the call of a tool that it did not send", usage)
    text = _content(_listed(reply))
    if not text.strip() and reason in _CUT_SHORT:
        raise ReplyWithoutAnswer(
            "reached its limit of tokens before the answer began; raise the setting max_tokens", usage
        )
    if not text.strip():
        raise ReplyWithoutAnswer("sent an empty answer", usage)
    return Completion(text, text_at(reply, "model") or None, usage, cut_short=reason in _CUT_SHORT)


def _listed(reply: Any) -> list[Any]:
    blocks = at(reply, "content")
    return blocks if isinstance(blocks, list) else []


def _content(blocks: list[Any]) -> str:
    """Return the text, and below it what was given to the tool.

    All of it is kept: several judgements in one reply are found and refused, whichever way each of them was given.
    """
    text = "".join(text_at(block, "text") for block in blocks if text_at(block, "type") == "text")
    given_to_tool = [text_at(block, "input") for block in blocks if text_at(block, "type") == _TOOL_USE]
    return "\n".join(each for each in (text, *given_to_tool) if each)


DIALECT = HttpDialect(
    kind="anthropic",
    ladder=LADDER,
    url=url,
    headers=headers,
    body=body,
    read=read,
    parse=parse,
    concessions=(
        dropping_temperature(lazily("temperature", re.IGNORECASE)),
        stepping_down(lazily(r"output_config|output_format|structured output|schema|tool", re.IGNORECASE), LADDER),
    ),
)
