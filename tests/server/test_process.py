"""The process itself: its options, its end, and what it survives."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import time
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

import pytest
from editor import COMMAND, ENVIRONMENT, Editor, make_client
from raw_client import RawClient
from waiting import TIMEOUT

import rubric_core

if TYPE_CHECKING:
    from pathlib import Path

GARBAGE = (
    b"this is no header\r\n",
    b"Content-Length: 3\r\n\r\n{{{",
    b"Content-Length: 2\r\n\r\n[]",
    b"Content-Length: 4\r\n\r\nnull",
    b"Content-Length: 4\r\n\r\n\xff\xfe\xfd\xfc",
)

MESSAGES: tuple[dict[str, Any], ...] = (
    {"jsonrpc": "1.0", "method": "initialize"},
    {"jsonrpc": "2.0", "method": "$/nothing", "params": {"a": 1}},
    {"jsonrpc": "2.0", "id": 7, "result": None},
    {"jsonrpc": "2.0", "id": 8, "error": {"code": 1, "message": "?"}},
    {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 12345}},
    {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": 5}},
    {"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {}},
    {
        "jsonrpc": "2.0",
        "method": "textDocument/didChange",
        "params": {"textDocument": {"uri": "file:///nobody.yaml", "version": 1}, "contentChanges": [{"text": "x"}]},
    },
    {"jsonrpc": "2.0", "method": "textDocument/didClose", "params": {"textDocument": {"uri": "nobody"}}},
    {"jsonrpc": "2.0", "id": 9, "method": "textDocument/noSuchRequest", "params": {}},
    {"jsonrpc": "2.0", "id": 10, "method": "workspace/executeCommand", "params": {"command": "no.such"}},
    {"jsonrpc": "2.0", "id": 11, "method": "textDocument/codeAction", "params": {"range": "here"}},
)


def framed(message: object) -> bytes:
    """Return a message as it goes over the wire."""
    body = json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def run(*options: str, sent: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run the server until it ends."""
    return subprocess.run(
        [*COMMAND, *options], input=sent, capture_output=True, check=False, env=ENVIRONMENT, timeout=TIMEOUT
    )


def test_the_version_is_reported() -> None:
    """The version is the package's, and telling it starts no server."""
    done = run("--version")
    assert (done.returncode, done.stdout.decode()) == (0, f"rubric-lsp {rubric_core.__version__}\n")


def test_an_orderly_end_has_status_0() -> None:
    """The protocol asks for 0 after a shutdown."""
    start = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}, "processId": None}}
    end = ({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}, {"jsonrpc": "2.0", "method": "exit"})
    done = run("--stdio", sent=b"".join(map(framed, (start, *end))))
    assert done.returncode == 0
    assert done.stderr == b""
    assert b'"name": "rubric-lsp"' in done.stdout


@pytest.mark.parametrize("sent", [b"", framed({"jsonrpc": "2.0", "method": "exit"})])
def test_an_end_without_shutdown_has_status_1(sent: bytes) -> None:
    """An editor that died, or that says `exit` too early, is distinguished."""
    assert run(sent=sent).returncode == 1


@pytest.mark.slow
def test_a_log_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """The message says which file and why."""
    done = run("--log-file", str(tmp_path / "no" / "log"))
    assert done.returncode == 1
    assert b"cannot be written: No such file or directory." in done.stderr


@pytest.mark.slow
def test_the_import_is_light() -> None:
    """What the server does not need to answer an editor is not loaded."""
    heavy = "import rubric_server.app, sys; print(sorted({'httpx', 'pydantic', 'rich', 'click'} & set(sys.modules)))"
    done = subprocess.run([COMMAND[0], "-c", heavy], capture_output=True, check=True, env=ENVIRONMENT, timeout=TIMEOUT)
    assert done.stdout.strip() == b"[]"


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="sends a signal")
def test_an_interrupt_ends_it() -> None:
    """Whoever started it in a terminal gets the prompt back, without a traceback."""
    start = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(framed(start))
        process.stdin.flush()
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(TIMEOUT) == 1
        assert process.stderr is not None
        assert process.stderr.read() == b""


JUDGED_BY_CODE = """\
evalcases:
  - id: slow
    expected_outcome: It is judged by a program that takes long
    input: Say hi
    evaluators: [{name: sleeps, type: code_judge, script: [sh, judge.sh]}]
"""


