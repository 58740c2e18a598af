"""A server in this process, with nobody at the other end: messages are handed to it, and what it sends is kept."""

from __future__ import annotations

import json
from time import sleep
from typing import TYPE_CHECKING, Any

from rubric_server.app import RubricServer
from rubric_server.endpoint import Message

if TYPE_CHECKING:
    from collections.abc import Callable


class Loopback:
    """Drives a server message by message and slice by slice, so that a test decides what happens when."""

    def __init__(self, capabilities: dict[str, Any] | None = None, **members: Any) -> None:
        self.sent: list[dict[str, Any]] = []
        self.server = RubricServer(self)
        self._asked = 0
        self.introduction = self.request("initialize", {"capabilities": capabilities or {}, **members})
        self.notify("initialized", {})

    def read(self) -> bytes | None:
        """Have nothing to say."""
        return None

    def write(self, body: bytes) -> None:
        """Keep what the server sends."""
        self.sent.append(json.loads(body))

    def notify(self, method: str, params: Any) -> None:
        """Hand over a notification."""
        self.server.receive(Message(method, params))

    def ask(self, method: str, params: Any) -> int:
        """Hand over a request and return its number."""
        self._asked += 1
        self.server.receive(Message(method, params, self._asked, is_request=True))
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
        self.server.receive(Message("", {"id": number, "result": result}, number, is_answer=True))

    def work(self, slices: int = 10_000) -> None:
        """Let the server do what is waiting."""
        while slices and self.server.has_work:
            self.server.work()
            slices -= 1

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
            message = self.server.endpoint.take(wait=False)
            if message is None:
                sleep(0.01)
            else:
                self.server.receive(message)
        raise AssertionError(f"It never came; sent were {[each.get('method') or each for each in self.sent]}.")

    def open(self, text: str, uri: str = "file:///nowhere/a.eval.yaml", version: int = 1) -> None:
        """Open a document."""
        item = {"uri": uri, "languageId": "yaml", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, change: dict[str, Any], version: int, uri: str = "file:///nowhere/a.eval.yaml") -> None:
        """Change a document."""
        identifier = {"uri": uri, "version": version}
        self.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]})

    def of(self, method: str) -> list[Any]:
        """Return the parameters of what was sent under a method."""
        return [message.get("params") for message in self.sent if message.get("method") == method]

    def published(self) -> list[dict[str, Any]]:
        """Return the diagnostics that were pushed, one entry a publication."""
        return self.of("textDocument/publishDiagnostics")
