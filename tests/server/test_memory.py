"""The memory of the server's process: opening, using, editing and closing a file again and again does not add to it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.suites import make_suite

if TYPE_CHECKING:
    from raw_client import RawClient

pytestmark = [
    pytest.mark.slow,  # Each of these takes longer than the quick run has.
    pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads the memory of a process in /proc"),
]

CYCLES = 40
SETTLED = 10
"""The cycle after which everything has been imported and all tables of a fixed size are filled."""
MOST_GROWTH = 1.2
CASES, PROBLEMS = 65, 60  # A file of 138 KB.
EDITS = 3
PUBLISH = "textDocument/publishDiagnostics"
WAYS: dict[str, dict[str, Any]] = {
    "pushed": {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}},
    "pulled": {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}},
}


class Session:
    """An editor with one file open."""

    def __init__(self, client: RawClient, uri: str, text: str, *, pulls: bool) -> None:
        self.client = client
        self.uri = uri
        self.lines = text.split("\n")
        self.pulls = pulls
        client.open(uri, text)

    def ask(self, method: str, **params: object) -> Any:
        """Ask for something about the document."""
        return self.client.ask(f"textDocument/{method}", {"textDocument": {"uri": self.uri}, **params})

    def problems(self, version: int) -> list[dict[str, Any]]:
        """Return the problems as the editor gets to know them."""
        if self.pulls:
            items: list[dict[str, Any]] = self.ask("diagnostic")["items"]
            return items

        def is_latest(params: Any) -> bool:
            return bool(params["uri"] == self.uri and params.get("version") in {None, version})

        published: list[dict[str, Any]] = self.client.take(PUBLISH, is_latest).params["diagnostics"]
        return published

    def use(self, version: int) -> None:
        """Ask for all that editors ask for by themselves, and for what a person asks for at some places."""
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": len(self.lines), "character": 0}}
        for method in ("documentSymbol", "codeLens", "foldingRange", "documentLink"):
            self.ask(method)
        self.ask("inlayHint", range=whole)
        for problem in self.problems(version)[:5]:
            self.ask("codeAction", range=problem["range"], context={"diagnostics": [problem]})
        for place in range(1, 4):
            position = {"line": place * len(self.lines) // 5, "character": 6}
            for method in ("hover", "completion", "documentHighlight", "definition"):
                self.ask(method, position=position)
            self.ask("selectionRange", positions=[position])

    def edit(self, version: int) -> None:
        """Type a word at the end of a line."""
        line = (version - 1) * len(self.lines) // (EDITS + 2)
        place = {"line": line, "character": len(self.lines[line])}
        self.client.change(self.uri, version, {"range": {"start": place, "end": place}, "text": " more"})

    def close(self) -> None:
        """Close the document, and wait until the server has seen it."""
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})
        self.ask("hover", position={"line": 0, "character": 0})
        self.client.notifications.clear()
        self.client.requests.clear()


def resident_megabytes(client: RawClient) -> float:
    """Return how much memory the process of the server holds."""
    assert client.process is not None
    pages = int(Path(f"/proc/{client.process.pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1_000_000


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("is_other", [False, True], ids=["one file", "other files"])
def test_closing_a_file_gives_its_memory_back(fresh: RawClient, way: str, is_other: bool) -> None:  # noqa: FBT001
    """However often a file is opened, used, edited and closed, the server stays as large as it was early on."""
    fresh.initialize(WAYS[way])
    sizes: list[float] = []
    for cycle in range(CYCLES):
        number = cycle if is_other else 0
        text = make_suite(CASES, PROBLEMS, seed=number)
        session = Session(fresh, f"file:///nowhere/{number}.eval.yaml", text, pulls=way == "pulled")
        session.use(1)
        for version in range(2, 2 + EDITS):
            session.edit(version)
        session.use(1 + EDITS)
        session.close()
        sizes.append(resident_megabytes(fresh))
    assert sizes[-1] <= MOST_GROWTH * sizes[SETTLED - 1], sizes