def is_running(process: int) -> bool:
    """Return whether a process runs; one that has ended may wait for its parent to look at it."""
    command = ["/bin/ps", "-o", "stat=", "-p", str(process)]
    listed = subprocess.run(command, capture_output=True, check=False, timeout=TIMEOUT)
    return listed.stdout.strip()[:1] not in (b"", b"Z")


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="sends a signal")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_the_children_of_a_code_judge(tmp_path: Path, number: int) -> None:
    """Nothing that the server started goes on when it is asked to end; its status says that the end was early."""
    file, child = tmp_path / "a.eval.yaml", tmp_path / "child"
    file.write_text(JUDGED_BY_CODE, encoding="utf-8")
    (tmp_path / "judge.sh").write_text("sleep 300 &\necho $! > child.new\nmv child.new child\nwait\n", encoding="utf-8")
    with closing(RawClient.start(COMMAND, ENVIRONMENT)) as client:
        assert client.process is not None
        client.initialize({}, rootUri=tmp_path.as_uri())
        client.open(file.as_uri(), JUDGED_BY_CODE)
        argument = {"uri": file.as_uri(), "caseId": "slow", "answer": "Hi"}
        client.request("workspace/executeCommand", {"command": "rubric.gradeCase", "arguments": [argument]})
        deadline = time.monotonic() + TIMEOUT
        while not child.exists() and time.monotonic() < deadline:
            client.listen(0.1)
        sleeping = int(child.read_text("ascii"))
        try:
            assert is_running(sleeping)
            client.process.send_signal(number)
            assert client.wait_for_end() == 1
            assert not is_running(sleeping)
        finally:
            with suppress(ProcessLookupError):
                os.kill(sleeping, signal.SIGKILL)


@pytest.mark.slow
@pytest.mark.asyncio
async def test_garbage_does_not_end_it(tmp_path: Path, inverted: str) -> None:
    """Whatever a client sends, in any order, the next sound message is answered; the log says what was wrong."""
    log = tmp_path / "server.log"
    client = make_client()
    await client.start_io(*COMMAND, "--log-file", str(log), env=ENVIRONMENT)
    window = Editor(client, tmp_path)
    for sent in (*GARBAGE, *map(framed, MESSAGES)):
        client.protocol.writer.write(sent)
    await window.initialize()
    for sent in (*GARBAGE, *map(framed, MESSAGES)):
        client.protocol.writer.write(sent)
    published = await window.open(inverted)
    assert [found.code for found in published.diagnostics] == ["RB104"]
    await client.shutdown_session()
    await client.stop()
    assert "textDocument/didOpen was ignored: `params.textDocument` must be an object." in log.read_text("utf-8")


@pytest.mark.slow
def test_a_request_that_cannot_be_read_is_answered() -> None:
    """An editor that sends a wrong parameter gets an error, not silence."""
    start = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
    wrong = {"jsonrpc": "2.0", "id": "one", "method": "textDocument/codeAction", "params": {"range": "here"}}
    answer = json.loads(run(sent=framed(start) + framed(wrong)).stdout.rpartition(b"\r\n\r\n")[2])
    assert answer["id"] == "one"
    assert answer["error"] == {"code": -32602, "message": "`params.textDocument` is missing."}


@pytest.mark.slow
@pytest.mark.asyncio
async def test_a_burst_over_tcp_ends_with_the_last_version(tmp_path: Path, inverted: str) -> None:
    """Versions are published in their order, none twice, and what is left on the screen is the last one's."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    server = await asyncio.create_subprocess_exec(*COMMAND, "--tcp", str(port), env=ENVIRONMENT)
    client = make_client()
    for _ in range(int(TIMEOUT * 10)):
        try:
            await client.start_tcp("127.0.0.1", port)
            break
        except OSError:
            await asyncio.sleep(0.1)
    window = Editor(client, tmp_path)
    await window.initialize()
    window.send_open(inverted, "a.eval.yaml")
    for number in range(50):
        window.send_change("Hello", f"Hello {number}")
    window.send_change("[5, 0]", "[0, 5]")
    versions = []
    while not versions or versions[-1] != 52:
        published = await window.next_published()
        versions.append(published.version)
    assert versions == sorted(set(versions))
    assert not published.diagnostics
    await client.shutdown_async(None)
    client.exit(None)
    assert await asyncio.wait_for(server.wait(), TIMEOUT) == 0
    await client.stop()
