"""Google's Gemini: `generateContent`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

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
    only_one,
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

LADDER = ("json_schema", "json_object", PROMPT_ALONE)

_VERSION = lazily(r"/v\d+[a-z]*\d*\Z")
_SPEAKERS = {"user": "user", "assistant": "model"}
_TOOL_PARTS = ("functionCall", "function_call", "toolCall", "tool_call", "executableCode", "codeExecutionResult")
_ENDINGS_WITH_AN_ANSWER = frozenset({"", "STOP", "MAX_TOKENS", "FINISH_REASON_UNSPECIFIED"})


def url(settings: ModelSettings) -> str:
    """Return where content is asked for."""
    base = settings.base_url.rstrip("/")
    if not _VERSION.search(base):
        base += "/v1beta"
    model = settings.model if "/" in settings.model else f"models/{settings.model}"
    return f"{base}/{quote(model)}:generateContent"


def headers(settings: ModelSettings) -> dict[str, str]:
    """Return the headers of a request."""
    return {"x-goog-api-key": settings.api_key or ""}


def body(settings: ModelSettings, call: Call, manner: Manner) -> dict[str, Any]:
    """Return the request itself."""
    conversation = parted(call.turns)
    system = {"parts": [{"text": conversation.system}]} if conversation.system else None
    wants_json = call.schema is not None and manner.structure != PROMPT_ALONE
    return {
        "contents": [{"role": _SPEAKERS[turn.role], "parts": [{"text": turn.text}]} for turn in conversation.turns],
        **given(systemInstruction=system),
        "generationConfig": given(
            temperature=temperature_of(settings, manner),
            maxOutputTokens=settings.max_tokens,
            seed=settings.seed,
            responseMimeType="application/json" if wants_json else None,
            responseJsonSchema=call.schema if wants_json and manner.structure == "json_schema" else None,
        ),
    }


def read(reply: Any, _tools: Collection[str] = ()) -> Completion:
    """Return the answer in a reply. Raises ReplyWithoutAnswer where it was withheld or contradicts itself."""
    counts = at(reply, "usageMetadata")
    usage = one_call(
        count_at(counts, "promptTokenCount"),
        count_at(counts, "candidatesTokenCount") + count_at(counts, "thoughtsTokenCount"),
    )
    check_for_error(reply, usage)
    only_one(at(reply, "candidates"), usage)
    candidate = at(reply, "candidates", 0)
    check_for_error(candidate, usage)
    check_for_error(at(candidate, "content"), usage)
    reason = ending_at(candidate, "finishReason", usage)
    if blocked := text_at(reply, "promptFeedback", "blockReason"):
        raise ReplyWithoutAnswer(f"blocked the prompt ({blocked})", usage)
    if reason not in _ENDINGS_WITH_AN_ANSWER:
        raise ReplyWithoutAnswer(f"stopped the answer ({reason})", usage)
    parts = _listed(at(candidate, "content", "parts"))
    if any(at(part, name) is not None for part in parts for name in _TOOL_PARTS):
        raise unoffered_tool(usage)
    text = _content(parts)
    if not text.strip() and reason == "MAX_TOKENS":
        raise ReplyWithoutAnswer(
            "reached its limit of tokens before the answer began; raise the setting max_tokens", usage
        )
    if not text.strip():
        raise ReplyWithoutAnswer("sent an empty answer", usage)
    return Completion(text, text_at(reply, "modelVersion") or None, usage, cut_short=reason == "MAX_TOKENS")


def _listed(parts: Any) -> list[Any]:
    return parts if isinstance(parts, list) else []


def _content(parts: list[Any]) -> str:
    """Return the text of the parts, without the thoughts among them."""
    return "".join(text_at(part, "text") for part in parts if at(part, "thought") is not True)


DIALECT = HttpDialect(
    kind="gemini",
    ladder=LADDER,
    url=url,
    headers=headers,
    body=body,
    read=read,
    concessions=(
        dropping_temperature(lazily("temperature", re.IGNORECASE)),
        stepping_down(lazily(r"response_?(json_?)?(schema|mime)|schema|json mode", re.IGNORECASE), LADDER),
    ),
)
