"""HTTP/1.1 over asyncio's own streams: connections that are kept between calls and really closed on cancelling.

h11 reads and writes the protocol. A client library would do more than is needed here, and takes several times as long
for each call: `benchmarks/README.md` has the figures.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import h11

from rubric_core.grading.providers.proxies import proxy_for
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from rubric_core.grading.providers.proxies import Proxy

_CHUNK = 1 << 16
_DEFAULT_PORTS = {"http": 80, "https": 443}
_LONGEST_HEAD = 1 << 16
_TUNNEL_OPEN = 200
_TARGET = lazily(r"[\x21-\x7e]+\Z")


class NoReply(Exception):  # noqa: N818 - reads as a sentence where it is caught.
    """No complete reply came. `reason` goes on after the name of the server; `again` tells that a retry may help."""

    def __init__(self, reason: str, *, again: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.again = again


@dataclass(frozen=True, slots=True)
class Reply:
    """A complete reply. Names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Address:
    """Where requests go: the server, and what is asked of it there."""

    scheme: str
    host: str
    port: int
    target: str

    @classmethod
    def of(cls, url: str) -> Address:
        """Read a URL. Raises ValueError where it is none of HTTP, has a user name in it, or cannot be sent."""
        parts = urlsplit(url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        if parts.scheme not in _DEFAULT_PORTS or parts.username is not None or not _TARGET.match(target):
            raise ValueError(parts.scheme)
        host = (parts.hostname or "").encode("idna").decode()
        if not host:
            raise ValueError(parts.scheme)
        return cls(parts.scheme, host, parts.port or _DEFAULT_PORTS[parts.scheme], target)

    @property
    def place(self) -> str:
        """Return host and port."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def authority(self) -> str:
        """Return host and port as the header `host` has them, without the usual port."""
        return self.place.removesuffix(f":{_DEFAULT_PORTS[self.scheme]}")


@dataclass(frozen=True, slots=True)
class Bounds:
    """How long connecting and a whole reply may take, in seconds, and how large a reply may be, in bytes."""

    connect: float = 10.0
    reply: float = 120.0
    size: int = 16 << 20


class Connections:
    """The connections to one server, kept for as long as the event loop is the same."""

    def __init__(self, address: Address, bounds: Bounds, environment: Mapping[str, str]) -> None:
        self._address = address
        self._bounds = bounds
        self._proxy = proxy_for(address.scheme, address.host, address.port, environment)
        self._idle: list[_Connection] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._security: ssl.SSLContext | None = None

    async def post(self, headers: Mapping[str, str], body: bytes) -> Reply:
        """Send one request and return the reply. Raises NoReply; being cancelled closes the connection."""
        try:
            request = self._request(headers, len(body))
        except h11.LocalProtocolError:
            raise NoReply("cannot be asked with these headers; check the setting headers", again=False) from None
        while True:
            connection = self._kept() or await self._connected()
            try:
                reply = await connection.exchange(request, body, self._bounds)
            except _GoneBefore:
                # The server may close a kept connection at any time; that is no failure of this request.
                continue
            if connection.can_be_kept:
                self._idle.append(connection)
            else:
                connection.close()
            return reply

    async def close(self) -> None:
        """Close all connections that are kept."""
        self._forget_other_loops()
        while self._idle:
            self._idle.pop().close()
        # A transport tells its socket to close in the next round of the loop.
        await asyncio.sleep(0)

    def _request(self, headers: Mapping[str, str], length: int) -> h11.Request:
        address, target = self._address, self._address.target
        named = {"host": address.authority, **headers, "content-length": str(length)}
        if self._proxy is not None and address.scheme == "http":
            target = f"http://{address.authority}{target}"
            if self._proxy.authorization is not None:
                named["proxy-authorization"] = self._proxy.authorization
        return h11.Request(method="POST", target=target, headers=list(named.items()))

    def _kept(self) -> _Connection | None:
        """Return the connection that was used last, if the server has not closed it since."""
        self._forget_other_loops()
        while self._idle:
            connection = self._idle.pop()
            if not connection.is_closed:
                return connection
            connection.close()
        return None

    def _forget_other_loops(self) -> None:
        """Drop the connections of a loop that has ended: they can neither be used nor closed any more."""
        if self._loop is not (loop := asyncio.get_running_loop()):
            self._idle.clear()
            self._loop = loop

    async def _connected(self) -> _Connection:
        opening = asyncio.ensure_future(self._open())
        try:
            await asyncio.wait({opening}, timeout=self._bounds.connect)
        finally:
            if not opening.done():
                opening.cancel()
                opening.add_done_callback(_drop)
        if opening.cancelled() or not opening.done():
            raise NoReply(f"cannot be reached within {self._bounds.connect:g} s", again=True)
        try:
            return _Connection(*opening.result())
        except OSError as error:
            raise _unreachable(error) from None

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        address = self._address
        if address.scheme == "http":
            place = self._proxy or address
            return await asyncio.open_connection(place.host, place.port)
        if self._security is None:
            self._security = ssl.create_default_context()
        if self._proxy is None:
            return await asyncio.open_connection(address.host, address.port, ssl=self._security)
        tunnel = await _tunnel(self._proxy, address.place)
        return await asyncio.open_connection(sock=tunnel, ssl=self._security, server_hostname=address.host)


class _GoneBefore(Exception):  # noqa: N818 - not an error: the next connection is tried.
    """The server closed a kept connection before it saw the request."""


class _Connection:
    """One connection, and what h11 knows of it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=_LONGEST_HEAD)
        self._used = False
        self._heard = False
        self._expired = False

    @property
    def is_closed(self) -> bool:
        """Tell whether the server has ended the connection."""
        return self._reader.at_eof() or self._writer.is_closing()

    @property
    def can_be_kept(self) -> bool:
        """Tell whether another request may follow."""
        return self._http.our_state is self._http.their_state is h11.IDLE

    def close(self) -> None:
        """Close at once, without waiting for the server to agree."""
        self._writer.transport.abort()

    async def exchange(self, request: h11.Request, body: bytes, bounds: Bounds) -> Reply:
        """Send a request and read the reply. Whatever goes wrong, the connection is closed then."""
        timer = asyncio.get_running_loop().call_later(bounds.reply, self._expire)
        self._heard = False
        try:
            await self._send(request, body)
            reply = await self._receive(bounds.size)
        except (OSError, h11.RemoteProtocolError) as error:
            self.close()
            raise self._failure(error, bounds) from None
        except BaseException:
            self.close()
            raise
        finally:
            timer.cancel()
        self._used = True
        return reply

    async def _send(self, request: h11.Request, body: bytes) -> None:
        head = self._http.send(request) or b""
        self._http.send(h11.Data(body))
        self._http.send(h11.EndOfMessage())
        self._writer.write(head + body)
        await self._writer.drain()

    async def _receive(self, size: int) -> Reply:
        head: h11.Response | None = None
        parts: list[bytes] = []
        while True:
            event = self._http.next_event()
            if event is h11.NEED_DATA:
                data = await self._reader.read(_CHUNK)
                self._heard = self._heard or bool(data)
                self._http.receive_data(data)
            elif isinstance(event, h11.Response):
                head = event
            elif isinstance(event, h11.Data):
                parts.append(bytes(event.data))
                size -= len(event.data)
                if size < 0:
                    raise NoReply("sends a reply that is larger than any that is expected", again=False)
            elif isinstance(event, h11.EndOfMessage) and head is not None:
                break
        if self._http.our_state is self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
        headers = {name.decode("ascii"): value.decode("latin-1") for name, value in head.headers}
        return Reply(head.status_code, headers, b"".join(parts))

    def _expire(self) -> None:
        self._expired = True
        self.close()

    def _failure(self, error: Exception, bounds: Bounds) -> Exception:
        if self._expired:
            return NoReply(f"gave no complete reply within {bounds.reply:g} s", again=False)
        if self._used and not self._heard:
            return _GoneBefore()
        if isinstance(error, h11.RemoteProtocolError) and not self._reader.at_eof():
            return NoReply("does not speak HTTP/1.1", again=False)
        return NoReply("closed the connection before its reply was complete", again=True)


