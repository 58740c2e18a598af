"""A server in this process, with nobody at the other end: messages are handed to it, and what it sends is kept."""

from __future__ import annotations

import asyncio
import json
import weakref
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import TYPE_CHECKING, Any

from rubric_server.app import RubricServer

if TYPE_CHECKING:
    from collections.abc import Callable

URI = "file:///nowhere/a.eval.yaml"
# The test itself may run on an event loop, and no thread runs two at once.
_THREAD = ThreadPoolExecutor(1)
# More rounds of the event loop than any answer takes.
_ROUNDS = 6


def position(text: str, under: str) -> dict[str, int]:
    """Return the position of the first place that has these characters, behind ASCII alone on its line."""
    before = text[: text.index(under)]
    return {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}


def at(text: str, under: str, uri: str = URI) -> dict[str, Any]:
    """Return the parameters of a request about the first place that has these characters."""
    return {"textDocument": {"uri": uri}, "position": position(text, under)}


class Loopback:
    """Drives a server message by message and slice by slice, so that a test decides what happens when."""

    def __init__(self, capabilities: dict[str, Any] | None = None, **members: Any) -> None:
        self.sent: list[dict[str, Any]] = []
        self.loop = asyncio.new_event_loop()
        weakref.finalize(self, self.loop.close)
        self.server = RubricServer()
        self.server.protocol.set_writer(_Writer(self.sent), include_headers=False)
        self._asked = 0
        self._is_running = False
        self.introduction = self.request("initialize", {"capabilities": capabilities or {}, **members})
        self.notify("initialized", {})

    def receive(self, **members: Any) -> None:
        """Hand over a message, and let the server answer as far as that takes no slices."""
        body = json.dumps({"jsonrpc": "2.0", **members}).encode()
        self._run(lambda: self.server.protocol.receive(body))

    def notify(self, method: str, params: Any) -> None:
        """Hand over a notification."""
        self.receive(method=method, params=params)

    def ask(self, method: str, params: Any) -> int:
        """Hand over a request and return its number."""
        self._asked += 1
        self.receive(id=self._asked, method=method, params=params)
        return self._asked

    def request(self, method: str, params: Any) -> Any:
        """Hand over a request, let all work be done, and return the answer."""
        number = self.ask(method, params)
        self.work()
        return self.answer(number)

    def answer(self, number: int) -> Any:
        """Return the result of a request, or its error."""
        (message,) = [message for message in self.sent if message.get("id") == number]
        return message["result"] if "result" in message else message["error"]

    def reply(self, method: str, result: Any) -> None:
        """Answer the server's own last request of a method."""
        number = [message["id"] for message in self.sent if message.get("method") == method][-1]
        self.receive(id=number, result=result)

    def work(self, slices: int = 10_000) -> None:
        """Let the server do what is waiting."""
        while slices and self.server.work:
            self._run(self.server.work.do_slice)
            slices -= 1

    def _run(self, call: Callable[[], object]) -> None:
        """Call something on the event loop, and let go on what waits for it."""
        if self._is_running:
            # Something that the server calls is the test's own.
            call()
        else:
            _THREAD.submit(self._run_here, call).result()

    def _run_here(self, call: Callable[[], object]) -> None:
        self._is_running = True
        self.loop.call_soon(call)
        for _ in range(_ROUNDS):
            self.loop.run_until_complete(asyncio.sleep(0))
        self._is_running = False

    def wait_for(self, method: str, count: int = 1) -> list[Any]:
        """Let the server go on, with what its other threads hand over, until it has sent so many of a method."""
        return self.until(lambda: self.of(method) if len(self.of(method)) >= count else None)

    def awaited(self, number: int) -> Any:
        """Let the server go on until it has answered a request, and return the answer."""
        self.until(lambda: any(message.get("id") == number for message in self.sent) or None)
        return self.answer(number)

    def until(self, found: Callable[[], Any]) -> Any:
        """Let the server go on, with what its other threads hand over, until something is found, and return it."""
        # A guard against a test that hangs, not a measure of time.
        for _ in range(2_000):
            self.work()
            outcome = found()
            if outcome is not None:
                return outcome
            sleep(0.01)
            self._run(lambda: None)
        raise AssertionError(f"It never came; sent were {[each.get('method') or each for each in self.sent]}.")

    def open(self, text: str, uri: str = URI, version: int = 1) -> None:
        """Open a document."""
        item = {"uri": uri, "languageId": "yaml", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, change: dict[str, Any], version: int, uri: str = URI) -> None:
        """Change a document."""
        identifier = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]})

    def of(self, method: str) -> list[Any]:
        """Return the parameters of what was sent under a method."""
        return [message.get("params") for message in self.sent if message.get("method") == method]

    def published(self) -> list[dict[str, Any]]:
        """Return the diagnostics that were pushed, one entry a publication."""
        return self.of("textDocument/publishDiagnostics")


class _Writer:
    """Keeps what the server sends."""

    def __init__(self, sent: list[dict[str, Any]]) -> None:
        self._sent = sent

    def write(self, data: bytes) -> None:
        """Keep a message."""
        self._sent.append(json.loads(data))
