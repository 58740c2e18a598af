"""OpenAI's chat completions: OpenAI itself, and all that is compatible (Ollama, vLLM, LM Studio, llama.cpp)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from rubric_core.grading.providers.dialect import (
    PROMPT_ALONE,
    Concession,
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

_NEW_LIMIT, _OLD_LIMIT = "max_completion_tokens", "max_tokens"
_USUAL_LIMIT = "the usual name of the limit"
_WHOLE = frozenset({"", "stop", "stop_sequence", "end_turn", "eos", "eos_token", "complete"})
"""The reasons that OpenAI and compatible servers give for the end of a whole answer, in lower case."""

_CUT_SHORT = frozenset({"length", "max_tokens", "model_length"})
_TOOL_CALL = frozenset({"tool_calls", "function_call"})
_CALLING_PARTS = ("tool_use", "tool_call", "function_call")


def url(settings: ModelSettings) -> str:
    """Return where completions are asked for."""
    return settings.base_url.rstrip("/") + "/chat/completions"


def headers(settings: ModelSettings) -> dict[str, str]:
    """Return the headers of a request; a local server needs no key."""
    return {"authorization": f"Bearer {settings.api_key}"} if settings.api_key else {}


def body(settings: ModelSettings, call: Call, manner: Manner) -> dict[str, Any]:
    """Return the request itself."""
    return {
        "model": settings.model,
        "messages": [{"role": turn.role, "content": turn.text} for turn in call.turns],
        **given(
            temperature=temperature_of(settings, manner),
            seed=settings.seed,
            response_format=_response_format(call, manner.structure),
            **{_limit(settings, manner): settings.max_tokens},
        ),
    }


def _limit(settings: ModelSettings, manner: Manner) -> str:
    """Return how the limit is called here. Newer models refuse the old name, many servers do not know the new one."""
    return _NEW_LIMIT if settings.is_own_server != (_USUAL_LIMIT in manner.given_up) else _OLD_LIMIT


def _response_format(call: Call, structure: str) -> dict[str, Any] | None:
    if call.schema is None or structure == PROMPT_ALONE:
        return None
    if structure == "json_object":
        return {"type": "json_object"}
    named = {"name": call.schema_name, "strict": True, "schema": dict(call.schema)}
    return {"type": "json_schema", "json_schema": named}


def read(reply: Any, _tools: Collection[str] = ()) -> Completion:
    """Return the answer in a reply. Raises ReplyWithoutAnswer where it was withheld or contradicts itself."""
    usage = one_call(count_at(reply, "usage", "prompt_tokens"), count_at(reply, "usage", "completion_tokens"))
    check_for_error(reply, usage)
    only_one(at(reply, "choices"), usage)
    choice = at(reply, "choices", 0)
    check_for_error(choice, usage)
    check_for_error(at(choice, "message"), usage)
    reason = ending_at(choice, "finish_reason", usage).lower()
    parts = _parts(at(choice, "message", "content"))
    text = "".join(text_at(part, "text") for part in parts if text_at(part, "type") == "text")
    refusals = [text_at(part, "refusal") or "refusal" for part in parts if text_at(part, "type") == "refusal"]
    if refusal := text_at(choice, "message", "refusal") or "".join(refusals):
        raise ReplyWithoutAnswer("refused to answer", usage, refusal)
    if reason == "content_filter":
        raise ReplyWithoutAnswer("stopped the answer by its content filter", usage)
    is_call = any(text_at(part, "type").endswith(_CALLING_PARTS) for part in parts)
    if is_call or reason in _TOOL_CALL or any(at(choice, "message", name) for name in _TOOL_CALL):
        raise unoffered_tool(usage)
    if reason not in _WHOLE | _CUT_SHORT:
        raise ReplyWithoutAnswer(f"stopped the answer ({reason})", usage)
    if not text.strip() and reason in _CUT_SHORT:
        raise ReplyWithoutAnswer(
            "reached its limit of tokens before the answer began; raise the setting max_tokens", usage
        )
    if not text.strip():
        raise ReplyWithoutAnswer("sent an empty answer", usage)
    return Completion(text, text_at(reply, "model") or None, usage, cut_short=reason in _CUT_SHORT)


def _parts(content: Any) -> list[Any]:
    """Return the content of a message in parts; some servers send it so, with those of the reasoning among them."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content if isinstance(content, list) else []


def _renaming_limit(settings: ModelSettings, manner: Manner) -> Manner | None:
    return None if settings.max_tokens is None else manner.giving_up(_USUAL_LIMIT)


DIALECT = HttpDialect(
    kind="openai",
    ladder=LADDER,
    url=url,
    headers=headers,
    body=body,
    read=read,
    concessions=(
        dropping_temperature(lazily(r"temperature", re.IGNORECASE)),
        Concession(lazily(r"max_(completion_)?tokens", re.IGNORECASE), _renaming_limit),
        stepping_down(
            lazily(
                r"response[_ -]?format|json[_ -]?(schema|object|mode)|structured[_ -]?output|schema|guided|grammar",
                re.IGNORECASE,
            ),
            LADDER,
        ),
    ),
)