async def _tunnel(proxy: Proxy, authority: str) -> socket.socket:
    """Ask a proxy for a way through, and return the socket that leads there."""
    tunnel = await _dialled(proxy.host, proxy.port)
    try:
        await _ask_for_tunnel(tunnel, proxy, authority)
    except BaseException:
        tunnel.close()
        raise
    return tunnel


async def _ask_for_tunnel(tunnel: socket.socket, proxy: Proxy, authority: str) -> None:
    loop, http = asyncio.get_running_loop(), h11.Connection(h11.CLIENT)
    headers = [("host", authority)]
    if proxy.authorization is not None:
        headers.append(("proxy-authorization", proxy.authorization))
    await loop.sock_sendall(tunnel, http.send(h11.Request(method="CONNECT", target=authority, headers=headers)) or b"")
    try:
        while not isinstance(event := http.next_event(), h11.Response):
            http.receive_data(await loop.sock_recv(tunnel, _CHUNK))
    except h11.RemoteProtocolError:
        raise NoReply("is behind a proxy that closed the connection", again=True) from None
    if event.status_code != _TUNNEL_OPEN:
        raise NoReply(f"is behind a proxy that answered with status {event.status_code}", again=False)


async def _dialled(host: str, port: int) -> socket.socket:
    loop = asyncio.get_running_loop()
    failure: OSError = OSError(errno.EHOSTUNREACH, "no address")
    for family, kind, protocol, _, place in await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        connection = socket.socket(family, kind, protocol)
        connection.setblocking(False)
        try:
            await loop.sock_connect(connection, place)
        except OSError as error:
            connection.close()
            failure = error
        except BaseException:
            connection.close()
            raise
        else:
            return connection
    raise failure


def _drop(opening: asyncio.Future[tuple[asyncio.StreamReader, asyncio.StreamWriter]]) -> None:
    """Close a connection that came too late."""
    if not opening.cancelled() and opening.exception() is None:
        opening.result()[1].transport.abort()


_UNREACHABLE: tuple[tuple[type[OSError], Callable[[OSError], str], bool], ...] = (
    (
        ssl.SSLCertVerificationError,
        lambda error: (
            f"has a certificate that is not trusted ({getattr(error, 'verify_message', '')}); "
            f"SSL_CERT_FILE names further ones"
        ),
        False,
    ),
    (ssl.SSLError, lambda _: "does not speak TLS as expected", False),
    (socket.gaierror, lambda _: "has no address that is known here", False),
    (ConnectionRefusedError, lambda _: "refuses connections", True),
)


def _unreachable(error: OSError) -> NoReply:
    for kind, reason, again in _UNREACHABLE:
        if isinstance(error, kind):
            temporary = isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN
            return NoReply(reason(error), again=again or temporary)
    return NoReply(f"cannot be reached ({error.strerror or type(error).__name__})", again=True)
