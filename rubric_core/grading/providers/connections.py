"""Requests to one server through aiohttp: with kept connections, limits, and failures as sentences."""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from base64 import b64encode
from collections.abc import AsyncGenerator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from selectors import EVENT_READ, DefaultSelector

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.client_reqrep import ConnectionKey
from aiohttp.connector import Connection
from aiohttp.tracing import Trace
from yarl import URL

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.providers.replies import Reply
from rubric_core.text.patterns import lazily

REUSE_DELAY = 0.05
"""Seconds after a reply in which its connection is not used again. Meanwhile others are, so that nothing waits."""

LARGEST_REPLY = 16 << 20
"""The most bytes that a reply may have."""

_FRAMING_HEADERS = frozenset({"content-length", "expect", "transfer-encoding", "upgrade"})
_ADDRESS = lazily(r"https?://[^/?#@\s]+([/?#][\x21-\x7e]*)?\Z", re.IGNORECASE)

_LOST = (aiohttp.ServerDisconnectedError, aiohttp.ClientOSError, aiohttp.ClientResponseError)
"""How a request fails on a kept connection that was closed, or on which unexpected bytes arrived."""

_NOT_CONNECTED = (aiohttp.ClientConnectorError, aiohttp.ClientConnectorCertificateError)


class NoReply(Exception):  # noqa: N818 - reads as a sentence where it is caught.
    """No complete reply came. `reason` goes on after the name of the server; `again` means that a retry may help."""

    def __init__(self, reason: str, *, again: bool) -> None:
        super().__init__(reason)
        self.reason = reason
        self.again = again


def read_address(url: str) -> URL:
    """Read a URL. Raises ValueError if it is not of HTTP, contains a user name, or is invalid."""
    if not _ADDRESS.match(url):
        raise ValueError("not an address")
    address = URL(url)
    # yarl accepts every letter in a host; the parts of names in DNS have at most 63.
    (address.raw_host or "").encode("idna")
    return address


class Connections:
    """The connections to one server. They are kept until they are closed or their event loop ends."""

    def __init__(
        self, address: URL, headers: Mapping[str, str], timeout: aiohttp.ClientTimeout, environment: Mapping[str, str]
    ) -> None:
        self._address = address
        self._headers = dict(headers)
        self.timeout = timeout
        self._sessions: dict[asyncio.AbstractEventLoop, AsyncGenerator[aiohttp.ClientSession, None]] = {}
        self._proxy, credentials = proxy_for(address, environment)
        # A proxy reads the headers of plain requests, and of encrypted ones only those of the tunnel.
        self._proxy_headers = credentials if address.scheme == "https" else {}
        self._headers |= credentials if address.scheme == "http" else {}

    async def post(self, body: bytes) -> Reply:
        """Send one request and return the reply. Raises NoReply; being cancelled closes the connection."""
        if not _FRAMING_HEADERS.isdisjoint(self._headers):
            raise NoReply("cannot be asked with these headers; check the setting headers", again=False)
        attempt = _Attempt(body)
        while True:
            try:
                return await self._exchange(attempt)
            except (aiohttp.ClientError, asyncio.TimeoutError) as error:
                # The server may close a kept connection at any time; that is no failure of this request.
                if not (attempt.was_reused and isinstance(error, _LOST)):
                    raise _failure(error, self.timeout) from None
            attempt = _Attempt(body, is_second=True)

    async def close(self) -> None:
        """Close all connections that are kept."""
        if (session := self._sessions.pop(asyncio.get_running_loop(), None)) is not None:
            await session.aclose()

    async def _exchange(self, attempt: _Attempt) -> Reply:
        client = await self._client()
        _attempt.set(attempt)
        # The headers are not the session's, which would go to a proxy too. A redirect is not followed, so that no key
        # goes to another host.
        async with client.post(
            self._address,
            headers={**self._headers, "content-length": str(len(attempt.body))},
            allow_redirects=False,
            proxy=self._proxy,
            proxy_headers=self._proxy_headers,
        ) as response:
            # Compression is not requested; reading compressed replies would need a limit of its own.
            if response.headers.get("content-encoding", "identity").lower() != "identity":
                raise NoReply("sends a compressed reply, which was not asked for", again=False)
            parts, size = [], 0
            async for part in response.content.iter_any():
                parts.append(part)
                size += len(part)
                if size > LARGEST_REPLY:
                    raise NoReply("sends a reply that is larger than any that is expected", again=False)
            return Reply(response.status, response.headers, b"".join(parts))

    async def _client(self) -> aiohttp.ClientSession:
        loop = asyncio.get_running_loop()
        if loop not in self._sessions:
            self._sessions = {key: session for key, session in self._sessions.items() if not key.is_closed()}
            self._sessions[loop] = self._session()
        return await anext(self._sessions[loop])

    async def _session(self) -> AsyncGenerator[aiohttp.ClientSession, None]:
        """Yield one session for ever. A loop that ends closes its asynchronous generators, which closes the session."""
        security = ssl.create_default_context() if self._address.scheme == "https" else True
        async with aiohttp.ClientSession(
            connector=_SilentConnector(limit=0, ssl=security, resolver=aiohttp.ThreadedResolver()),
            timeout=self.timeout,
            cookie_jar=aiohttp.DummyCookieJar(),
            request_class=_Request,
            auto_decompress=False,
        ) as client:
            while True:
                yield client


