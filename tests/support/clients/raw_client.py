"""A plain JSON-RPC client over pipes or a socket, which can also send what no client library would.

A thread notes when each message arrived; everything else happens in the thread that asks. What the server asks is
answered while waiting, from the table `replies`.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import queue
import re
import socket
import subprocess
import threading
import time
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from waiting import TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

Id = int | str | None
_LENGTH = re.compile(rb"Content-Length: *(\d+)", re.IGNORECASE)


class Ended(Exception):  # noqa: N818 - that a stream ends is no error by itself.
    """The server closed its end."""


class Silence(Exception):  # noqa: N818 - reads as what happened.
    """The server did not say what was waited for."""


class Incoming(NamedTuple):
    """A message and the moment when its last byte had been read."""

    arrived: float
    message: dict[str, Any]

    @property
    def params(self) -> Any:
        """Return the parameters of a request or notification."""
        return self.message.get("params")


def framed(message: object) -> bytes:
    """Return a message as it goes over the wire."""
    # A lone surrogate has no bytes in utf-8, so it must be escaped; nothing else needs to be.
    body = json.dumps(message).encode("ascii")
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def request_of(number: Id, method: str, params: object = None) -> dict[str, object]:
    """Return a request."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


def notification_of(method: str, params: object = None) -> dict[str, object]:
    """Return a notification."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


def _configuration(params: Any) -> list[None]:
    return [None for _ in params["items"]]


def _nothing(_params: Any) -> None:
    return None


class RawClient:
    """One connection to a server."""

    def __init__(self, reader: IO[bytes], writer: IO[bytes], process: subprocess.Popen[bytes] | None = None) -> None:
        self.process = process
        self.replies: dict[str, Callable[[Any], Any]] = {"workspace/configuration": _configuration}
        self.answers: dict[Id, list[Incoming]] = {}
        self.notifications: list[Incoming] = []
        self.requests: list[Incoming] = []
        self._reader = reader
        self._writer = writer
        self._numbers = itertools.count(1)
        self._inbox: queue.SimpleQueue[tuple[float, bytes]] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    @classmethod
    def start(
        cls, command: Sequence[str], environment: Mapping[str, str] | None = None, folder: Path | None = None
    ) -> RawClient:
        """Start a server that speaks on its standard input and output; what it logs is thrown away."""
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(environment) if environment is not None else None,
            cwd=folder,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        return cls(process.stdout, process.stdin, process)

    @classmethod
    def connect(cls, port: int, host: str = "127.0.0.1") -> RawClient:
        """Connect to a server that waits at a port."""
        with socket.create_connection((host, port)) as connection:
            return cls(connection.makefile("rb"), connection.makefile("wb"))

    # Reading

    def _read(self) -> None:
        try:
            while (body := self._read_body()) is not None:
                self._inbox.put((time.perf_counter(), body))
        except (OSError, ValueError):
            # The stream was closed at our end.
            pass
        self._inbox.put((time.perf_counter(), b""))

    def _read_body(self) -> bytes | None:
        length = None
        for line in iter(self._reader.readline, b""):
            if found := _LENGTH.match(line):
                length = int(found.group(1))
            elif line in {b"\r\n", b"\n"} and length is not None:
                body = self._reader.read(length)
                return body if len(body) == length else None
        return None

    def _pump(self, deadline: float) -> None:
        """Take in the next message."""
        try:
            arrived, body = self._inbox.get(timeout=max(0.0, deadline - time.perf_counter()))
        except queue.Empty:
            raise Silence("The server said nothing more.") from None
        if not body:
            self._inbox.put((arrived, body))
            raise Ended("The server closed the connection.")
        incoming = Incoming(arrived, json.loads(body))
        if "method" not in incoming.message:
            self.answers.setdefault(incoming.message.get("id"), []).append(incoming)
        elif "id" not in incoming.message:
            self.notifications.append(incoming)
        else:
            self.requests.append(incoming)
            reply: Callable[[Any], Any] = self.replies.get(incoming.message["method"], _nothing)
            self.send({"jsonrpc": "2.0", "id": incoming.message["id"], "result": reply(incoming.params)})

    # Sending

    def send_bytes(self, data: bytes) -> float:
        """Send bytes as they are and return when that began."""
        begin = time.perf_counter()
        self._writer.write(data)
        self._writer.flush()
        return begin

    def send(self, message: object) -> float:
        """Send a message and return when that began; turning it into bytes does not count."""
        return self.send_bytes(framed(message))

    def notify(self, method: str, params: object = None) -> float:
        """Send a notification."""
        return self.send(notification_of(method, params))

    def request(self, method: str, params: object = None) -> int:
        """Send a request and return its number."""
        number = next(self._numbers)
        self.send(request_of(number, method, params))
        return number

    # Waiting

    def answer(self, number: Id, patience: float = TIMEOUT) -> Incoming:
        """Return the next answer to a request."""
        deadline = time.perf_counter() + patience
        while not self.answers.get(number):
            self._pump(deadline)
        return self.answers[number].pop(0)

    def response(self, method: str, params: object = None, patience: float = TIMEOUT) -> dict[str, Any]:
        """Send a request and return all of its answer, be it a result or an error."""
        return self.answer(self.request(method, params), patience).message

    def ask(self, method: str, params: object = None, patience: float = TIMEOUT) -> Any:
        """Send a request and return its result."""
        message = self.response(method, params, patience)
        assert "error" not in message, (method, message["error"])
        return message["result"]

    def take(
        self,
        method: str,
        accept: Callable[[Any], bool] = lambda _params: True,
        patience: float = TIMEOUT,
        forget: Callable[[Any], bool] = lambda _params: True,
    ) -> Incoming:
        """Return the next notification of a method that is acceptable, and forget those of the method before it.

        `forget` tells which of these nobody will ask for any more.
        """
        deadline = time.perf_counter() + patience
        while True:
            for index, incoming in enumerate(self.notifications):
                if incoming.message["method"] == method and accept(incoming.params):
                    before = self.notifications[:index]
                    kept = [other for other in before if other.message["method"] != method or not forget(other.params)]
                    self.notifications[: index + 1] = kept
                    return incoming
            self._pump(deadline)

    def listen(self, seconds: float) -> None:
        """Take in what arrives within some time."""
        deadline = time.perf_counter() + seconds
        with contextlib.suppress(Silence):
            while True:
                self._pump(deadline)

    def wait_for_end(self, patience: float = TIMEOUT) -> int | None:
        """Wait until the server closes its end, and return the exit code of its process."""
        deadline = time.perf_counter() + patience
        with contextlib.suppress(Ended):
            while True:
                self._pump(deadline)
        return self.process.wait(patience) if self.process is not None else None

    # The life of a connection

    def initialize(self, capabilities: object, **others: object) -> dict[str, Any]:
        """Shake hands and return what the server can do."""
        params = {"processId": None, "rootUri": None, "capabilities": capabilities, **others}
        result = self.ask("initialize", params)
        self.notify("initialized", {})
        assert isinstance(result, dict)
        return result

    def open(self, uri: str, text: str, version: int = 1, language: str = "yaml") -> float:
        """Open a document and return when that began."""
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        return self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, *changes: object) -> float:
        """Change a document and return when that began."""
        identifier = {"uri": uri, "version": version}
        return self.notify("textDocument/didChange", {"textDocument": identifier, "contentChanges": changes})

    def close_input(self) -> None:
        """Close the stream that the server reads."""
        with contextlib.suppress(OSError):
            self._writer.close()

    def close(self) -> None:
        """End the connection, and the process if it is ours; nothing of it is left behind."""
        self.close_input()
        if self.process is not None:
            try:
                self.process.wait(1)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._thread.join(TIMEOUT)
        self._reader.close()
