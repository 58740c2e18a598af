"""The way to a server: encrypted, and through the proxies that the environment names."""

from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
import subprocess
from base64 import b64encode
from typing import TYPE_CHECKING

import pytest
from model_calls import KEY, QUESTION, cancel_call, chat_reply, failure_of, provider_at
from scripted_server import ScriptedServer, answer, hang, raw, tunnel
from yarl import URL

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.providers.connections import REUSE_DELAY, proxy_for, read_address

if TYPE_CHECKING:
    from pathlib import Path

GOOD = answer(chat_reply("good"))


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a certificate for this machine, signed by itself, and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("openssl is not installed, so there is no certificate to try with")
    folder = tmp_path_factory.mktemp("certificate")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    command = [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    subprocess.run([*command, *names, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


@pytest.fixture
def security(certificate: tuple[Path, Path]) -> ssl.SSLContext:
    """Return what a server needs to speak TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    return context


@pytest.fixture
def trusted(certificate: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the certificate be trusted, as its user would."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))


@pytest.mark.asyncio
@pytest.mark.usefixtures("trusted")
async def test_a_server_with_a_trusted_certificate_answers(security: ssl.SSLContext) -> None:
    """SSL_CERT_FILE counts, and the connection is kept."""
    async with ScriptedServer(GOOD, security=security) as server, provider_at(server.url) as provider:
        for _ in range(2):
            assert (await provider.complete(QUESTION)).text == "good"
            await asyncio.sleep(REUSE_DELAY * 1.1)
    assert server.connections == 1


@pytest.mark.asyncio
async def test_a_certificate_that_nobody_trusts_is_reported_and_gets_no_request(security: ssl.SSLContext) -> None:
    """The key is sent to nobody else."""
    async with ScriptedServer(GOOD, security=security) as server, provider_at(server.url) as provider:
        failure = await failure_of(provider)
    assert "has a certificate that is not trusted (self-signed certificate); SSL_CERT_FILE" in failure.reason
    assert not server.requests


@pytest.mark.asyncio
@pytest.mark.usefixtures("trusted")
async def test_cancelling_closes_an_encrypted_connection(security: ssl.SSLContext) -> None:
    """The server sees it, though there is no reply to end."""
    seen, closed = asyncio.Event(), asyncio.Event()
    async with (
        ScriptedServer(hang(seen, closed), security=security) as server,
        provider_at(server.url) as provider,
    ):
        await cancel_call(provider, seen, closed)


@pytest.mark.asyncio
async def test_a_server_without_tls_is_reported() -> None:
    """An address with https for a server that speaks http."""

    async def complain(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(complain, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        async with provider_at(f"https://127.0.0.1:{port}") as provider:
            failure = await failure_of(provider)
    assert "does not use TLS as expected." in failure.reason


@pytest.mark.asyncio
async def test_a_proxy_passes_plain_requests_on() -> None:
    """It is given the whole address, and who asks."""
    async with (
        ScriptedServer(GOOD) as proxy,
        provider_at(
            "http://models.example:8080", environment={"HTTP_PROXY": f"http://me:p%40ss@127.0.0.1:{proxy.port}"}
        ) as provider,
    ):
        assert (await provider.complete(QUESTION)).text == "good"
    request = proxy.requests[0]
    assert request.line == "POST http://models.example:8080/v1/chat/completions HTTP/1.1"
    assert request.headers["host"] == "models.example:8080"
    assert request.headers["proxy-authorization"] == "Basic bWU6cEBzcw=="


@pytest.mark.asyncio
@pytest.mark.usefixtures("trusted")
async def test_a_proxy_carries_encrypted_requests(security: ssl.SSLContext) -> None:
    """It sees where they go and nothing of what is in them, least of all the key."""
    async with (
        ScriptedServer(GOOD, security=security) as server,
        ScriptedServer(tunnel()) as proxy,
        provider_at(server.url, environment={"https_proxy": f"http://me:pass@127.0.0.1:{proxy.port}"}) as provider,
    ):
        assert (await provider.complete(QUESTION)).text == "good"
    assert proxy.requests[0].line == f"CONNECT 127.0.0.1:{server.port} HTTP/1.1"
    assert set(proxy.requests[0].headers) == {"host", "proxy-authorization", "accept", "accept-encoding", "user-agent"}
    assert proxy.requests[0].headers["proxy-authorization"] == "Basic bWU6cGFzcw=="
    assert "proxy-authorization" not in server.requests[0].headers
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("step", "reason"),
    [
        (answer({}, 407), "is behind a proxy that answered with status 407."),
        (raw(b""), "is behind a proxy that closed the connection (2 times)."),
        (raw(b"HTTP/1.1 200 OK\r\n\r\n"), "cannot be reached"),
    ],
    ids=["refuses", "closes", "closes after its consent"],
)
async def test_a_proxy_that_does_not_help_is_reported(step: object, reason: str) -> None:
    """It is named as what it is."""
    async with (
        ScriptedServer(step) as proxy,  # type: ignore[arg-type]
        provider_at(
            "https://models.example", environment={"ALL_PROXY": f"127.0.0.1:{proxy.port}"}, max_retries=1
        ) as provider,
    ):
        failure = await failure_of(provider)
    assert reason in failure.reason


@pytest.mark.asyncio
async def test_a_proxy_that_is_not_there_is_reported() -> None:
    """As a server that is not there would be."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {"HTTPS_PROXY": f"http://localhost:{port}"}
    async with provider_at("https://models.example", environment=environment, max_retries=0) as provider:
        assert "refuses connections." in (await failure_of(provider)).reason


@pytest.mark.asyncio
async def test_a_proxy_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the attempt is left open."""

    async def never(*_place: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(asyncio.get_running_loop(), "sock_connect", never)
    environment = {"HTTPS_PROXY": "http://127.0.0.1:9"}
    async with provider_at(
        "https://models.example", environment=environment, connect_timeout=0.3, max_retries=0
    ) as provider:
        assert "cannot be reached within 0.3 s." in (await failure_of(provider)).reason


@pytest.mark.parametrize(
    ("url", "authority"),
    [
        ("http://a.example/v1", "a.example"),
        ("https://a.example:443", "a.example"),
        ("https://a.example:8443", "a.example:8443"),
        ("https://[::1]/v1?x=1", "[::1]"),
        ("http://[::1]:8080", "[::1]:8080"),
        ("https://bücher.example", "xn--bcher-kva.example"),
    ],
)
def test_an_address_is_written_as_http_wants_it(url: str, authority: str) -> None:
    """Also with numbers of version 6, and with letters that names of hosts cannot have."""
    assert read_address(url).host_port_subcomponent == authority


PROXY = "http://proxy.example:3128"


@pytest.mark.parametrize(
    ("scheme", "environment", "expected"),
    [
        ("https", {}, None),
        ("https", {"HTTPS_PROXY": "http://proxy.example:3128"}, PROXY),
        ("https", {"https_proxy": "proxy.example:3128"}, PROXY),
        ("https", {"HTTP_PROXY": "http://proxy.example:3128"}, None),
        ("http", {"HTTP_PROXY": "http://proxy.example:3128"}, PROXY),
        ("http", {"ALL_PROXY": "http://proxy.example:3128"}, PROXY),
        ("https", {"HTTPS_PROXY": "http://other:1", "https_proxy": "http://proxy.example:3128"}, PROXY),
        ("https", {"HTTPS_PROXY": "http://proxy.example"}, "http://proxy.example"),
        ("https", {"HTTPS_PROXY": "  "}, None),
        ("https", {"HTTPS_PROXY": "http://proxy.example:3128", "NO_PROXY": "*"}, None),
        ("https", {"HTTPS_PROXY": "http://proxy.example:3128", "NO_PROXY": "localhost, api.models.example"}, None),
        ("https", {"HTTPS_PROXY": "http://proxy.example:3128", "NO_PROXY": ".models.example"}, None),
        ("https", {"HTTPS_PROXY": "http://proxy.example:3128", "no_proxy": "MODELS.example"}, None),
        ("https", {"HTTPS_PROXY": "http://proxy.example:3128", "NO_PROXY": "api.models.example:443"}, None),
        ("https", {"HTTPS_PROXY": "http://proxy.example:3128", "NO_PROXY": "api.models.example:444"}, PROXY),
        ("https", {"HTTPS_PROXY": "http://proxy.example:3128", "NO_PROXY": "els.example,,"}, PROXY),
    ],
)
def test_the_environment_names_the_proxy(scheme: str, environment: dict[str, str], expected: str | None) -> None:
    """By the variables that other programs read."""
    proxy, headers = proxy_for(URL(f"{scheme}://API.models.example:443"), environment)
    assert (proxy and str(proxy), headers) == (expected, {})


@pytest.mark.parametrize("url", ["socks5://proxy.example:1080", "https://proxy.example", "http://", "http://a:port"])
def test_a_proxy_that_cannot_be_used_is_reported(url: str) -> None:
    """Going there directly would be against the user's will."""
    with pytest.raises(CannotGrade, match="write it as http://HOST:PORT"):
        proxy_for(URL("https://api.models.example"), {"HTTPS_PROXY": url})


def test_a_password_of_a_proxy_is_not_shown() -> None:
    """It goes into a header, decoded as it was meant, and the address is printed without it."""
    environment = {"HTTP_PROXY": "http://me:p%C3%A4ss@proxy.example"}
    proxy, headers = proxy_for(URL("http://a.example"), environment)
    assert str(proxy) == "http://proxy.example"
    assert headers == {"proxy-authorization": f"Basic {b64encode('me:päss'.encode()).decode()}"}
