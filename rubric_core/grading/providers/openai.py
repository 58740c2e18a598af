"""OpenAI's chat completions: OpenAI itself, and all that is compatible (Ollama, vLLM, LM Studio, llama.cpp)."""

import re
from collections.abc import Collection
from typing import Any

from rubric_core.grading.providers import dialect
from rubric_core.grading.providers.provider import Call, Completion
from rubric_core.grading.usage import Usage
from rubric_core.text.patterns import lazily

_WHOLE = frozenset({"", "stop", "stop_sequence", "end_turn", "eos", "eos_token", "complete"})
"""The reasons that OpenAI and compatible servers give for the end of a whole answer, in lower case."""

_CUT_SHORT = frozenset({"length", "max_tokens", "model_length"})
_TOOL_CALL = frozenset({"tool_calls", "function_call"})
_CALLING_PARTS = ("tool_use", "tool_call", "function_call")


def url(settings: dialect.ModelSettings) -> str:
    """Return where completions are asked for."""
    return settings.base_url.rstrip("/") + "/chat/completions"


def headers(settings: dialect.ModelSettings) -> dict[str, str]:
    """Return the headers of a request; a local server needs no key."""
    return {"authorization": f"Bearer {settings.api_key}"} if settings.api_key else {}


def body(settings: dialect.ModelSettings, call: Call, mode: dialect.RequestMode) -> dict[str, Any]:
    """Return the request itself. Newer models refuse the old name of the limit, many servers do not know the new."""
    is_new_limit = settings.is_own_server != (dialect.USUAL_LIMIT in mode.dropped)
    return {
        "model": settings.model,
        "messages": [{"role": turn.role, "content": turn.text} for turn in call.turns],
        **dialect.without_none(
            temperature=dialect.temperature_of(settings, mode),
            seed=settings.seed,
            response_format=_response_format(call, mode.structure),
            **{"max_completion_tokens" if is_new_limit else "max_tokens": settings.max_tokens},
        ),
    }


def _response_format(call: Call, structure: str) -> dict[str, Any] | None:
    if call.schema is None or structure == dialect.PROMPT_ONLY:
        return None
    if structure == "json_object":
        return {"type": "json_object"}
    named = {"name": call.schema_name, "strict": True, "schema": dict(call.schema)}
    return {"type": "json_schema", "json_schema": named}


def read(reply: Any, _tools: Collection[str] = ()) -> Completion:
    """Return the answer in a reply. Raises ReplyWithoutAnswer where it was withheld or contradicts itself."""
    counts = dialect.at(reply, "usage")
    usage = Usage(1, 0, dialect.count_at(counts, "prompt_tokens"), dialect.count_at(counts, "completion_tokens"))
    dialect.check_for_errors(usage, reply)
    choice = dialect.only_answer(reply, "choices", usage)
    message = dialect.at(choice, "message")
    dialect.check_for_errors(usage, choice, message)
    ending = dialect.ending_at(choice, "finish_reason", usage).lower()
    parts = _parts(dialect.at(message, "content"))
    text = "".join(dialect.text_at(part, "text") for part in parts if dialect.text_at(part, "type") == "text")
    refusals = [
        dialect.text_at(part, "refusal") or "refusal" for part in parts if dialect.text_at(part, "type") == "refusal"
    ]
    if refusal := dialect.text_at(message, "refusal") or "".join(refusals):
        raise dialect.ReplyWithoutAnswer("refused to answer", usage, refusal)
    if ending == "content_filter":
        raise dialect.ReplyWithoutAnswer("stopped the answer by its content filter", usage)
    is_call = any(dialect.text_at(part, "type").endswith(_CALLING_PARTS) for part in parts)
    has_call = any(dialect.at(message, name) for name in _TOOL_CALL)
    dialect.check_tools(usage, is_unoffered=is_call or has_call or ending in _TOOL_CALL)
    dialect.check_ending(ending, _WHOLE | _CUT_SHORT, usage)
    return dialect.completion(text, dialect.text_at(reply, "model"), usage, cut_short=ending in _CUT_SHORT)


def _parts(content: Any) -> list[Any]:
    """Return the content of a message in parts; some servers send it so, with those of the reasoning among them."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return content if isinstance(content, list) else []


DIALECT = dialect.HttpDialect(
    kind="openai",
    structures=("json_schema", "json_object", dialect.PROMPT_ONLY),
    url=url,
    headers=headers,
    body=body,
    read=read,
    structure_error=lazily(
        r"response[_ -]?format|json[_ -]?(schema|object|mode)|structured[_ -]?output|schema|guided|grammar",
        re.IGNORECASE,
    ),
    own_hosts=("api.openai.com", ".api.openai.com"),
    has_two_limit_names=True,
    needs_key_everywhere=False,
)
