"""A server that sends more than was asked for: no question ever gets the reply to another one."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from model_calls import chat_reply, provider_at
from scripted_server import ScriptedServer

from rubric_core.grading.failures import ProviderFailed
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
    "not HTTP": b"something else\r\n\r\n",
}
# All of it, or a part that ends in the line of the status, in the headers, or in the body.
CUTS = {"all": None, "status": 11, "headers": 24, "body": -20}


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
@pytest.mark.parametrize("moment", ["with the first reply", "while idle", "as the next request is made"])
async def test_a_question_never_gets_a_surplus_reply(moment: str, surplus: bytes, cut: int | None) -> None:
    """Whenever it comes, and however little of it: the next question is asked again or on another connection."""
    early, late = surplus[:cut], surplus[cut:] if cut is not None else b""
    with_first = moment == "with the first reply"
    async with TalkativeServer(early if with_first else b"", late) as server:
        async with provider_at(server.url, max_retries=0) as provider:

            async def reply_to(question: str) -> str:
                return (await provider.complete(Call((Turn("user", question),)))).text

            if with_first:
                # What stands behind the reply may make all of the packet unreadable.
                with suppress(ProviderFailed):
                    assert await reply_to("one") == "one"
            else:
                assert await reply_to("one") == "one"
                # The bytes are in the client's socket when this returns, and its loop has not seen them.
                server.wires[0].writer.write(early)
            if moment == "while idle":
                await asyncio.sleep(0.01)
            assert [await reply_to(question) for question in ("two", "three", "four")] == ["two", "three", "four"]
        assert with_first or server.connections == 2


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
