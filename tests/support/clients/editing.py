"""A document that somebody edits at random in a real server, and what the editor must show of it."""

from __future__ import annotations

import resource
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from random_typist import Typist, Units
from raw_client import RawClient, Silence

from rubric_core.analysis.check import check_text
from rubric_core.config.config import DEFAULT
from rubric_core.files.project import DiskProject

if TYPE_CHECKING:
    from collections.abc import Callable

PUBLISH = "textDocument/publishDiagnostics"
SEVERITIES = {"error": 1, "warning": 2, "hint": 4}
REFUSALS = {-32800, -32801, -32803}
"""Cancelled, overtaken by a change, refused with a reason: the answers other than a result that a request may get."""


class Question(NamedTuple):
    """A request that is sprinkled in: the capability that announces it, and its parameters besides the document."""

    capability: str
    method: str
    others: Callable[[dict[str, Any]], dict[str, Any]]


def _nothing(_range: dict[str, Any]) -> dict[str, Any]:
    return {}


def _position(place: dict[str, Any]) -> dict[str, Any]:
    return {"position": place["start"]}


def _range(place: dict[str, Any]) -> dict[str, Any]:
    return {"range": place}


QUESTIONS = (
    Question("completionProvider", "textDocument/completion", _position),
    Question("hoverProvider", "textDocument/hover", _position),
    Question("definitionProvider", "textDocument/definition", _position),
    Question(
        "referencesProvider",
        "textDocument/references",
        lambda place: {**_position(place), "context": {"includeDeclaration": True}},
    ),
    Question("renameProvider", "textDocument/rename", lambda place: {**_position(place), "newName": "renamed"}),
    Question(
        "codeActionProvider", "textDocument/codeAction", lambda place: {**_range(place), "context": {"diagnostics": []}}
    ),
    Question("inlayHintProvider", "textDocument/inlayHint", _range),
    Question("codeLensProvider", "textDocument/codeLens", _nothing),
    Question("documentSymbolProvider", "textDocument/documentSymbol", _nothing),
    Question("foldingRangeProvider", "textDocument/foldingRange", _nothing),
    Question("documentLinkProvider", "textDocument/documentLink", _nothing),
    Question(
        "selectionRangeProvider",
        "textDocument/selectionRange",
        lambda place: {"positions": [place["start"], place["end"]]},
    ),
    Question("workspaceSymbolProvider", "workspace/symbol", lambda _place: {"query": "de"}),
)


class Found(NamedTuple):
    """What counts of a diagnostic."""

    code: str
    severity: int
    message: str
    start: tuple[int, int]
    end: tuple[int, int]


class Window:
    """An editor with one document in it that a typist works on."""

    def __init__(self, client: RawClient, provided: dict[str, Any], path: Path, seed: str, *, pull: bool) -> None:
        self.client = client
        self.path = path
        self.seed = seed
        self.pull = pull
        self.typist = Typist(seed, provided["positionEncoding"])
        self.version = 1
        self.pending: dict[int, dict[str, Any]] = {}
        self.questions = [question for question in QUESTIONS if provided.get(question.capability)]
        client.open(path.as_uri(), self.typist.text)

    # What is done

    def edit(self) -> None:
        """Change the text under the next version."""
        self.version += 1
        self.client.change(self.path.as_uri(), self.version, *self.typist.next_changes())

    def ask(self) -> None:
        """Send a request about a place of the text, and call some of them off."""
        choice = self.typist.random
        text = self.typist.text
        question = choice.choice(self.questions)
        start, end = sorted(choice.choices(range(len(text) + 1), k=2))
        place = Units(text, self.typist.encoding).range(start, end)
        params = {"textDocument": {"uri": self.path.as_uri()}, **question.others(place)}
        number = self.client.request(question.method, params)
        self.pending[number] = {"method": question.method, **params}
        if choice.random() < 0.1:
            self.client.notify("$/cancelRequest", {"id": number})

    # What must hold

    def check(self, edits: int) -> None:
        """See that every request was answered, and that the diagnostics are those of the text as it is now."""
        where = f"seed {self.seed!r}, after {edits} edits"
        for number, asked in self.pending.items():
            answer = self.client.answer(number).message
            assert "result" in answer or answer["error"]["code"] in REFUSALS, (where, asked, answer)
            assert not self.client.answers[number], (where, "answered twice", number)
        self.pending.clear()
        expected = self._expected()
        shown = self._pulled() if self.pull else self._pushed(expected)
        assert shown == expected, where
        self.client.notifications.clear()

    def _expected(self) -> list[Found]:
        text = self.typist.text
        units = Units(text, self.typist.encoding)
        path = str(self.path)
        checked = check_text(text, path=path, project=DiskProject(path, DEFAULT))
        return [
            Found(
                problem.code,
                SEVERITIES[problem.severity.value],
                problem.message,
                units.position(problem.span.start),
                units.position(problem.span.end),
            )
            for problem in checked.problems
        ]

    def _pushed(self, expected: list[Found]) -> list[Found]:
        """Return the last list for this version; the first one need not be complete, so wait for a better one."""
        shown: list[Found] | None = None
        try:
            while shown != expected:
                incoming = self.client.take(PUBLISH, self._is_latest)
                shown = _found(incoming.params["diagnostics"])
        except Silence:
            assert shown is not None, f"seed {self.seed!r}: nothing was published for version {self.version}"
        return shown

    def _is_latest(self, params: dict[str, Any]) -> bool:
        return params["uri"] == self.path.as_uri() and params.get("version") == self.version

    def _pulled(self) -> list[Found]:
        assert not any(incoming.message["method"] == PUBLISH for incoming in self.client.notifications)
        report = self.client.ask("textDocument/diagnostic", {"textDocument": {"uri": self.path.as_uri()}})
        assert report["kind"] == "full"
        return _found(report["items"])

    def close(self) -> None:
        """Close the document."""
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": self.path.as_uri()}})


def initialized(client: RawClient, folder: Path, encoding: str, *, pull: bool) -> dict[str, Any]:
    """Return what a server provides to a client that counts in an encoding."""
    documents: dict[str, Any] = {"publishDiagnostics": {"versionSupport": True}}
    if pull:
        documents["diagnostic"] = {}
    capabilities = {"general": {"positionEncodings": [encoding]}, "textDocument": documents}
    provided: dict[str, Any] = client.initialize(capabilities, rootUri=folder.as_uri())["capabilities"]
    assert provided["positionEncoding"] == encoding
    return provided


def megabytes(client: RawClient) -> float:
    """Return the memory that the server holds; nothing where the system does not tell."""
    assert client.process is not None
    pages = Path(f"/proc/{client.process.pid}/statm")
    return int(pages.read_text().split()[1]) * resource.getpagesize() / (1 << 20) if pages.exists() else 0.0


def _found(diagnostics: list[dict[str, Any]]) -> list[Found]:
    return [
        Found(
            item["code"],
            item["severity"],
            item["message"],
            (item["range"]["start"]["line"], item["range"]["start"]["character"]),
            (item["range"]["end"]["line"], item["range"]["end"]["character"]),
        )
        for item in diagnostics
    ]