@dataclass(slots=True)
class _Attempt:
    """One try to send a request: its body, and whether its connection was used before.

    The second try uses a new connection: if one kept connection was closed, the others usually were too.
    """

    body: bytes
    is_second: bool = False
    was_reused: bool = False


_attempt: ContextVar[_Attempt] = ContextVar("_attempt")
"""What aiohttp sends in this task, for the two classes below, which it calls."""


class _Request(aiohttp.ClientRequest):
    """Sends its body right behind its headers.

    aiohttp sends a body in a task, which before Python 3.12 waits until all replies that have arrived are graded.
    """

    async def send(self, conn: Connection) -> aiohttp.ClientResponse:
        """Send the request and return its response, which has not been read yet."""
        response = await super().send(conn)
        if conn.transport is not None:
            conn.transport.write(_attempt.get().body)
        return response


class _SilentConnector(aiohttp.TCPConnector):
    """Reuses a kept connection only if nothing has arrived on it since its last reply.

    aiohttp alone would treat such data as the reply to the next request.
    """

    async def connect(
        self, req: aiohttp.ClientRequest, traces: list[Trace], timeout: aiohttp.ClientTimeout
    ) -> Connection:
        """Return a connection that is new, or that was kept and silent."""
        attempt = _attempt.get()
        while True:
            try:
                connection = await super().connect(req, traces, timeout)
            except aiohttp.ServerDisconnectedError:
                # Nothing was sent to the server itself yet.
                raise NoReply("is behind a proxy that closed the connection", again=True) from None
            transport, protocol = connection.transport, connection.protocol
            if transport is not None and protocol is not None:
                if not isinstance(transport.get_protocol(), _Idle):
                    return connection
                if not attempt.is_second and not _is_readable(transport):
                    attempt.was_reused = True
                    transport.set_protocol(protocol)
                    return connection
            connection.close()

    def _release(self, key: ConnectionKey, protocol: ResponseHandler, *, should_close: bool = False) -> None:
        """Keep a connection, but do not reuse it at once: a server that sends a second reply usually does so soon."""
        transport = protocol.transport
        if transport is None or should_close or protocol.should_close:
            super()._release(key, protocol, should_close=True)
        else:
            transport.set_protocol(_Idle(transport, protocol))
            self._loop.call_later(REUSE_DELAY, super()._release, key, protocol)


class _Idle(asyncio.Protocol):
    """Replaces aiohttp's protocol while a connection is kept, and closes it when bytes arrive."""

    def __init__(self, transport: asyncio.Transport, protocol: asyncio.Protocol) -> None:
        self._transport = transport
        self.connection_lost = protocol.connection_lost  # type: ignore[method-assign]
        self.pause_writing = protocol.pause_writing  # type: ignore[method-assign]
        self.resume_writing = protocol.resume_writing  # type: ignore[method-assign]

    def data_received(self, data: bytes) -> None:  # noqa: ARG002 - any data is unexpected.
        """Close the connection."""
        self._transport.abort()


