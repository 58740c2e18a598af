"""One file open in one language server, and what is timed there."""

from __future__ import annotations

import resource
import sys
import time
from collections import Counter
from pathlib import Path
from subprocess import run
from typing import TYPE_CHECKING, Any, NamedTuple

# The tests speak to the server through the same client.
sys.path += [str(Path(__file__).resolve().parents[1] / "tests" / "support" / name) for name in ("clients", "projects")]

from raw_client import RawClient

if TYPE_CHECKING:
    from lsp_servers import Server

PUBLISH = "textDocument/publishDiagnostics"
_PATIENCE = 300.0
_NEIGHBOURS = 5
_EDITED = "    expected_outcome: "
_INSERTED = "    # A line that somebody has just written."
_HALF_TYPED = "    ev"
_MEGABYTE = 1 << 20

PUSH: dict[str, Any] = {
    "workspace": {"configuration": True},
    "textDocument": {
        "publishDiagnostics": {"relatedInformation": True, "versionSupport": True},
        "completion": {"completionItem": {"snippetSupport": True, "documentationFormat": ["markdown"]}},
        "hover": {"contentFormat": ["markdown"]},
    },
}
"""What a client can do that has diagnostics sent to it."""

PULL: dict[str, Any] = {**PUSH, "textDocument": {**PUSH["textDocument"], "diagnostic": {}}}
"""What a client can do that asks for diagnostics."""


class Opening(NamedTuple):
    """Seconds from opening a file to the first diagnostics and to all, and how many these are."""

    first: float
    complete: float
    problems: int


class Busy(NamedTuple):
    """Seconds that things took while a file was read: diagnostics after a letter, a hover, a cancelled request."""

    edits: list[float]
    hovers: list[float]
    cancels: list[float]


