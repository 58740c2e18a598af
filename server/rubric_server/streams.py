"""How messages travel: with headers over pipes and sockets, or as the messages of a web socket."""

from __future__ import annotations

import re
import sys
import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING, BinaryIO, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from websockets.sync.server import ServerConnection

HOST = "127.0.0.1"
_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d{1,10})[ \t]*\r?\n\Z", re.IGNORECASE)
# No client means to send more than this many bytes at once.
_LONGEST = 1_000_000_000


class Stream(Protocol):
    """One connection. Reading happens on one thread and writing on another."""

    def read(self) -> bytes | None:
        """Wait for a message and return its body; None when the connection is over."""
        ...

    def write(self, body: bytes) -> None:
        """Send a message."""
        ...


class FramedStream:
    """Messages with a `Content-Length` header in front."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO) -> None:
        self._incoming = incoming
        self._outgoing = outgoing

    def read(self) -> bytes | None:
        """Return the next body.

        What is no header is passed over until one comes. After a wrong length that may stand at the end of a line,
        behind what was left of the body.
        """
        length: int | None = None
        while line := self._incoming.readline():
            header = _LENGTH.search(line)
            if header is not None and int(header[1]) <= _LONGEST:
                length = int(header[1])
            elif not line.strip() and length is not None:
                body = self._incoming.read(length)
                return body if len(body) == length else None
        return None

    def write(self, body: bytes) -> None:
        """Send a body with its header."""
        self._outgoing.write(b"Content-Length: %d\r\n\r\n" % len(body))
        self._outgoing.write(body)
        self._outgoing.flush()


class WebSocketStream:
    """Each message of a web socket is one body."""

    def __init__(self, connection: ServerConnection) -> None:
        self._connection = connection

    def read(self) -> bytes | None:
        """Return the next body."""
        from websockets.exceptions import ConnectionClosed  # noqa: PLC0415 - only a web socket needs the library.

        try:
            message = self._connection.recv()
        except ConnectionClosed:
            return None
        return message if isinstance(message, bytes) else message.encode("utf-8", "surrogatepass")

    def write(self, body: bytes) -> None:
        """Send a body as text, as the protocol wants it."""
        from websockets.exceptions import ConnectionClosed  # noqa: PLC0415 - only a web socket needs the library.

        try:
            self._connection.send(body.decode("ascii"))
        except ConnectionClosed as error:
            raise BrokenPipeError(str(error)) from error


def standard_stream() -> FramedStream:
    """Return the stream of standard input and output; what is printed by mistake goes to standard error instead."""
    outgoing = sys.stdout.buffer
    sys.stdout = sys.stderr
    return FramedStream(sys.stdin.buffer, outgoing)


def over_tcp(port: int, serve: Callable[[Stream], int]) -> int:
    """Wait for one client at a port and serve it."""
    import socket  # noqa: PLC0415 - most editors speak over standard input and output.

    with socket.create_server((HOST, port)) as listener:
        connection, _ = listener.accept()
    with connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return serve(FramedStream(connection.makefile("rb"), connection.makefile("wb")))


def over_web_socket(port: int, serve: Callable[[Stream], int]) -> int:
    """Wait for one client at a port that speaks over a web socket, and serve it."""
    from websockets.sync.server import serve as listen  # noqa: PLC0415 - only a web socket needs the library.

    arrived: SimpleQueue[ServerConnection] = SimpleQueue()
    is_over = threading.Event()

    def hold(connection: ServerConnection) -> None:
        """Keep a connection open until the first one is done; the library closes it when this returns."""
        arrived.put(connection)
        is_over.wait()

    with listen(hold, HOST, port, max_size=None) as listener:
        threading.Thread(target=listener.serve_forever, daemon=True).start()
        status = serve(WebSocketStream(arrived.get()))
        is_over.set()
    return status
