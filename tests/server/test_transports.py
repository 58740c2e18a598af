"""The ways to reach the server besides standard input and output."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING

import pytest
from editor import COMMAND, ENVIRONMENT
from raw_client import RawClient, framed
from waiting import TIMEOUT
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.slow  # Each of these starts a server.

INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
END = ({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}, {"jsonrpc": "2.0", "method": "exit"})


@pytest.fixture
def port() -> int:
    """Give a port that nobody uses."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number: int = taken.getsockname()[1]
    return number


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Give what starts a server; all are gone in the end."""
    started: list[subprocess.Popen[bytes]] = []

    def start_one(*options: str) -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen([*COMMAND, *options], env=ENVIRONMENT, stderr=subprocess.PIPE))
        return started[-1]

    yield start_one
    for process in started:
        process.kill()
        process.communicate()


def reached(port: int) -> socket.socket:
    """Return a connection to the server, once it listens."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        with suppress(OSError):
            return socket.create_connection(("127.0.0.1", port))
        time.sleep(0.05)
    pytest.fail("The server does not listen.")


def test_a_web_socket_carries_the_protocol(
    port: int, start: Callable[..., subprocess.Popen[bytes]], inverted: str
) -> None:
    """Each message is one frame of text, and an orderly end ends the process with 0."""
    process = start("--ws", str(port))
    with connect(f"ws://127.0.0.1:{port}", sock=reached(port)) as connection:
        connection.send(json.dumps(INITIALIZE))
        assert json.loads(connection.recv())["result"]["serverInfo"]["name"] == "rubric-lsp"
        item = {"uri": "file:///nowhere/ä.eval.yaml", "languageId": "yaml", "version": 1, "text": inverted + "# 🎉\n"}
        message = {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": item}}
        connection.send(json.dumps(message, ensure_ascii=False))
        published = json.loads(connection.recv())["params"]
        assert [found["code"] for found in published["diagnostics"]] == ["RB104"]
        for message in END:
            connection.send(json.dumps(message))
        # What was published early may be published again when all is read.
        received = map(json.loads, connection)
        assert next(each for each in received if "id" in each) == {"jsonrpc": "2.0", "id": 2, "result": None}
    assert process.wait(TIMEOUT) == 0


@pytest.mark.parametrize("option", ["--tcp", "--ws"])
def test_a_client_that_goes_away_ends_the_server(
    option: str, port: int, start: Callable[..., subprocess.Popen[bytes]]
) -> None:
    """Nobody else will come; no process is left behind."""
    process = start(option, str(port))
    with reached(port) as line:
        if option == "--ws":
            with connect(f"ws://127.0.0.1:{port}", sock=line):
                pass
    assert process.wait(TIMEOUT) == 1


@pytest.mark.parametrize("option", ["--tcp", "--ws"])
def test_a_port_that_is_taken_is_reported(option: str, start: Callable[..., subprocess.Popen[bytes]]) -> None:
    """The message says so in one line."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process = start(option, str(taken.getsockname()[1]))
        _, told = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 1
    assert told.decode().startswith("rubric-lsp: the port cannot be used:")
    assert b"Traceback" not in told


def test_a_second_client_is_refused_over_tcp(port: int, start: Callable[..., subprocess.Popen[bytes]]) -> None:
    """The first one goes on as if nothing had been."""
    process = start("--tcp", str(port))
    with reached(port) as line:
        with pytest.raises(ConnectionRefusedError):
            until_refused(port)
        with line.makefile("rwb") as stream:
            stream.write(framed(INITIALIZE) + b"".join(map(framed, END)))
            stream.flush()
            assert b'"rubric-lsp"' in stream.read()
    assert process.wait(TIMEOUT) == 0


def until_refused(port: int) -> None:
    """Connect until somebody refuses: a connection may still wait to be accepted."""
    for _ in range(100):
        socket.create_connection(("127.0.0.1", port)).close()
        time.sleep(0.05)


def test_a_second_client_is_refused_over_a_web_socket(port: int, start: Callable[..., subprocess.Popen[bytes]]) -> None:
    """The first one goes on as if nothing had been."""
    process = start("--ws", str(port))
    with connect(f"ws://127.0.0.1:{port}", sock=reached(port)) as connection:
        connection.send(json.dumps(INITIALIZE))
        connection.recv()
        with pytest.raises(InvalidStatus) as refusal, connect(f"ws://127.0.0.1:{port}"):
            pass
        assert refusal.value.response.status_code == 503
        for message in END:
            connection.send(json.dumps(message))
        assert json.loads(connection.recv())["id"] == 2
    assert process.wait(TIMEOUT) == 0


def test_a_web_page_is_refused_unless_its_origin_is_allowed(
    port: int, start: Callable[..., subprocess.Popen[bytes]]
) -> None:
    """A page that is open in a browser must not be able to order a grade; whoever refused it waits for the next."""
    start("--ws", str(port), "--allow-origin", "https://editor.example")
    reached(port).close()
    for origin in ("https://evil.example", "null", "http://editor.example"):
        with pytest.raises(InvalidStatus) as refusal, connect(f"ws://127.0.0.1:{port}", origin=origin):
            pass
        assert refusal.value.response.status_code == 403
    with connect(f"ws://127.0.0.1:{port}", origin="https://editor.example") as connection:
        connection.send(json.dumps(INITIALIZE))
        assert json.loads(connection.recv())["id"] == 1


def connected(option: str, port: int, start: Callable[..., subprocess.Popen[bytes]]) -> RawClient:
    """Return a client of a server that is reached in one of two ways."""
    if option == "--stdio":
        return RawClient.start(COMMAND, ENVIRONMENT)
    start("--tcp", str(port))
    with reached(port) as line:
        return RawClient(line.makefile("rb"), line.makefile("wb"))


@pytest.mark.parametrize("option", ["--stdio", "--tcp", "--ws"])
def test_a_message_may_be_as_long_as_the_largest_file(
    option: str, port: int, start: Callable[..., subprocess.Popen[bytes]], inverted: str
) -> None:
    """Files up to 64 MB are checked, so they must get here in one piece."""
    remark = "# A remark that is of no use to anybody at all.\n"
    text = remark * (63_000_000 // len(remark)) + inverted
    item = {"uri": "file:///nowhere/a.eval.yaml", "languageId": "yaml", "version": 1, "text": text}
    opening = {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": item}}
    if option == "--ws":
        start("--ws", str(port))
        with connect(f"ws://127.0.0.1:{port}", sock=reached(port), max_size=None) as connection:
            connection.send(json.dumps(INITIALIZE))
            connection.recv()
            connection.send(json.dumps(opening))
            found = json.loads(connection.recv(TIMEOUT))["params"]["diagnostics"]
    else:
        with closing(connected(option, port, start)) as client:
            client.initialize({})
            client.send(opening)
            found = client.take("textDocument/publishDiagnostics").params["diagnostics"]
            client.ask("shutdown")
            client.notify("exit")
    assert [each["code"] for each in found] == ["RB104"]
