"""What every provider over HTTP does when the other end misbehaves: it waits, tries again, gives up in one sentence."""

from __future__ import annotations

import asyncio
import gc
import gzip
import json
import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest
from aiohttp import ClientTimeout
from model_calls import HANG_GUARD, KEY, QUESTION, cancel_call, chat_reply, failure_of, provider_at
from scripted_server import ScriptedServer, answer, drip, hang, raw

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.providers import connections, http
from rubric_core.grading.providers.connections import REUSE_DELAY
from rubric_core.grading.providers.provider import Call, Turn
from rubric_core.grading.usage import Usage

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scripted_server import Step

    from rubric_core.grading.providers.provider import Completion

pytestmark = pytest.mark.asyncio

GOOD = answer(chat_reply('{"met": true}'))
BUSY = answer({"error": {"message": "Slow down."}}, 429)
BROKEN = answer({"error": {"message": "Oh no."}}, 500)


@asynccontextmanager
async def _silent_server(opened: asyncio.Event, closed: asyncio.Event) -> AsyncIterator[str]:
    """Yield the address of a server that never answers to TLS; tell that a connection was opened, and closed."""

    async def swallow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        opened.set()
        while await reader.read(1 << 16):
            pass
        closed.set()
        writer.transport.abort()

    async with await asyncio.start_server(swallow, "127.0.0.1", 0) as server:
        yield f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"


class TestRetries:
    """What may go better the next time is tried again, a few times."""

    @pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
    async def test_a_failure_of_the_moment_is_retried(self, status: int) -> None:
        """The answer that comes at last is the answer."""
        trouble = answer({"error": {"message": "Later."}}, status)
        async with ScriptedServer(trouble, trouble, GOOD) as server, provider_at(server.url) as provider:
            completion = await provider.complete(QUESTION)
        assert (completion.text, completion.usage.calls) == ('{"met": true}', 1)
        assert len(server.requests) == 3
        assert server.requests[0].body == server.requests[2].body

    @pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 413, 501])
    async def test_what_will_not_change_is_not_retried(self, status: int) -> None:
        """One request, one sentence."""
        async with (
            ScriptedServer(answer({"error": {"message": "No."}}, status)) as server,
            provider_at(server.url) as provider,
        ):
            failure = await failure_of(provider)
        assert len(server.requests) == 1
        assert f'answered with status {status}: "No"; ' in failure.reason
        assert failure.usage == Usage(calls=1)

    async def test_retries_come_to_an_end(self, waits: list[float]) -> None:
        """Four retries unless set otherwise, each wait longer than the one before."""
        async with (
            ScriptedServer(BROKEN) as server,
            provider_at(server.url, retry_initial_delay_ms=1000) as provider,
        ):
            failure = await failure_of(provider)
        assert len(server.requests) == 5
        assert len(waits) == 4
        assert all(0.75 * full <= wait <= full for full, wait in zip((1, 2, 4, 8), waits, strict=True))
        assert 'answered with status 500 (5 times): "Oh no"; grade again later.' in failure.reason

    async def test_the_number_of_retries_is_a_setting(self) -> None:
        """With none, the first failure is the last."""
        async with ScriptedServer(BUSY) as server, provider_at(server.url, max_retries=0) as provider:
            failure = await failure_of(provider)
        assert len(server.requests) == 1
        assert "grade fewer cases at once" in failure.reason

    @pytest.mark.parametrize(
        ("headers", "least"),
        [({"retry_after": "7"}, 7.0), ({"retry_after_ms": "250"}, 0.25), ({"retry_after": "1.5"}, 1.5)],
    )
    async def test_the_wait_that_a_server_asks_for_is_kept(
        self, headers: dict[str, str], least: float, waits: list[float]
    ) -> None:
        """And a little is added, so that many do not come back at the same moment."""
        async with (
            ScriptedServer(answer({}, 429, **headers), GOOD) as server,
            provider_at(server.url) as provider,
        ):
            await provider.complete(QUESTION)
        assert len(waits) == 1
        assert least <= waits[0] <= least * 1.25

    async def test_nobody_is_waited_for_too_long(self, waits: list[float]) -> None:
        """A server that asks for an hour gets no second request."""
        async with (
            ScriptedServer(answer({}, 429, retry_after="3600")) as server,
            provider_at(server.url) as provider,
        ):
            failure = await failure_of(provider)
        assert not waits
        assert "asks to wait 3,600 s, which is more than 60 s; grade again later." in failure.reason

    async def test_a_limit_that_no_waiting_lifts_is_reported_at_once(self) -> None:
        """OpenAI says 429 also to an account without credit."""
        said = {"error": {"message": "You exceeded your current quota.", "code": "insufficient_quota"}}
        async with ScriptedServer(answer(said, 429)) as server, provider_at(server.url) as provider:
            failure = await failure_of(provider)
        assert len(server.requests) == 1
        assert "no credit left" in failure.reason

    @pytest.mark.parametrize(("wish", "status", "requests"), [("false", 500, 1), ("true", 400, 2)])
    async def test_the_server_may_say_whether_to_retry(self, wish: str, status: int, requests: int) -> None:
        """Its header counts for more than the status."""
        async with (
            ScriptedServer(answer({}, status, x_should_retry=wish), GOOD) as server,
            provider_at(server.url, max_retries=1) as provider,
        ):
            if requests == 1:
                await failure_of(provider)
            else:
                await provider.complete(QUESTION)
        assert len(server.requests) == requests


