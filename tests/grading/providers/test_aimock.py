"""All providers over their real protocols, against aimock: a server by others that answers by script."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from aimock import KEY, running_aimock
from model_calls import QUESTION, SCHEMA, failure_of, provider_at

from rubric_core.grading.providers.provider import Call, Turn
from rubric_core.grading.usage import Usage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractAsyncContextManager

    from aimock import Aimock

    from rubric_core.grading.providers.provider import Provider

pytestmark = pytest.mark.asyncio

KINDS = ("openai", "azure", "anthropic", "gemini")
every_kind = pytest.mark.parametrize("kind", KINDS)
USAGE = {"prompt_tokens": 40, "completion_tokens": 9, "total_tokens": 49}
GOOD = {"content": '{"met": true}', "usage": USAGE}
HANG_GUARD = 30.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Aimock]:
    """Return aimock, which runs as long as these tests do."""
    with running_aimock(tmp_path_factory.mktemp("aimock")) as running:
        yield running


def asked(server: Aimock, kind: str, **settings: Any) -> AbstractAsyncContextManager[Provider]:
    """Make a provider of a kind that asks aimock."""
    return provider_at(server.url, kind, **{"api_key": KEY, **settings})


def error(status: int, **more: Any) -> dict[str, Any]:
    """Return a response that is an error."""
    return {"error": {"message": f"Status {status} by script.", "type": "scripted"}, "status": status, **more}


@every_kind
async def test_an_answer_comes_back_with_what_it_cost(server: Aimock, kind: str) -> None:
    """The key is taken in the header that the protocol has for it."""
    server.answer(GOOD)
    async with asked(server, kind) as provider:
        completion = await provider.complete(QUESTION)
    assert completion.text == '{"met": true}'
    assert completion.usage == Usage(calls=1, input_tokens=40, output_tokens=9)
    assert not completion.cut_short
    assert completion.model in ("model-1", None)


@every_kind
async def test_a_wrong_key_is_reported(server: Aimock, kind: str) -> None:
    """With the variable that holds it."""
    server.answer(GOOD)
    variable = {"openai": "OPENAI", "azure": "AZURE_OPENAI", "anthropic": "ANTHROPIC", "gemini": "GEMINI"}[kind]
    async with asked(server, kind, api_key="sk-wrong-key") as provider:
        failure = await failure_of(provider)
    assert "answered with status 401" in failure.reason
    assert f"{variable}_API_KEY" in failure.reason
    assert "sk-wrong-key" not in failure.reason


@every_kind
async def test_a_conversation_arrives_whole(server: Aimock, kind: str) -> None:
    """The system, the question, the reply that was wrong, and the complaint: so can a reply be repaired."""
    first = {"match": {"systemMessage": "You judge.", "turnIndex": 0}, "response": {"content": "met, I think"}}
    second = {"match": {"userMessage": "Reply with JSON", "turnIndex": 1}, "response": GOOD}
    server.script(first, second)
    async with asked(server, kind) as provider:
        reply = (await provider.complete(QUESTION)).text
        repair = (*QUESTION.turns, Turn("assistant", reply), Turn("user", "Reply with JSON only."))
        repaired = await provider.complete(Call(repair, SCHEMA))
    assert reply == "met, I think"
    assert repaired.text == '{"met": true}'
    messages = server.requests()[-1]["body"]["messages"]
    assert [(message["role"], message["content"]) for message in messages] == [
        ("system", "You judge."),
        ("user", "Is it met?"),
        ("assistant", "met, I think"),
        ("user", "Reply with JSON only."),
    ]


@pytest.mark.parametrize("kind", ["openai", "azure"])
async def test_the_schema_arrives(server: Aimock, kind: str) -> None:
    """A server sees which reply it must hold to."""
    server.script({"match": {"responseFormat": "json_schema"}, "response": GOOD})
    async with asked(server, kind) as provider:
        await provider.complete(QUESTION)
    told = server.requests()[-1]["body"]["response_format"]["json_schema"]
    assert told == {"name": "judgement", "strict": True, "schema": SCHEMA}


async def test_claude_gives_its_answer_to_a_tool_where_it_knows_no_format(server: Aimock) -> None:
    """The second rung of its ladder, which the calls that follow begin with."""
    refusal = error(400) | {"error": {"message": "output_config: Extra inputs are not permitted", "type": "x"}}
    use = {"toolCalls": [{"name": "judgement", "arguments": {"met": True}}]}
    server.answer(refusal, use)
    async with asked(server, "anthropic") as provider:
        replies = [(await provider.complete(QUESTION)).text for _ in range(2)]
    assert [json.loads(reply) for reply in replies] == [{"met": True}] * 2
    bodies = [request["body"] for request in server.requests()]
    assert [[tool["function"]["name"] for tool in body.get("tools", [])] for body in bodies] == [
        [],
        ["judgement"],
        ["judgement"],
    ]


@every_kind
async def test_a_malformed_answer_is_handed_on_as_it_is(server: Aimock, kind: str) -> None:
    """Whether it is a judgement is for others to say."""
    server.answer({"content": '{"met": tru', "finishReason": "length"})
    async with asked(server, kind) as provider:
        completion = await provider.complete(QUESTION)
    assert (completion.text, completion.cut_short) == ('{"met": tru', True)


@pytest.mark.parametrize("kind", ["openai", "azure", "gemini"])
async def test_an_answer_that_a_filter_stopped_is_none(server: Aimock, kind: str) -> None:
    """Half an answer is not judged."""
    server.answer({"content": "Half an", "finishReason": "content_filter"})
    async with asked(server, kind) as provider:
        failure = await failure_of(provider)
    assert "stopped the answer" in failure.reason


@every_kind
async def test_a_limit_on_the_rate_is_waited_for(server: Aimock, kind: str, waits: list[float]) -> None:
    """As long as the server asks."""
    server.answer(error(429, retryAfter=3), error(429, retryAfter=5), GOOD)
    async with asked(server, kind) as provider:
        completion = await provider.complete(QUESTION)
    assert completion.text == '{"met": true}'
    assert len(waits) == 2
    assert all(asked <= wait <= 1.25 * asked for asked, wait in zip((3, 5), waits, strict=True))
    assert [request["response"]["status"] for request in server.requests()] == [429, 429, 200]


@every_kind
async def test_a_limit_on_the_rate_that_stays_is_reported(server: Aimock, kind: str, waits: list[float]) -> None:
    """After a few retries."""
    server.answer(error(429))
    async with asked(server, kind, max_retries=2) as provider:
        failure = await failure_of(provider)
    assert len(waits) == 2
    assert 'answered with status 429 (3 times): "Status 429 by script"; grade fewer cases at once' in failure.reason


@every_kind
async def test_a_server_in_trouble_is_asked_again(server: Aimock, kind: str) -> None:
    """Its third answer is the first good one."""
    server.answer(error(500), error(503), GOOD)
    async with asked(server, kind) as provider:
        assert (await provider.complete(QUESTION)).text == '{"met": true}'
    assert [request["response"]["status"] for request in server.requests()] == [500, 503, 200]


@every_kind
@pytest.mark.parametrize("status", [400, 403, 404])
async def test_an_error_that_stays_is_reported_at_once(server: Aimock, kind: str, status: int) -> None:
    """In the words of the server, with advice."""
    server.answer(error(status))
    async with asked(server, kind) as provider:
        failure = await failure_of(provider)
    assert f'answered with status {status}: "Status {status} by script"; check' in failure.reason
    assert len(server.requests()) == 1


@every_kind
async def test_a_slow_server_is_not_waited_for_longer_than_told(server: Aimock, kind: str) -> None:
    """It would take half a minute."""
    server.answer(GOOD, chaos={"latencyMs": 30_000})
    async with asked(server, kind, timeout=0.2) as provider:
        failure = await asyncio.wait_for(failure_of(provider), HANG_GUARD)
    assert "gave no complete reply within 0.2 s." in failure.reason


@every_kind
async def test_a_slow_server_is_waited_for_as_long_as_told(server: Aimock, kind: str) -> None:
    """Latency alone is no failure, and calls do not wait for each other."""
    server.answer(GOOD, chaos={"latencyMs": 200})
    async with asked(server, kind) as provider:
        completions = await asyncio.gather(*(provider.complete(QUESTION) for _ in range(20)))
    assert {completion.text for completion in completions} == {'{"met": true}'}


@every_kind
async def test_a_connection_that_closes_is_reported(server: Aimock, kind: str) -> None:
    """After a few retries."""
    server.answer(GOOD, chaos={"disconnectRate": 1})
    async with asked(server, kind, max_retries=2) as provider:
        failure = await failure_of(provider)
    assert "closed the connection before its reply was complete (3 times)." in failure.reason


@every_kind
async def test_a_reply_that_is_not_json_is_reported(server: Aimock, kind: str) -> None:
    """Nothing is guessed from it."""
    server.answer(GOOD, chaos={"malformedRate": 1})
    async with asked(server, kind) as provider:
        failure = await failure_of(provider)
    assert "answered with something that is not JSON" in failure.reason
