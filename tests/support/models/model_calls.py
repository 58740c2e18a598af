"""Calls of models in tests: a provider made as the user makes it, its replies in each protocol, and what it said."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from waiting import TIMEOUT

from rubric_core.grading.failures import ProviderFailed
from rubric_core.grading.providers.provider import Call, Turn
from rubric_core.grading.providers.registry import make_provider

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from rubric_core.grading.providers.provider import Provider

KEY = "sk-planted-key-4711"
HANG_GUARD = 30.0
"""How many seconds a test waits for what should come at once, before it fails."""

SCHEMA = {
    "type": "object",
    "properties": {"met": {"type": "boolean"}},
    "required": ["met"],
    "additionalProperties": False,
}
QUESTION = Call((Turn("system", "You judge."), Turn("user", "Is it met?")), SCHEMA)

ADDRESS_PATH = {"openai": "/v1", "azure": "", "anthropic": "", "gemini": "/v1beta"}
"""Where each protocol begins on a server that speaks all of them."""


@asynccontextmanager
async def provider_at(
    url: str, kind: str = "openai", environment: Mapping[str, str] | None = None, **settings: Any
) -> AsyncIterator[Provider]:
    """Make a provider at an address, with waits that nobody notices, and close it in the end."""
    usual: dict[str, Any] = {
        "model": "model-1",
        "api_key": KEY,
        "endpoint": url + ADDRESS_PATH[kind],
        "retry_initial_delay_ms": 1,
        "timeout": TIMEOUT,
    }
    provider = make_provider("judge", kind, {**usual, **settings}, environment or {})
    try:
        yield provider
    finally:
        await provider.close()


async def failure_of(provider: Provider, call: Call = QUESTION) -> ProviderFailed:
    """Return how a call fails."""
    with pytest.raises(ProviderFailed) as caught:
        await provider.complete(call)
    assert KEY not in str(caught.value)
    assert "\n" not in caught.value.reason
    return caught.value


async def cancel_call(provider: Provider, when: asyncio.Event, closed: asyncio.Event) -> None:
    """Start a call, cancel it when an event has come, and wait until the server sees the connection close."""
    call = asyncio.ensure_future(provider.complete(QUESTION))
    await asyncio.wait_for(when.wait(), HANG_GUARD)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await asyncio.wait_for(closed.wait(), HANG_GUARD)


def chat_reply(text: Any, finish: str = "stop", **message: Any) -> dict[str, Any]:
    """Return a reply in the protocol of OpenAI."""
    return {
        "model": "model-1-2026",
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **message}}
        ],
        "usage": {"prompt_tokens": 30, "completion_tokens": 7, "total_tokens": 37},
    }
