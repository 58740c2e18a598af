"""A long editing session against the real process: in the end, the editor shows what `rubric check` says.

Each session is made from a seed, which stands in the name of the test and in every failure.
"""

from __future__ import annotations

import resource
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from editor import COMMAND, ENVIRONMENT
from random_typist import Typist, Units
from raw_client import RawClient, Silence

from rubric_core.analysis.check import check_text
from rubric_core.config.config import DEFAULT
from rubric_core.files.look import DiskSurroundings

if TYPE_CHECKING:
    from collections.abc import Callable

PUBLISH = "textDocument/publishDiagnostics"
SEVERITIES = {"error": 1, "warning": 2, "hint": 4}
REFUSALS = {-32800, -32801, -32803}
"""Cancelled, overtaken by a change, refused with a reason: the answers other than a result that a request may get."""

CHECK_EVERY = 20
# The text stays below 6,000 code points, so a sound server reaches its size within the first half, and half a megabyte
# is added to it in the second. One that kept a copy of the text, or the tree of a case, with each of 1,000 edits would
# add 6 MB or more.
MOST_GROWTH_IN_MEGABYTES = 3.0


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

    def __init__(self, client: RawClient, path: Path, seed: str, encoding: str, *, pull: bool) -> None:
        self.client = client
        self.path = path
        self.seed = seed
        self.pull = pull
        self.typist = Typist(seed, encoding)
        self.version = 1
        self.pending: dict[int, dict[str, Any]] = {}
        documents: dict[str, Any] = {"publishDiagnostics": {"versionSupport": True}}
        if pull:
            documents["diagnostic"] = {}
        capabilities = {"general": {"positionEncodings": [encoding]}, "textDocument": documents}
        result = client.initialize(capabilities, rootUri=path.parent.as_uri())
        assert result["capabilities"]["positionEncoding"] == encoding
        self.questions = [question for question in QUESTIONS if result["capabilities"].get(question.capability)]
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
        checked = check_text(text, path=path, surroundings=DiskSurroundings(path, DEFAULT))
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
                patience = 60.0 if shown is None else 2.0
                incoming = self.client.take(PUBLISH, lambda params: params["version"] == self.version, patience)
                shown = _found(incoming.params["diagnostics"])
        except Silence:
            assert shown is not None, f"seed {self.seed!r}: nothing was published for version {self.version}"
        return shown

    def _pulled(self) -> list[Found]:
        assert not any(incoming.message["method"] == PUBLISH for incoming in self.client.notifications)
        report = self.client.ask("textDocument/diagnostic", {"textDocument": {"uri": self.path.as_uri()}})
        assert report["kind"] == "full"
        return _found(report["items"])

    def megabytes(self) -> float:
        """Return the memory that the server holds; nothing where the system does not tell."""
        assert self.client.process is not None
        pages = Path(f"/proc/{self.client.process.pid}/statm")
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


def play(path: Path, seed: str, encoding: str, edits: int, *, pull: bool) -> None:
    """Play a session and check it from time to time and in the end."""
    with closing(RawClient.start(COMMAND, ENVIRONMENT)) as client:
        window = Window(client, path, seed, encoding, pull=pull)
        window.check(0)
        at_half = 0.0
        for number in range(1, edits + 1):
            window.edit()
            if window.typist.random.random() < 0.3:
                window.ask()
            if number % CHECK_EVERY == 0 or number == edits:
                window.check(number)
            if number == edits // 2:
                at_half = window.megabytes()
        grown = window.megabytes() - at_half
        assert grown < MOST_GROWTH_IN_MEGABYTES, f"seed {seed!r}: grown by {grown:.1f} MB in the second half"
        client.ask("shutdown")
        client.notify("exit")
        assert client.wait_for_end() == 0


@pytest.mark.parametrize("pull", [False, True], ids=["pushed", "pulled"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize(
    "edits", [pytest.param(100, id="short"), pytest.param(2_000, id="long", marks=pytest.mark.slow)]
)
def test_the_editor_shows_what_a_check_says(tmp_path: Path, encoding: str, edits: int, *, pull: bool) -> None:
    """After any edits, pushed and pulled diagnostics agree with a check, no request is lost, memory is flat."""
    play(tmp_path / "a.eval.yaml", f"{encoding}-1", encoding, edits, pull=pull)
