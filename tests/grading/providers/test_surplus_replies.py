"""A server that sends more than was asked for: no question ever gets the reply to another one."""

from __future__ import annotations

import asyncio
import json
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING

import pytest
from model_calls import chat_reply, provider_at
from scripted_server import ScriptedServer

from rubric_core.grading.failures import ProviderFailed
from rubric_core.grading.providers import connections
from rubric_core.grading.providers.provider import Call, Turn

if TYPE_CHECKING:
    from scripted_server import Request, Wire

pytestmark = pytest.mark.asyncio

WRONG = json.dumps(chat_reply("a reply that nobody has asked for")).encode()
SURPLUS = {
    "reply": b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%s" % (len(WRONG), WRONG),
    "chunks": b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(WRONG), WRONG),
    "no length": b"HTTP/1.1 200 OK\r\n\r\n" + WRONG,
    "time-out": b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n",
    "no content": b"HTTP/1.1 204 No Content\r\n\r\n",
    "empty line": b"\r\nHTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%s" % (len(WRONG), WRONG),
    "not HTTP": b"220 mail.example ESMTP is ready\r\n\r\n",
}
REUSE_DELAY = 0.005
MOMENTS = ("with the first reply", "right after it", "while the connection is kept", "as the next request is made")
# All of it, or a part that ends in the line of the status, in the headers, or in the body.
CUTS = {"all": None, "status": 11, "headers": 24, "body": -20}


@pytest.fixture(autouse=True)
def _short_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let connections rest for a short time, for there are many tests."""
    monkeypatch.setattr(connections, "REUSE_DELAY", REUSE_DELAY)


class TalkativeServer(ScriptedServer):
    """Answers each question with its own text, and sends surplus bytes on the first connection.

    Some come in one packet with the first reply. `left` comes in one packet with the second, in front of it.
    """

    def __init__(self, with_first: bytes, left: bytes) -> None:
        super().__init__(self._answer)
        self._with_first = with_first
        self._left = left
        self.wires: list[Wire] = []

    async def _answer(self, request: Request, wire: Wire) -> bool:
        body = json.dumps(chat_reply(request.json["messages"][-1]["content"])).encode()
        reply = b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body)
        self.wires.append(wire)
        if len(self.wires) == 1:
            await wire.send(reply + self._with_first)
        elif self.connections == 1:
            await wire.send(self._left + reply)
        else:
            await wire.send(reply)
        return True


@pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS)
@pytest.mark.parametrize("surplus", SURPLUS.values(), ids=SURPLUS)
@pytest.mark.parametrize("moment", MOMENTS)
async def test_a_question_never_gets_a_surplus_reply(moment: str, surplus: bytes, cut: int | None) -> None:
    """Whenever it comes, and however little of it: the next question is asked again or on another connection."""
    early, late = surplus[:cut], surplus[cut:] if cut is not None else b""
    with_first = moment == MOMENTS[0]
    async with (
        TalkativeServer(early if with_first else b"", late) as server,
        provider_at(server.url, max_retries=0) as provider,
    ):

        async def reply_to(question: str) -> str:
            return (await provider.complete(Call((Turn("user", question),)))).text

        # What is in one packet with a reply may make it unreadable.
        with suppress(ProviderFailed) if with_first else nullcontext():
            assert await reply_to("one") == "one"
        if moment == MOMENTS[1]:
            server.wires[0].writer.write(early)
        await asyncio.sleep(2 * REUSE_DELAY)
        if moment in MOMENTS[2:]:
            # The bytes are in the client's socket when this returns, and its loop has not seen them.
            server.wires[0].writer.write(early)
        if moment == MOMENTS[2]:
            await asyncio.sleep(0.01)
        assert [await reply_to(question) for question in ("two", "three")] == ["two", "three"]
        assert with_first or server.wires[1].writer is not server.wires[0].writer


async def test_a_reply_that_was_sent_twice_comes_too_late_to_be_taken() -> None:
    """A connection rests after a reply, so that the next question is asked on another one at once."""
    async with TalkativeServer(b"", b"") as server, provider_at(server.url, max_retries=0) as provider:
        assert (await provider.complete(Call((Turn("user", "one"),)))).text == "one"
        second = asyncio.ensure_future(provider.complete(Call((Turn("user", "two"),))))
        server.wires[0].writer.write(SURPLUS["reply"])
        assert (await second).text == "two"
        assert server.connections == 2


async def test_many_at_once_get_their_own_replies() -> None:
    """Each reply is followed by another in the same packet, on fifty connections."""

    async def answer_twice(request: Request, wire: Wire) -> bool:
        body = json.dumps(chat_reply(request.json["messages"][-1]["content"])).encode()
        await wire.send(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n%s" % (len(body), body) + SURPLUS["reply"])
        return True

    async with ScriptedServer(answer_twice) as server, provider_at(server.url, max_retries=0) as provider:

        async def replies(worker: int) -> list[str]:
            calls = [Call((Turn("user", f"{worker} {number}"),)) for number in range(4)]
            return [(await provider.complete(call)).text for call in calls]

        found = await asyncio.gather(*map(replies, range(50)))
    assert found == [[f"{worker} {number}" for number in range(4)] for worker in range(50)]
