"""The ways to reach the server besides standard input and output."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from editor import COMMAND, ENVIRONMENT, PATIENCE
from websockets.sync.client import connect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
    end = time.monotonic() + PATIENCE
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
        assert json.loads(connection.recv()) == {"jsonrpc": "2.0", "id": 2, "result": None}
    assert process.wait(PATIENCE) == 0


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
    assert process.wait(PATIENCE) == 1


@pytest.mark.parametrize("option", ["--tcp", "--ws"])
def test_a_port_that_is_taken_is_told(option: str, start: Callable[..., subprocess.Popen[bytes]]) -> None:
    """The message says so in one line."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process = start(option, str(taken.getsockname()[1]))
        _, told = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert told.decode().startswith("rubric-lsp: the port cannot be used:")
    assert b"Traceback" not in told