class TestConnections:
    """Connections break in many ways."""

    @pytest.mark.parametrize(
        "fault",
        [
            raw(b""),
            raw(b"HTTP/1.1 200 OK\r\ncontent-le"),
            raw(b'HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{"model": "m"'),
            raw(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"),
        ],
        ids=["before the reply", "in the head", "in the body", "in a chunk"],
    )
    async def test_a_connection_that_closes_too_early_is_tried_again(self, fault: Step) -> None:
        """Half a reply is none."""
        async with ScriptedServer(fault, GOOD) as server, provider_at(server.url) as provider:
            completion = await provider.complete(QUESTION)
        assert completion.text == '{"met": true}'
        assert len(server.requests) == 2

    async def test_a_connection_that_always_closes_is_given_up(self) -> None:
        """The sentence says how often it was tried."""
        async with ScriptedServer(raw(b"")) as server, provider_at(server.url, max_retries=2) as provider:
            failure = await failure_of(provider)
        assert len(server.requests) == 3
        assert "closed the connection before its reply was complete (3 times)." in failure.reason

    async def test_a_server_that_is_not_there_is_given_up(self) -> None:
        """Nobody listens on a port that was just free."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{free.getsockname()[1]}"
        async with provider_at(url, max_retries=1) as provider:
            failure = await failure_of(provider)
        assert f"judge (openai at {url[7:]}) refuses connections (2 times)." == failure.reason

    @pytest.mark.parametrize(("number", "requests"), [(socket.EAI_NONAME, ""), (socket.EAI_AGAIN, " (2 times)")])
    async def test_a_host_without_an_address_is_reported(
        self, number: int, requests: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A misspelled host is not looked for again and again, unless the name server was out of reach."""

        async def unknown(*_place: object, **_options: object) -> None:
            raise socket.gaierror(number, "Name or service not known")

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", unknown)
        async with provider_at("http://nowhere.invalid", max_retries=1) as provider:
            failure = await failure_of(provider)
        assert f"cannot be resolved{requests}." in failure.reason

    async def test_connecting_has_a_time_limit(self) -> None:
        """A host that says nothing is not waited for as long as for a reply."""
        async with (
            _silent_server(asyncio.Event(), asyncio.Event()) as url,
            provider_at(url, connect_timeout=0.01, max_retries=1) as provider,
        ):
            failure = await asyncio.wait_for(failure_of(provider), HANG_GUARD)
        assert "cannot be reached within 0.01 s (2 times)." in failure.reason

    @pytest.mark.parametrize("step", [hang(), drip()], ids=["hangs", "drips"])
    async def test_a_whole_reply_has_a_time_limit(self, step: Step) -> None:
        """However slowly it comes; a model that took too long once is not asked again."""
        async with ScriptedServer(step) as server, provider_at(server.url, timeout=0.05) as provider:
            failure = await asyncio.wait_for(failure_of(provider), HANG_GUARD)
        assert len(server.requests) <= 1
        assert "gave no complete reply within 0.05 s." in failure.reason

    @pytest.mark.parametrize(
        "head",
        [b"", b"content-length: 5000\r\n", b"transfer-encoding: chunked\r\n"],
        ids=["until the end", "length", "chunks"],
    )
    async def test_a_reply_has_a_limit_of_its_size(self, head: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
        """What comes without an end is not collected without an end."""
        body = b"1388\r\n" + b" " * 5_000 + b"\r\n" if b"chunked" in head else b" " * 5_000
        async with ScriptedServer(raw(b"HTTP/1.1 200 OK\r\n" + head + b"\r\n" + body, stay=True)) as server:
            monkeypatch.setattr(connections, "LARGEST_REPLY", 1_000)
            address = connections.read_address(server.url)
            made = connections.Connections(address, {}, ClientTimeout(total=HANG_GUARD), {})
            with pytest.raises(connections.NoReply, match="larger than any") as caught:
                await made.post(b"{}")
            await made.close()
        assert not caught.value.again

    @pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
    async def test_a_compressed_reply_is_not_unpacked(self, encoding: str) -> None:
        """A small one may hold a large one, and nobody has asked for it."""
        bomb = answer(gzip.compress(b" " * 1_000_000), content_encoding=encoding)
        async with ScriptedServer(bomb) as server, provider_at(server.url) as provider:
            failure = await failure_of(provider)
        assert server.requests[0].headers["accept-encoding"] == "identity"
        assert len(server.requests) == 1
        assert "sends a compressed reply, which was not asked for." in failure.reason

    @pytest.mark.parametrize("head", [b"x: " + b"y" * 100_000, b"x: y\r\n" * 10_000], ids=["long", "many"])
    async def test_headers_have_a_limit(self, head: bytes) -> None:
        """Whatever is in them."""
        endless = raw(b"HTTP/1.1 200 OK\r\n" + head + b"\r\ncontent-length: 0\r\n\r\n", stay=True)
        async with ScriptedServer(endless) as server, provider_at(server.url) as provider:
            failure = await failure_of(provider)
        assert "does not use HTTP/1.1." in failure.reason

    async def test_a_large_request_is_sent_whole(self) -> None:
        """A prompt has no limit here; the server tells where it has one."""
        prompt = "long " * 500_000
        async with ScriptedServer(GOOD) as server, provider_at(server.url) as provider:
            await provider.complete(Call((Turn("user", prompt),)))
        assert server.requests[0].json["messages"][0]["content"] == prompt

    async def test_what_is_not_http_is_reported(self) -> None:
        """Another program may listen on the port."""
        other = raw(b"220 mail.example ESMTP\r\n\r\n", stay=True)
        async with ScriptedServer(other) as server, provider_at(server.url) as provider:
            failure = await failure_of(provider)
        assert "does not use HTTP/1.1." in failure.reason

    async def test_one_connection_serves_calls_that_follow_each_other(self) -> None:
        """It is kept, and a reply in chunks ends where it ends."""
        chunked = json.dumps(chat_reply("two")).encode()
        parts = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(chunked), chunked)
        async with (
            ScriptedServer(GOOD, raw(parts, stay=True), GOOD) as server,
            provider_at(server.url) as provider,
        ):
            for text in ('{"met": true}', "two", '{"met": true}'):
                assert (await provider.complete(QUESTION)).text == text
                await asyncio.sleep(REUSE_DELAY * 1.1)
        assert server.connections == 1

    @pytest.mark.parametrize("name", ["Transfer-Encoding", "content-length", "expect", "upgrade"])
    async def test_headers_that_cannot_be_sent_are_reported(self, name: str) -> None:
        """Without their values."""
        headers = {name: "of-my-secret"}
        async with ScriptedServer(GOOD) as server, provider_at(server.url, headers=headers) as provider:
            failure = await failure_of(provider)
        assert "cannot be asked with these headers; check the setting headers." in failure.reason
        assert not server.requests

    async def test_a_kept_connection_that_the_server_closed_costs_no_retry(self) -> None:
        """Servers close connections that are idle; the next call opens another."""

        async def answer_and_close(request: object, wire: object) -> bool:
            await GOOD(request, wire)  # type: ignore[arg-type]
            return False

        async with ScriptedServer(answer_and_close) as server, provider_at(server.url, max_retries=0) as provider:
            for _ in range(3):
                assert (await provider.complete(QUESTION)).text == '{"met": true}'
                await asyncio.sleep(REUSE_DELAY * 1.1)
        assert server.connections == 3

    async def test_a_server_that_closes_as_the_next_request_comes_gets_it_again(self) -> None:
        """The request was not answered, and the connection had been a good one before."""
        async with ScriptedServer(GOOD, raw(b""), GOOD) as server, provider_at(server.url, max_retries=0) as provider:
            assert (await provider.complete(QUESTION)).text == '{"met": true}'
            await asyncio.sleep(REUSE_DELAY * 1.1)
            assert (await provider.complete(QUESTION)).text == '{"met": true}'
        assert (len(server.requests), server.connections) == (3, 2)

    async def test_a_reply_that_ends_with_the_connection_is_whole(self) -> None:
        """Some servers tell no length."""
        body = json.dumps(chat_reply("all")).encode()
        async with (
            ScriptedServer(raw(b"HTTP/1.0 200 OK\r\n\r\n" + body)) as server,
            provider_at(server.url) as provider,
        ):
            assert (await provider.complete(QUESTION)).text == "all"

    async def test_a_closed_provider_can_be_asked_again(self) -> None:
        """Closing lets go of connections, nothing more."""
        async with ScriptedServer(GOOD) as server, provider_at(server.url) as provider:
            await provider.complete(QUESTION)
            await provider.close()
            assert (await provider.complete(QUESTION)).text == '{"met": true}'
        assert server.connections == 2

    async def test_a_provider_may_outlive_an_event_loop(self) -> None:
        """A script may call `asyncio.run` for each of its cases; each run closes the connections that it has opened."""

        def run() -> Completion:
            return asyncio.run(provider.complete(QUESTION))  # type: ignore[arg-type]

        async with ScriptedServer(GOOD) as server, provider_at(server.url) as provider:
            assert [(await asyncio.to_thread(run)).text for _ in range(2)] == ['{"met": true}'] * 2
            gc.collect()
        assert server.connections == 2

    async def test_two_event_loops_may_use_a_provider_at_the_same_time(self) -> None:
        """Each has connections of its own, so that the end of one does not disturb the other."""

        async def ask_twice(between: asyncio.Event | None = None) -> list[str]:
            first = await provider.complete(QUESTION)
            await asyncio.sleep(REUSE_DELAY * 1.1)
            if between is not None:
                await between.wait()
            return [first.text, (await provider.complete(QUESTION)).text]

        async with ScriptedServer(GOOD) as server, provider_at(server.url) as provider:
            other_ended = asyncio.Event()
            here = asyncio.ensure_future(ask_twice(other_ended))
            there = await asyncio.to_thread(lambda: asyncio.run(ask_twice()))
            other_ended.set()
            assert [*there, *await here] == ['{"met": true}'] * 4
        assert server.connections == 2


class TestCancelling:
    """Cancelling a call stops the work at the other end too."""

    async def test_the_server_sees_the_connection_close(self) -> None:
        """The model need not go on for nobody."""
        seen, closed = asyncio.Event(), asyncio.Event()
        async with ScriptedServer(hang(seen, closed)) as server, provider_at(server.url) as provider:
            await cancel_call(provider, seen, closed)

    async def test_a_call_in_the_middle_of_its_reply_is_closed(self) -> None:
        """Also when a part has come."""
        started, closed = asyncio.Event(), asyncio.Event()

        async def begin(request: object, wire: object) -> bool:
            await wire.send(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{")  # type: ignore[attr-defined]
            return await hang(started, closed)(request, wire)  # type: ignore[arg-type]

        async with ScriptedServer(begin) as server, provider_at(server.url) as provider:
            await cancel_call(provider, started, closed)

    async def test_a_call_that_is_still_connecting_leaves_nothing_behind(self) -> None:
        """The connection is closed before it is ready for a request."""
        opened, closed = asyncio.Event(), asyncio.Event()
        async with _silent_server(opened, closed) as url, provider_at(url) as provider:
            await cancel_call(provider, opened, closed)

    async def test_a_call_that_waits_for_its_retry_stops_at_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Nobody has to wait for the end of a wait."""
        waiting = asyncio.Event()

        async def wait(_seconds: float) -> None:
            waiting.set()
            await asyncio.Event().wait()

        monkeypatch.setattr(http, "sleep", wait)
        async with ScriptedServer(BUSY) as server, provider_at(server.url) as provider:
            call = asyncio.ensure_future(provider.complete(QUESTION))
            await asyncio.wait_for(waiting.wait(), HANG_GUARD)
            call.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asyncio.wait_for(call, HANG_GUARD)


class TestSentences:
    """What went wrong is reported in one sentence, with what to do and without a secret."""

    @pytest.mark.parametrize(
        ("status", "advice"),
        [
            (307, "requests are not sent on to another address, so give the one that it has moved to."),
            (400, "check the settings of this provider."),
            (401, "check the key in the setting api_key or the variable OPENAI_API_KEY."),
            (402, "its account has no credit left."),
            (403, "check what the key in the setting api_key or the variable OPENAI_API_KEY may do."),
            (404, "check the model and the address in its settings."),
            (413, "the prompt is too large for it."),
            (418, "check the settings of this provider."),
        ],
    )
    async def test_a_status_comes_with_advice(self, status: int, advice: str) -> None:
        """So that nobody has to look it up."""
        async with ScriptedServer(answer({"error": "Why."}, status)) as server, provider_at(server.url) as provider:
            failure = await failure_of(provider)
        assert failure.reason.endswith(f'answered with status {status}: "Why"; {advice}')

    async def test_a_wrong_key_is_recognised_under_another_status(self) -> None:
        """Google says 400."""
        said = {"error": {"code": 400, "message": "API key not valid. Please pass a valid API key."}}
        async with ScriptedServer(answer(said, 400)) as server, provider_at(server.url) as provider:
            assert "check the key in" in (await failure_of(provider)).reason

    @pytest.mark.parametrize(
        ("body", "told"),
        [
            ({"error": {"message": "In an error."}}, ': "In an error"'),
            ({"error": "As a text."}, ': "As a text"'),
            ({"message": "At the top."}, ': "At the top"'),
            ({"detail": "Of FastAPI."}, ': "Of FastAPI"'),
            ([{"error": {"message": "In a list."}}], ': "In a list"'),
            (b"Plain text.", ': "Plain text"'),
            (b"<html>Bad gateway</html>", ""),
            (b"", ""),
            ({"detail": [{"loc": ["body"]}]}, ': "{"detail": [{"loc": ["body"]}]}"'),
            (b"[" * 100_000, ': "' + "[" * 299 + '…"'),
            ({"error": {"message": "a\nb\u202e\tc"}}, ': "a b<U+202E> c"'),
        ],
    )
    async def test_the_servers_own_words_are_quoted(self, body: object, told: str) -> None:
        """Whatever form they have, in one line and shortened."""
        async with ScriptedServer(answer(body, 400)) as server, provider_at(server.url) as provider:
            failure = await failure_of(provider)
        assert f"answered with status 400{told}; check" in failure.reason

    @pytest.mark.parametrize(
        "said", [f"Wrong key {KEY}.", "Wrong key sk-pl********4711.", "x" * 290 + KEY, json.dumps({"key": KEY})]
    )
    async def test_a_key_that_the_server_repeats_is_not_repeated(self, said: str) -> None:
        """Not even a part of it, and not where the quote is cut."""
        async with (
            ScriptedServer(answer({"error": {"message": said}}, 401)) as server,
            provider_at(server.url) as provider,
        ):
            failure = await failure_of(provider)
        assert not any(part in failure.reason for part in ("sk-pl", "planted", "4711"))

    async def test_the_query_of_an_address_is_not_reported(self) -> None:
        """It may hold a key as well."""
        async with (
            ScriptedServer(BROKEN) as server,
            provider_at(server.url, kind="azure", version="secret-version", max_retries=0) as provider,
        ):
            failure = await failure_of(provider)
            assert "api-version" not in json.dumps(dict(provider.parameters))
        assert "secret-version" in server.requests[0].line
        assert "secret-version" not in failure.reason

    async def test_a_reply_that_is_not_json_is_reported(self) -> None:
        """A page of some proxy, for example."""
        async with ScriptedServer(answer(b"<html>Welcome</html>")) as server, provider_at(server.url) as provider:
            failure = await failure_of(provider)
        assert "not JSON; check that its address" in failure.reason

    async def test_an_error_with_a_good_status_is_reported(self) -> None:
        """Some routers pass errors on in this way."""
        said = answer({"error": {"message": "Upstream is down.", "code": 502}})
        async with ScriptedServer(said) as server, provider_at(server.url) as provider:
            failure = await failure_of(provider)
        assert failure.reason.endswith('answered with an error: "Upstream is down".')

    async def test_an_error_beside_an_answer_is_reported(self) -> None:
        """The answer does not count."""
        said = answer({**chat_reply('{"met": true}'), "error": {"message": "Upstream is down."}})
        async with ScriptedServer(said) as server, provider_at(server.url) as provider:
            failure = await failure_of(provider)
        assert failure.reason.endswith('answered with an error: "Upstream is down".')

    async def test_two_answers_under_one_key_are_reported(self) -> None:
        """Neither of them counts."""
        reply = json.dumps(chat_reply('{"met": true}'))
        said = answer(f'{reply[:-1]}, "choices": []}}'.encode())
        async with ScriptedServer(said) as server, provider_at(server.url) as provider:
            failure = await failure_of(provider)
        assert failure.reason.endswith("sent a reply with more than one `choices` in the same object.")

    @pytest.mark.parametrize("name", ["judgement", "other"])
    async def test_a_tool_that_was_not_offered_gives_no_answer(self, name: str) -> None:
        """At first the format of the reply is asked for, and no tool is offered."""
        block = {"type": "tool_use", "name": name, "input": {"met": True}}
        said = answer({"content": [block], "stop_reason": "tool_use"})
        async with ScriptedServer(said) as server, provider_at(server.url, "anthropic") as provider:
            failure = await failure_of(provider)
        assert failure.reason.endswith("called a tool that was not offered to it.")

    async def test_an_answer_that_was_withheld_is_reported_in_the_models_words(self) -> None:
        """With what it cost."""
        refusal = answer(chat_reply(None, refusal="I will not\njudge this."))
        async with ScriptedServer(refusal) as server, provider_at(server.url) as provider:
            failure = await failure_of(provider)
        assert failure.reason.endswith('refused to answer: "I will not judge this".')
        assert failure.usage == Usage(calls=1, input_tokens=30, output_tokens=7)

    async def test_requests_are_not_sent_on_to_another_address(self) -> None:
        """Whoever redirects would get the key and the prompt."""
        async with ScriptedServer(GOOD) as thief:
            moved = answer({}, 308, location=f"{thief.url}/v1/chat/completions")
            async with ScriptedServer(moved) as server, provider_at(server.url) as provider:
                await failure_of(provider)
        assert not thief.requests

    @pytest.mark.parametrize(
        "address",
        [
            *("ftp://a.example", "a.example/v1", "https://", "https://me:pass-word@a.example", "http://a:port"),
            *("http://[::1", "http://a.example/two words", "http://a.example/größe", "http://" + "a" * 64 + ".example"),
        ],
    )
    async def test_an_address_that_cannot_be_used_is_reported_before_anything_is_sent(self, address: str) -> None:
        """Without repeating it, for it may hold a password."""
        with pytest.raises(CannotGrade, match="The address of judge is none that can be used") as caught:
            async with provider_at(address):
                pass
        assert "pass-word" not in str(caught.value)


class TestConcessions:
    """A server that does not know a parameter is asked without it, and that is remembered."""

    @staticmethod
    def refusing(*refused: str) -> Step:
        """Refuse requests in which one of some texts is, as servers do that hold to a schema of their own."""

        async def step(request: object, wire: object) -> bool:
            body = request.body.decode()  # type: ignore[attr-defined]
            wrong = next((each for each in refused if f'"{each}"' in body), None)
            told = answer({"error": {"message": f"Unsupported parameter: '{wrong}'."}}, 400) if wrong else GOOD
            return await told(request, wire)  # type: ignore[arg-type]

        return step

    @pytest.mark.parametrize(
        ("refused", "formats"),
        [
            ((), ["json_schema"]),
            (("json_schema",), ["json_schema", "json_object"]),
            (("json_schema", "json_object"), ["json_schema", "json_object", None]),
            (("response_format",), ["json_schema", "json_object", None]),
        ],
    )
    async def test_the_ladder_is_stepped_down_once(self, refused: tuple[str, ...], formats: list[str | None]) -> None:
        """The calls that follow begin where the first one ended."""
        async with ScriptedServer(self.refusing(*refused)) as server, provider_at(server.url) as provider:
            for _ in range(3):
                assert (await provider.complete(QUESTION)).text == '{"met": true}'
        told = [request.json.get("response_format", {}).get("type") for request in server.requests]
        assert told == [*formats, formats[-1], formats[-1]]

    async def test_calls_at_the_same_time_learn_from_each_other(self) -> None:
        """Those under way are refused once each, all others not at all."""
        async with ScriptedServer(self.refusing("json_schema")) as server, provider_at(server.url) as provider:
            await asyncio.gather(*(provider.complete(QUESTION) for _ in range(5)))
            await asyncio.gather(*(provider.complete(QUESTION) for _ in range(5)))
        assert sum("json_schema" in request.body.decode() for request in server.requests) == 5
        assert len(server.requests) == 15

    async def test_a_call_that_is_refused_late_goes_where_another_has_got_to(self) -> None:
        """It need not go down the whole ladder."""
        refuse, first_is_there, second_may_go = self.refusing("response_format"), asyncio.Event(), asyncio.Event()

        async def late(request: object, wire: object) -> bool:
            first_is_there.set()
            await second_may_go.wait()
            return await refuse(request, wire)  # type: ignore[arg-type]

        async with ScriptedServer(late, refuse) as server, provider_at(server.url) as provider:
            slow = asyncio.ensure_future(provider.complete(QUESTION))
            await asyncio.wait_for(first_is_there.wait(), HANG_GUARD)
            await provider.complete(QUESTION)
            second_may_go.set()
            await slow
        assert [request.json.get("response_format", {}).get("type") for request in server.requests] == [
            *("json_schema", "json_schema", "json_object", None),
            None,
        ]

    async def test_a_temperature_that_nobody_asked_for_is_given_up(self) -> None:
        """Newer models take none."""
        async with ScriptedServer(self.refusing("temperature")) as server, provider_at(server.url) as provider:
            await provider.complete(QUESTION)
            await provider.complete(QUESTION)
        assert [request.json.get("temperature") for request in server.requests] == [0.0, None, None]
        assert all("response_format" in request.json for request in server.requests)

    async def test_a_temperature_that_was_asked_for_is_not_given_up(self) -> None:
        """Its user must know that the model takes none."""
        async with (
            ScriptedServer(self.refusing("temperature")) as server,
            provider_at(server.url, temperature=0.5) as provider,
        ):
            failure = await failure_of(provider)
        assert "temperature" in failure.reason
        assert len(server.requests) == 1

    @pytest.mark.parametrize("refused", ["max_tokens", "max_completion_tokens"])
    async def test_the_limit_of_tokens_is_tried_under_both_names(self, refused: str) -> None:
        """Newer models refuse the old one, older servers the new one."""
        async with (
            ScriptedServer(self.refusing(refused)) as server,
            provider_at(server.url, max_tokens=9) as provider,
        ):
            await provider.complete(QUESTION)
        last = server.requests[-1].json
        assert {last.get("max_tokens"), last.get("max_completion_tokens")} == {9, None}
        assert refused not in last

    async def test_several_things_are_given_up_one_after_the_other(self) -> None:
        """As the server comes to them."""
        refused = ("temperature", "json_schema", "max_tokens")
        async with (
            ScriptedServer(self.refusing(*refused)) as server,
            provider_at(server.url, max_tokens=9) as provider,
        ):
            await provider.complete(QUESTION)
            await provider.complete(QUESTION)
        assert len(server.requests) == 5
        assert server.requests[-1].json["response_format"] == {"type": "json_object"}

    @pytest.mark.parametrize(
        "said",
        [
            "This model's maximum context length is 8192 tokens, of which your response_format takes 90.",
            "The model does not exist.",
        ],
    )
    async def test_another_complaint_lowers_nothing(self, said: str) -> None:
        """A prompt that is too long is too long without a schema, too."""
        refuse = answer({"error": {"message": said}}, 400)
        async with ScriptedServer(refuse, GOOD) as server, provider_at(server.url) as provider:
            await failure_of(provider)
            await provider.complete(QUESTION)
        assert [request.json["response_format"]["type"] for request in server.requests] == ["json_schema"] * 2

    async def test_a_call_without_a_schema_has_nothing_of_it_to_give_up(self) -> None:
        """The same request would be refused again."""
        refuse = answer({"error": {"message": "The schema of your tenant is gone."}}, 400)
        async with ScriptedServer(refuse) as server, provider_at(server.url) as provider:
            await failure_of(provider, Call(QUESTION.turns))
        assert len(server.requests) == 1

    async def test_only_what_worked_is_remembered(self) -> None:
        """Where the server refuses to the end, the complaint was about something else."""
        refuse = answer({"error": {"message": "The schema of your tenant is gone."}}, 400)
        async with ScriptedServer(refuse, refuse, refuse, GOOD) as server, provider_at(server.url) as provider:
            await failure_of(provider)
            await provider.complete(QUESTION)
        assert server.requests[-1].json["response_format"]["type"] == "json_schema"