def _is_readable(transport: asyncio.Transport) -> bool:
    """Return whether the socket has bytes, or the end of the connection, that the event loop has not seen yet."""
    with DefaultSelector() as selector:
        selector.register(transport.get_extra_info("socket"), EVENT_READ)
        return bool(selector.select(0))


_FAILURES: tuple[tuple[type[BaseException], str, bool], ...] = (
    (aiohttp.ConnectionTimeoutError, "cannot be reached within {timeout.connect:g} s", True),
    (asyncio.TimeoutError, "gave no complete reply within {timeout.total:g} s", False),
    (
        ssl.SSLCertVerificationError,
        "has a certificate that is not trusted ({error.verify_message}); SSL_CERT_FILE names further ones",
        False,
    ),
    (ssl.SSLError, "does not use TLS as expected", False),
    (socket.gaierror, "cannot be resolved", False),
    (ConnectionRefusedError, "refuses connections", True),
    (aiohttp.ClientHttpProxyError, "is behind a proxy that answered with status {error.status}", False),
    (aiohttp.ClientResponseError, "does not use HTTP/1.1", False),
    (aiohttp.ClientConnectionError, "closed the connection before its reply was complete", True),
    (aiohttp.ClientPayloadError, "closed the connection before its reply was complete", True),
)
"""What goes wrong, the sentence about it, and whether a retry may help. The first that fits counts."""


def _failure(error: Exception, timeout: aiohttp.ClientTimeout) -> NoReply:
    """Return the error in words. For failed connections, the cause of aiohttp's error is more precise."""
    cause = error.__cause__ if isinstance(error, _NOT_CONNECTED) and error.__cause__ is not None else error
    for kind, reason, again in _FAILURES:
        if isinstance(cause, kind):
            is_temporary = isinstance(cause, socket.gaierror) and cause.errno == socket.EAI_AGAIN
            return NoReply(reason.format(error=cause, timeout=timeout), again=again or is_temporary)
    return NoReply(f"cannot be reached ({getattr(cause, 'strerror', None) or type(cause).__name__})", again=True)


def proxy_for(address: URL, environment: Mapping[str, str]) -> tuple[URL | None, dict[str, str]]:
    """Return the proxy on the way to an address, if any, and the header with its password. Raises CannotGrade."""
    named = {
        name.lower().removesuffix("_proxy"): value.strip()
        for name, value in sorted(environment.items())  # Lower case comes last, and wins as it does elsewhere.
        if name.lower().endswith("_proxy") and value.strip()
    }
    written = named.get(address.scheme) or named.get("all")
    if written is None or _is_direct(address, named.get("no", "")):
        return None, {}
    try:
        proxy = URL(written if "://" in written else f"http://{written}")
    except ValueError:
        proxy = URL()
    if proxy.scheme != "http" or not proxy.host:
        # The address may contain a password, so it is not quoted.
        raise CannotGrade(
            "The proxy in HTTPS_PROXY, HTTP_PROXY or ALL_PROXY is none that can be used; "
            "write it as http://HOST:PORT, or add the provider's host to NO_PROXY."
        )
    credentials = b64encode(f"{proxy.user}:{proxy.password or ''}".encode()).decode()
    return proxy.origin(), {} if proxy.user is None else {"proxy-authorization": f"Basic {credentials}"}


def _is_direct(address: URL, exceptions: str) -> bool:
    """Return whether NO_PROXY names a host: itself or a domain around it, with or without a port, or `*` for all."""
    host = (address.raw_host or "").lower()
    for exception in exceptions.lower().replace(" ", "").split(","):
        domain = exception.removesuffix(f":{address.port}").lstrip(".")
        if exception == "*" or (domain and (host == domain or host.endswith(f".{domain}"))):
            return True
    return False
