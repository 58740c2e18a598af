"""A server in this process that answers requests as a script says, also in ways that no good server would."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ssl
    from collections.abc import Awaitable, Callable, Sequence
    from types import TracebackType

    from typing_extensions import Self


@dataclass(frozen=True)
class Request:
    """A request as it came over the wire."""

    line: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """Return the body."""
        return json.loads(self.body)


class Wire:
    """What a step of the script has in its hands."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def send(self, data: bytes) -> None:
        """Send some bytes."""
        self.writer.write(data)
        await self.writer.drain()

    async def until_closed(self) -> None:
        """Wait until the client has closed the connection."""
        while await self.reader.read(1 << 16):
            pass


if TYPE_CHECKING:
    Step = Callable[[Request, Wire], Awaitable[bool]]
    """Answers one request. Returns whether the connection stays open."""


class ScriptedServer:
    """Answers the first request by the first step, and so on; the last step goes on for ever."""

    def __init__(self, *script: Step, security: ssl.SSLContext | None = None) -> None:
        self.script: Sequence[Step] = script
        self._security = security
        self.requests: list[Request] = []
        self.connections = 0
        self.port = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """Return the address."""
        return f"{'https' if self._security else 'http'}://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._security)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        try:
            while (request := await _read(reader)) is not None:
                self.requests.append(request)
                step = self.script[min(len(self.requests), len(self.script)) - 1]
                if not await step(request, Wire(reader, writer)):
                    break
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.transport.abort()


async def _read(reader: asyncio.StreamReader) -> Request | None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    line, *lines = head.decode("latin-1").rstrip().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (each.partition(":") for each in lines)}
    return Request(line, headers, await reader.readexactly(int(headers.get("content-length", "0"))))


def answer(body: Any, status: int = 200, **headers: str) -> Step:
    """Answer with JSON (or with bytes as they are). An underscore in the name of a header means a dash."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()

    async def step(_request: Request, wire: Wire) -> bool:
        named = {
            "content-length": str(len(content)),
            **{name.replace("_", "-"): each for name, each in headers.items()},
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
        await wire.send(f"HTTP/1.1 {status} Whatever\r\n{head}\r\n".encode() + content)
        return True

    return step


def raw(data: bytes, *, stay: bool = False) -> Step:
    """Answer with bytes that need not be HTTP, then close the connection unless it is to stay."""

    async def step(_request: Request, wire: Wire) -> bool:
        await wire.send(data)
        return stay

    return step


def hang(seen: asyncio.Event | None = None, closed: asyncio.Event | None = None) -> Step:
    """Never answer; tell that the request was seen, and that the client has closed the connection."""

    async def step(_request: Request, wire: Wire) -> bool:
        if seen is not None:
            seen.set()
        await wire.until_closed()
        if closed is not None:
            closed.set()
        return False

    return step


def drip() -> Step:
    """Send the head, then a byte now and then and never the end."""

    async def step(_request: Request, wire: Wire) -> bool:
        await wire.send(b"HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n")
        while True:
            await wire.send(b" ")
            await asyncio.sleep(0.005)

    return step


def tunnel() -> Step:
    """Answer CONNECT as a proxy does: open a way to the other server, and carry bytes in both directions."""

    async def step(request: Request, wire: Wire) -> bool:
        host, _, port = request.line.split()[1].rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        await wire.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
        try:
            await asyncio.gather(_carry(wire.reader, writer), _carry(reader, wire.writer))
        finally:
            writer.transport.abort()
        return False

    return step


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(1 << 16):
        writer.write(data)
        await writer.drain()
    if writer.can_write_eof():
        writer.write_eof()
