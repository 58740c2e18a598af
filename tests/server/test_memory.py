"""The memory of the server: opening, using, editing and closing a file again and again does not add to it."""

from __future__ import annotations

import gc
import tracemalloc
from typing import Any

import pytest
from loopback import Loopback

from benchmarks.suites import make_suite

pytestmark = pytest.mark.slow  # Each of these takes longer than the quick run has.

CYCLES = 8
SETTLED = 3
"""The cycle after which everything has been imported and all tables of a fixed size are filled."""
CASES, PROBLEMS = 10, 5  # A file of 22 KB.
EDITS = 3
WAYS: dict[str, dict[str, Any]] = {
    "pushed": {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}},
    "pulled": {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}},
}


class Session:
    """An editor with one file open."""

    def __init__(self, client: Loopback, uri: str, text: str, *, pulls: bool) -> None:
        self.client = client
        self.uri = uri
        self.lines = text.split("\n")
        self.pulls = pulls
        client.open(text, uri)
        client.work()

    def ask(self, method: str, **params: object) -> Any:
        """Ask for something about the document."""
        return self.client.request(f"textDocument/{method}", {"textDocument": {"uri": self.uri}, **params})

    def problems(self) -> list[dict[str, Any]]:
        """Return the problems as the editor gets to know them."""
        found: list[dict[str, Any]]
        found = self.ask("diagnostic")["items"] if self.pulls else self.client.published()[-1]["diagnostics"]
        assert found
        return found

    def use(self) -> None:
        """Ask for all that editors ask for by themselves, and for what a person asks for at some places."""
        whole = {"start": {"line": 0, "character": 0}, "end": {"line": len(self.lines), "character": 0}}
        for method in ("documentSymbol", "codeLens", "foldingRange", "documentLink"):
            self.ask(method)
        self.ask("inlayHint", range=whole)
        for problem in self.problems()[:5]:
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
        self.client.change({"range": {"start": place, "end": place}, "text": " more"}, version, self.uri)
        self.client.work()

    def close(self) -> None:
        """Close the document, and forget what the server has sent."""
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})
        self.client.work()
        self.client.sent.clear()


def open_use_and_close(client: Loopback, number: int, *, pulls: bool) -> int:
    """Do all that is done with a file, and return how many bytes this process has in use afterwards."""
    text = make_suite(CASES, PROBLEMS, seed=number)
    session = Session(client, f"file:///nowhere/{number}.eval.yaml", text, pulls=pulls)
    session.use()
    for version in range(2, 2 + EDITS):
        session.edit(version)
    session.use()
    session.close()
    del session, text
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("is_other", [False, True], ids=["one file", "other files"])
def test_closing_a_file_gives_its_memory_back(way: str, is_other: bool) -> None:  # noqa: FBT001
    """Five more files leave less behind than the texts of two, so nothing keeps a text, a tree or a problem."""
    client = Loopback(WAYS[way])
    tracemalloc.start()
    try:
        sizes = [open_use_and_close(client, cycle if is_other else 0, pulls=way == "pulled") for cycle in range(CYCLES)]
    finally:
        tracemalloc.stop()
    assert sizes[-1] - sizes[SETTLED - 1] < 2 * len(make_suite(CASES, PROBLEMS)), sizes
