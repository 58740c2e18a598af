"""aimock in tests: a process that answers by script, over the real protocol of each provider."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import urllib.request
from collections import deque
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING, Any

from hosts import AIMOCK, do_without, host_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

KEY = "sk-aimock-key-0815"
"""The only key that the server takes, in the header that each protocol has for it."""


class Aimock:
    """A server that is running."""

    def __init__(self, url: str) -> None:
        self.url = url

    def script(self, *fixtures: dict[str, Any]) -> None:
        """Forget everything, and answer by these fixtures from now on: the first that matches counts."""
        self._control("reset", method="POST")
        self._control("fixtures", method="POST", body={"fixtures": list(fixtures)})

    def answer(self, *responses: dict[str, Any], **fixture: Any) -> None:
        """Answer the requests that come one after the other, whatever they say; the last response goes on for ever."""
        steps = [{"match": {"sequenceIndex": index}, "response": each} for index, each in enumerate(responses[:-1])]
        self.script(*steps, {"match": {}, "response": responses[-1], **fixture})

    def requests(self) -> list[dict[str, Any]]:
        """Return the requests since the last script: path, headers (without secrets), body as one common form."""
        entries: list[dict[str, Any]] = self._control("journal")
        return entries

    def _control(self, path: str, method: str = "GET", body: Any = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        headers = {"authorization": f"Bearer {KEY}", "content-type": "application/json"}
        request = urllib.request.Request(f"{self.url}/__aimock/{path}", data, headers, method=method)  # noqa: S310 - ours.
        with urllib.request.urlopen(request, timeout=30) as reply:  # noqa: S310 - the same.
            return json.load(reply)


@contextmanager
def running_aimock(folder: Path) -> Iterator[Aimock]:
    """Start the server, and end it."""
    node = shutil.which("node")
    program = host_folder(AIMOCK) / AIMOCK.sign
    if node is None:
        do_without("Node.js is not installed, so aimock cannot run")
    start = folder / "start.json"
    start.write_text('{"fixtures": [{"match": {"userMessage": "ping"}, "response": {"content": "pong"}}]}')
    environment = {**os.environ, "AIMOCK_API_KEYS": KEY}
    command = [node, str(program), "-p", "0", "-f", str(start)]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as server:
        try:
            address = _address(server)
            # What it goes on to say is read, or it would have to stop one day.
            Thread(target=deque, args=(server.stdout, 0), daemon=True).start()
            yield Aimock(address)
        finally:
            server.kill()


def _address(server: subprocess.Popen[str]) -> str:
    assert server.stdout is not None
    said = ""
    for line in server.stdout:
        said += line
        if found := re.search(r"http://127\.0\.0\.1:\d+", line):
            return found[0]
    raise AssertionError(f"aimock does not start: {said}")
