"""Google's Gemini: `generateContent`."""

import re
from collections.abc import Collection
from typing import Any
from urllib.parse import quote

from rubric_core.grading.providers import dialect
from rubric_core.grading.providers.provider import Call, Completion
from rubric_core.text.patterns import lazily

_VERSION = lazily(r"/v\d+[a-z]*\d*\Z")
_ROLES = {"user": "user", "assistant": "model"}
_TOOL_PARTS = ("functionCall", "function_call", "toolCall", "tool_call", "executableCode", "codeExecutionResult")
_ENDINGS_WITH_AN_ANSWER = frozenset({"", "STOP", "MAX_TOKENS", "FINISH_REASON_UNSPECIFIED"})


def url(settings: dialect.ModelSettings) -> str:
    """Return the URL of content."""
    base = settings.base_url.rstrip("/")
    if not _VERSION.search(base):
        base += "/v1beta"
    model = settings.model if "/" in settings.model else f"models/{settings.model}"
    return f"{base}/{quote(model)}:generateContent"


def body(settings: dialect.ModelSettings, call: Call) -> dict[str, Any]:
    """Return the request itself."""
    system, turns = dialect.split_system(call.turns)
    requests_json = call.schema is not None and settings.structure != dialect.PROMPT_ONLY
    return {
        "contents": [{"role": _ROLES[turn.role], "parts": [{"text": turn.text}]} for turn in turns],
        **dialect.without_none(systemInstruction={"parts": [{"text": system}]} if system else None),
        "generationConfig": dialect.without_none(
            temperature=settings.temperature,
            maxOutputTokens=settings.max_tokens,
            seed=settings.seed,
            responseMimeType="application/json" if requests_json else None,
            responseJsonSchema=call.schema if requests_json and settings.structure == "json_schema" else None,
        ),
    }


def read(reply: Any, _tools: Collection[str] = ()) -> Completion:
    """Return the answer in a reply. Raises ReplyWithoutAnswer if it was refused or is contradictory."""
    dialect.check_for_errors(reply)
    candidate = dialect.only_answer(reply, "candidates")
    dialect.check_for_errors(candidate, dialect.at(candidate, "content"))
    ending = dialect.ending_at(candidate, "finishReason")
    if blocked := dialect.text_at(reply, "promptFeedback", "blockReason"):
        raise dialect.ReplyWithoutAnswer(f"blocked the prompt ({blocked})")
    dialect.check_ending(ending, _ENDINGS_WITH_AN_ANSWER)
    parts = dialect.list_at(candidate, "content", "parts")
    is_call = any(dialect.at(part, name) is not None for part in parts for name in _TOOL_PARTS)
    dialect.check_tools(is_unoffered=is_call)
    text = "".join(dialect.text_at(part, "text") for part in parts if dialect.at(part, "thought") is not True)
    return dialect.completion(text, dialect.text_at(reply, "modelVersion"), cut_short=ending == "MAX_TOKENS")


DIALECT = dialect.HttpDialect(
    url=url,
    headers={"x-goog-api-key": "{key}"},
    body=body,
    read=read,
    usage=("usageMetadata", ("promptTokenCount",), ("candidatesTokenCount", "thoughtsTokenCount")),
    structure_error=lazily(r"response_?(json_?)?(schema|mime)|schema|json mode", re.IGNORECASE),
    own_hosts=("generativelanguage.googleapis.com",),
)