class Session:
    """A process with one file."""

    def __init__(self, server: Server, path: Path, capabilities: dict[str, Any] = PUSH) -> None:
        self.server = server
        self.uri = path.as_uri()
        self.version = 1
        self.problems = 0
        # The answers that were an error or empty; their times count, but the reader must know.
        self.refusals: Counter[str] = Counter()
        self._lines = path.read_text(encoding="utf-8").split("\n")
        begin = time.perf_counter()
        self.client = RawClient.start(server.command)
        self.client.replies["workspace/configuration"] = server.configuration
        number = self.client.request(
            "initialize", {"processId": None, "rootUri": path.parent.as_uri(), "capabilities": capabilities}
        )
        answer = self.client.answer(number)
        self.start = answer.arrived - begin
        self.provides: dict[str, Any] = answer.message["result"]["capabilities"]
        self.client.notify("initialized", {})
        if server.settings:
            # It reads its settings now; a file that is opened before that is looked at twice.
            while not self.client.requests:
                self.client.listen(0.05)
            self.client.listen(0.3)

    def close(self) -> None:
        """End the process."""
        self.client.close()

    # Opening

    def open(self, expected: int | None = None) -> Opening:
        """Open the file; all diagnostics are there with the first list that has the expected number."""
        begin = self.client.open(self.uri, "\n".join(self._lines))
        incoming = self.client.take(PUBLISH, self._is_ours, _PATIENCE)
        first = incoming.arrived - begin
        while expected is not None and len(incoming.params["diagnostics"]) != expected:
            incoming = self.client.take(PUBLISH, self._is_ours, _PATIENCE)
        self.problems = len(incoming.params["diagnostics"])
        delay = self.server.delay
        return Opening(first - delay, incoming.arrived - begin - delay, self.problems)

    def open_pulled(self) -> Opening:
        """Open the file and ask for its diagnostics."""
        begin = self.client.open(self.uri, "\n".join(self._lines))
        arrived = self._pull()
        return Opening(arrived - begin, arrived - begin, self.problems)

    def use_while_opening(self, turns: int) -> Busy:
        """Open the file and, while it is still read, type, hover and cancel in turn; return how long each took."""
        self.client.open(self.uri, "\n".join(self._lines))
        found = Busy([], [], [])
        for turn in range(turns):
            begin = self._type(turn)
            edited = self.client.take(PUBLISH, lambda params: params.get("version") == self.version, _PATIENCE)
            found.edits.append(edited.arrived - begin)
            begin = time.perf_counter()
            found.hovers.append(self._answered("textDocument/hover", self._spot(turn), len(_EDITED) - 4, begin))
            number = self.client.request("textDocument/documentSymbol", {"textDocument": {"uri": self.uri}})
            begin = self.client.notify("$/cancelRequest", {"id": number})
            answer = self.client.answer(number, _PATIENCE)
            if "error" in answer.message:
                found.cancels.append(answer.arrived - begin)
        return found

    def _is_ours(self, params: Any) -> bool:
        return bool(params["uri"] == self.uri)

    def _is_complete(self, params: Any) -> bool:
        """Tell whether a list is that of the text as it is now; the peer sends no version, but as many problems."""
        is_now = params.get("version", self.version) == self.version
        return self._is_ours(params) and is_now and len(params["diagnostics"]) == self.problems

    # Editing

    def type_letter(self, turn: int) -> float:
        """Type a letter at the end of a line, wait for the diagnostics and return how long that took."""
        return self._settled(self._type(turn)) - self.server.delay

    def insert_line(self, turn: int) -> float:
        """Insert a line, wait for the diagnostics and return how long that took."""
        line = self._spot(turn) + 1
        return self._settled(self._replace(line, 0, 0, _INSERTED + "\n")) - self.server.delay

    def complete(self, turn: int) -> float:
        """Begin a key on a new line and return how long its completion took."""
        line = self._spot(turn) + 1
        begin = self._replace(line, 0, 0, _HALF_TYPED + "\n")
        seconds = self._answered("textDocument/completion", line, len(_HALF_TYPED), begin)
        self._settled(self._remove(line))
        return seconds

    def hover(self, turn: int) -> float:
        """Type a letter and return how long the hover on that line's key took."""
        begin = self._type(turn)
        seconds = self._answered("textDocument/hover", self._spot(turn), len(_EDITED) - 4, begin)
        self._settled(begin)
        return seconds

    def type_letter_pulled(self, turn: int) -> float:
        """Type a letter, ask for the diagnostics and return how long both took."""
        begin = self._type(turn)
        return self._pull() - begin

    def _spot(self, turn: int) -> int:
        """Return a line with plain text to edit: one of five that are near each other in the middle of the file."""
        line = len(self._lines) // 2
        found: list[int] = []
        while len(found) <= turn % _NEIGHBOURS and line < len(self._lines):
            if self._lines[line].startswith(_EDITED) and self._lines[line][len(_EDITED)].isalpha():
                found.append(line)
            line += 1
        return found[-1]

    def _type(self, turn: int) -> float:
        line = self._spot(turn)
        end = len(self._lines[line])
        return self._replace(line, end, end, "aeiou"[turn % 5])

    def _remove(self, line: int) -> float:
        self.version += 1
        del self._lines[line]
        return self._send({"line": line, "character": 0}, {"line": line + 1, "character": 0}, "")

    def _replace(self, line: int, start: int, end: int, new: str) -> float:
        """Replace a part of a line and return when that was sent."""
        self.version += 1
        text = self._lines[line]
        self._lines[line : line + 1] = (text[:start] + new + text[end:]).split("\n")
        return self._send({"line": line, "character": start}, {"line": line, "character": end}, new)

    def _send(self, start: dict[str, int], end: dict[str, int], new: str) -> float:
        return self.client.change(self.uri, self.version, {"range": {"start": start, "end": end}, "text": new})

    # Waiting

    def _settled(self, begin: float) -> float:
        return self.client.take(PUBLISH, self._is_complete, _PATIENCE).arrived - begin

    def _answered(self, method: str, line: int, character: int, begin: float) -> float:
        position = {"line": line, "character": character}
        number = self.client.request(method, {"textDocument": {"uri": self.uri}, "position": position})
        answer = self.client.answer(number, _PATIENCE)
        if not answer.message.get("result"):
            said = answer.message.get("error", {}).get("message", "nothing")
            self.refusals[f"{method}: {said}"] += 1
        return answer.arrived - begin

    def _pull(self) -> float:
        number = self.client.request("textDocument/diagnostic", {"textDocument": {"uri": self.uri}})
        answer = self.client.answer(number, _PATIENCE)
        self.problems = len(answer.message["result"]["items"])
        return answer.arrived

    # Memory

    def megabytes(self) -> float:
        """Return the memory that the process holds now."""
        process = self.client.process
        number = process.pid if process is not None else 0
        pages = Path(f"/proc/{number}/statm")
        if pages.exists():
            return int(pages.read_text().split()[1]) * resource.getpagesize() / _MEGABYTE
        told = run(["ps", "-o", "rss=", "-p", str(number)], check=True, capture_output=True, text=True)  # noqa: S607
        return int(told.stdout) * 1024 / _MEGABYTE


def start_seconds(server: Server, folder: Path) -> float:
    """Return the seconds from the start of a process to its answer to `initialize`."""
    path = folder / "empty.eval.yaml"
    path.touch()
    session = Session(server, path)
    session.close()
    return session.start
