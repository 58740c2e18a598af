"""The ways to reach the server: standard input and output, TCP, and web sockets. Each serves one client."""

from __future__ import annotations

import asyncio
import re
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from http import HTTPStatus
from types import SimpleNamespace
from typing import TYPE_CHECKING, BinaryIO

from pygls.io_ import StdoutWriter

from rubric_server.protocol.message_loop import MessageLoop

if TYPE_CHECKING:
    from websockets.asyncio.server import ServerConnection
    from websockets.http11 import Request, Response

    from rubric_server.app import RubricServer

HOST = "127.0.0.1"
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,10})[ \t]*\r?\n\Z", re.IGNORECASE)
# The limit of a message in bytes: a file of the largest size, 64 MB, may take six bytes for each character.
_LONGEST = 1_000_000_000


def read_messages(incoming: BinaryIO) -> Iterator[bytes]:
    """Yield the bodies of messages that have a `Content-Length` header.

    Lines without a header are skipped. After a wrong length, a header may follow the rest of a body in the same line.
    """
    length: int | None = None
    while line := incoming.readline():
        header = _LENGTH.search(line)
        if header is not None and int(header[1]) <= _LONGEST:
            length = int(header[1])
        elif not line.strip() and length is not None:
            body = incoming.read(length)
            if len(body) != length:
                return
            yield body
            length = None


async def serve_stdio(server: RubricServer) -> None:
    """Serve the client at standard input and output; other output goes to standard error."""
    outgoing = sys.stdout.buffer
    sys.stdout = sys.stderr
    await _serve_files(server, sys.stdin.buffer, outgoing)


async def serve_tcp(server: RubricServer, port: int) -> None:
    """Serve the first client at a port. The port is closed then, so that a second one is refused."""
    import socket  # noqa: PLC0415 - most editors use standard input and output.

    with socket.create_server((HOST, port)) as listener:
        listener.setblocking(False)
        connection, _ = await asyncio.get_running_loop().sock_accept(listener)
    with connection:
        connection.setblocking(True)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        await _serve_files(server, connection.makefile("rb"), connection.makefile("wb"))


async def _serve_files(server: RubricServer, incoming: BinaryIO, outgoing: BinaryIO) -> None:
    messages = MessageLoop(server)

    def read() -> None:
        try:
            for body in read_messages(incoming):
                messages.put(body)
        finally:
            messages.put(None)

    server.protocol.set_writer(StdoutWriter(outgoing))
    threading.Thread(target=read, name="reader", daemon=True).start()
    await server.stopped.wait()


async def serve_web_socket(server: RubricServer, port: int, origins: Sequence[str] = ()) -> None:
    """Serve the first client at a port. A second one is refused, and so is a web page unless its origin is allowed."""
    from websockets.asyncio.server import serve  # noqa: PLC0415 - most editors use standard input and output.
    from websockets.exceptions import ConnectionClosed  # noqa: PLC0415
    from websockets.typing import Origin  # noqa: PLC0415

    messages = MessageLoop(server)
    outgoing: asyncio.Queue[bytes | None] = asyncio.Queue()
    is_taken, is_over = asyncio.Event(), asyncio.Event()

    def refuse_second(connection: ServerConnection, _request: Request) -> Response | None:
        reason = "The server has a client already.\n"
        return connection.respond(HTTPStatus.SERVICE_UNAVAILABLE, reason) if is_taken.is_set() else None

    async def read(connection: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            while True:
                messages.put(await connection.recv(decode=False))
        messages.put(None)

    async def serve_client(connection: ServerConnection) -> None:
        if is_taken.is_set():
            return
        is_taken.set()
        # Sending may take several rounds of the loop, so messages wait in a queue.
        server.protocol.set_writer(SimpleNamespace(write=outgoing.put_nowait), include_headers=False)
        reading = asyncio.ensure_future(read(connection))
        with suppress(ConnectionClosed):
            while (body := await outgoing.get()) is not None:
                await connection.send(body, text=True)
        reading.cancel()
        is_over.set()

    # Only web pages send an origin.
    allowed = [None, *map(Origin, origins)]
    async with serve(serve_client, HOST, port, max_size=_LONGEST, origins=allowed, process_request=refuse_second):
        await server.stopped.wait()
        outgoing.put_nowait(None)
        if is_taken.is_set():
            await is_over.wait()
