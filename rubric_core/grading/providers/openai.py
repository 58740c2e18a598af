"""OpenAI's chat completions: OpenAI itself, and all that is compatible (Ollama, vLLM, LM Studio, llama.cpp)."""

import re
from collections.abc import Collection
from typing import Any

from rubric_core.grading.providers import dialect
from rubric_core.grading.providers.provider import Call, Completion
from rubric_core.text.patterns import lazily

_WHOLE = frozenset({"", "stop", "stop_sequence", "end_turn", "eos", "eos_token", "complete"})
"""The reasons that OpenAI and compatible servers give for the end of a whole answer, in lower case."""

_CUT_SHORT = frozenset({"length", "max_tokens", "model_length"})
_TOOL_CALL = frozenset({"tool_calls", "function_call"})
_CALLING_PARTS = ("tool_use", "tool_call", "function_call")


def url(settings: dialect.ModelSettings) -> str:
    """Return the URL of completions."""
    return settings.base_url.rstrip("/") + "/chat/completions"


def body(settings: dialect.ModelSettings, call: Call) -> dict[str, Any]:
    """Return the request itself. Newer models refuse the old name of the limit, many servers do not know the new."""
    is_new_limit = settings.is_own_server != settings.has_other_limit
    return {
        "model": settings.model,
        "messages": [{"role": turn.role, "content": turn.text} for turn in call.turns],
        **dialect.without_none(
            temperature=settings.temperature,
            seed=settings.seed,
            response_format=_response_format(call, settings.structure),
            **{"max_completion_tokens" if is_new_limit else "max_tokens": settings.max_tokens},
        ),
    }


def _response_format(call: Call, structure: str) -> dict[str, Any] | None:
    if call.schema is None or structure == dialect.PROMPT_ONLY:
        return None
    if structure == "json_object":
        return {"type": "json_object"}
    named = {"name": dialect.SCHEMA_NAME, "strict": True, "schema": dict(call.schema)}
    return {"type": "json_schema", "json_schema": named}


def read(reply: Any, _tools: Collection[str] = ()) -> Completion:
    """Return the answer in a reply. Raises ReplyWithoutAnswer if it was refused or is contradictory."""
    dialect.check_for_errors(reply)
    choice = dialect.only_answer(reply, "choices")
    message = dialect.at(choice, "message")
    dialect.check_for_errors(choice, message)
    ending = dialect.ending_at(choice, "finish_reason").lower()
    parts = [(dialect.text_at(part, "type"), part) for part in _parts(dialect.at(message, "content"))]
    refusals = [dialect.text_at(part, "refusal") or kind for kind, part in parts if kind == "refusal"]
    if refusal := dialect.text_at(message, "refusal") or "".join(refusals):
        raise dialect.ReplyWithoutAnswer("refused to answer", refusal)
    if ending == "content_filter":
        raise dialect.ReplyWithoutAnswer("stopped the answer by its content filter")
    is_call = any(kind.endswith(_CALLING_PARTS) for kind, _ in parts)
    has_call = any(dialect.at(message, name) for name in _TOOL_CALL)
    dialect.check_tools(is_unoffered=is_call or has_call or ending in _TOOL_CALL)
    dialect.check_ending(ending, _WHOLE | _CUT_SHORT)
    text = "".join(dialect.text_at(part, "text") for kind, part in parts if kind == "text")
    return dialect.completion(text, dialect.text_at(reply, "model"), cut_short=ending in _CUT_SHORT)


def _parts(content: Any) -> list[Any]:
    """Return the parts of a message's content; some servers send several, including reasoning."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content if isinstance(content, list) else []


DIALECT = dialect.HttpDialect(
    url=url,
    headers={"authorization": "Bearer {key}"},
    body=body,
    read=read,
    usage=("usage", ("prompt_tokens",), ("completion_tokens",)),
    structure_error=lazily(
        r"response[_ -]?format|json[_ -]?(schema|object|mode)|structured[_ -]?output|schema|guided|grammar",
        re.IGNORECASE,
    ),
    own_hosts=("api.openai.com", ".api.openai.com"),
    has_two_limit_names=True,
    needs_key_everywhere=False,
)
