"""Each editor gets what it can show, and nothing else: its capabilities decide.

The capability sets in `tests/support/clients` are those that the editors send, less what no server of ours looks at.
"""

from __future__ import annotations

import itertools
import json
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from editor import COMMAND, ENVIRONMENT
from raw_client import RawClient

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow  # Together these take longer than the quick run has.

FOLDER = Path(__file__).resolve().parents[1] / "support" / "clients"
PUBLISH = "textDocument/publishDiagnostics"
SNIPPET = 2
_numbers = itertools.count(1)

TEXT = """\
evalcases:
  - id: greeting
    expected_outcome: Answers the greeting 🎉 of the user
    input_messages:
      - role: user
        content: [{type: text, value: Hello 🎉}, {type: file, value: notes.txt}]
    rubrics:
      - id: greets
        description: Greets the user by name
        score_ranges:
          - score_range: [0, 5]
            expected_outcome: There is no greeting at all
          - score_range: [5, 10]
            expected_outcome: The greeting has the name of the user
      - id: greets
        expected_outcome: Says hello
  - id: half-typed
    expected_outcome: Says goodbye
    input_messages: [{role: user, content: Bye}]
    rubrics:
      - expected_outcome: Says goodbye
        wei
"""


class Expected(NamedTuple):
    """What an editor must get, distinguished from how the server finds it out."""

    encoding: str
    pull: bool = False
    related: bool = False
    tags: bool = False
    rule_links: bool = False
    snippets: bool = False
    markdown: bool = False
    actions: bool = True
    versioned_edits: bool = False
    nested_symbols: bool = False
    prepared_renames: bool = False
    links_to_definitions: bool = False
    # The methods that the server may register later.
    registered: frozenset[str] = frozenset()
    # The requests that the server may send besides.
    asked: frozenset[str] = frozenset()


FILES = frozenset({"workspace/didChangeWatchedFiles"})
SETTINGS = frozenset({"workspace/didChangeConfiguration"})
CONFIGURATION = frozenset({"workspace/configuration"})
PROGRESS = frozenset({"window/workDoneProgress/create"})
INLAY_REFRESH = frozenset({"workspace/inlayHint/refresh"})

EDITORS = {
    "vscode": Expected(
        "utf-16",
        pull=True,
        related=True,
        tags=True,
        rule_links=True,
        snippets=True,
        markdown=True,
        versioned_edits=True,
        nested_symbols=True,
        prepared_renames=True,
        links_to_definitions=True,
        registered=FILES | SETTINGS,
        asked=CONFIGURATION | PROGRESS | INLAY_REFRESH | {"workspace/diagnostic/refresh", "workspace/codeLens/refresh"},
    ),
    "neovim-0.10": Expected(
        "utf-16",
        pull=True,
        related=True,
        tags=True,
        markdown=True,
        nested_symbols=True,
        prepared_renames=True,
        links_to_definitions=True,
        asked=CONFIGURATION | PROGRESS | INLAY_REFRESH,
    ),
    "neovim-0.11": Expected(
        "utf-8",
        pull=True,
        related=True,
        tags=True,
        snippets=True,
        markdown=True,
        nested_symbols=True,
        prepared_renames=True,
        links_to_definitions=True,
        asked=CONFIGURATION | PROGRESS | INLAY_REFRESH,
    ),
    "emacs-eglot": Expected(
        "utf-32",
        tags=True,
        markdown=True,
        versioned_edits=True,
        nested_symbols=True,
        links_to_definitions=True,
        registered=FILES,
        asked=CONFIGURATION | PROGRESS,
    ),
    "helix": Expected(
        "utf-8",
        tags=True,
        snippets=True,
        markdown=True,
        versioned_edits=True,
        prepared_renames=True,
        registered=FILES,
        asked=CONFIGURATION | PROGRESS,
    ),
    "plain-text": Expected("utf-16", actions=False, registered=SETTINGS),
    "bare": Expected("utf-16", actions=False),
}


class Connection(NamedTuple):
    """An editor of a kind, and what the server told it."""

    expected: Expected
    client: RawClient
    folder: Path
    provides: dict[str, Any]


class Window:
    """One file that is open in an editor."""

    def __init__(self, connection: Connection, number: int) -> None:
        self.expected, self.client, self.folder, self.provides = connection
        self.uri = (connection.folder / f"{number}.eval.yaml").as_uri()
        self.version = 1
        self.client.open(self.uri, TEXT)

    def change(self, text: str) -> None:
        """Replace the whole text."""
        self.version += 1
        self.client.change(self.uri, self.version, {"text": text})

    def close(self) -> None:
        """Close the file."""
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": self.uri}})

    def ask(self, method: str, **params: Any) -> Any:
        """Ask about the file."""
        return self.client.ask(method, {"textDocument": {"uri": self.uri}, **params})

    def position(self, stretch: str, behind: int = 0) -> dict[str, int]:
        """Return the position of a stretch, some characters into it, in a line that is all ASCII before it."""
        before = TEXT[: TEXT.index(stretch) + behind]
        return {"line": before.count("\n"), "character": len(before.rpartition("\n")[2])}

    def range(self, stretch: str) -> dict[str, Any]:
        """Return the range of a stretch."""
        return {"start": self.position(stretch), "end": self.position(stretch, len(stretch))}

    def diagnostics(self) -> list[dict[str, Any]]:
        """Return all diagnostics of the text, in the way in which this editor gets them."""
        if self.expected.pull:
            items = self.ask("textDocument/diagnostic")["items"]
        else:
            items = self.client.take(PUBLISH, self._is_complete).params["diagnostics"]
        assert isinstance(items, list)
        return items

    def _is_complete(self, params: Any) -> bool:
        """Return whether a list is of the text as it is, up to the line that is half typed: the last problem."""
        is_now = params["uri"] == self.uri and params["version"] == self.version
        return is_now and "RB001" in by_code(params["diagnostics"])

    def is_pushed_to(self) -> bool:
        """Return whether diagnostics of the file were sent that nobody has taken yet."""
        published = [incoming for incoming in self.client.notifications if incoming.message["method"] == PUBLISH]
        return any(incoming.params["uri"] == self.uri for incoming in published)


@pytest.fixture(scope="module", params=EDITORS)
def connection(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    """Give an editor of each kind."""
    folder = tmp_path_factory.mktemp("folder")
    capabilities = json.loads((FOLDER / f"{request.param}.json").read_text(encoding="utf-8"))
    folders = [{"uri": folder.as_uri(), "name": "folder"}]
    with closing(RawClient.start(COMMAND, ENVIRONMENT)) as client:
        result = client.initialize(capabilities, rootUri=folder.as_uri(), workspaceFolders=folders)
        yield Connection(EDITORS[request.param], client, folder, result["capabilities"])


@pytest.fixture
def window(connection: Connection) -> Iterator[Window]:
    """Give a file that is open in an editor of each kind."""
    opened = Window(connection, next(_numbers))
    yield opened
    opened.close()


def by_code(diagnostics: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the first diagnostic of each rule."""
    return {item["code"]: item for item in reversed(diagnostics)}


def test_the_handshake_offers_what_the_editor_knows(window: Window) -> None:
    """Positions are counted as it likes best; it is notified of pulls and prepared renames only if it knows of them."""
    assert window.provides["positionEncoding"] == window.expected.encoding
    assert ("diagnosticProvider" in window.provides) == window.expected.pull
    assert window.provides["renameProvider"] == (
        {"prepareProvider": True} if window.expected.prepared_renames else True
    )


def test_no_formatter_is_claimed(window: Window) -> None:
    """A generic YAML server beside us keeps that work."""
    assert not [name for name in window.provides if "Formatting" in name]


def test_diagnostics_come_in_one_way(window: Window) -> None:
    """They are pushed or pulled, never both, through the whole life of a file."""
    assert {"RB006", "RB101", "RB202"} <= by_code(window.diagnostics()).keys()
    window.change(TEXT.replace("[5, 10]", "[6, 10]"))
    assert "RB101" not in by_code(window.diagnostics())
    window.close()
    if not window.expected.pull:
        assert window.client.take(PUBLISH, lambda params: params["diagnostics"] == []).params["uri"] == window.uri
    window.client.listen(0.2)
    assert not window.is_pushed_to()


def test_what_is_pushed_has_its_version(window: Window) -> None:
    """Editors that do not look at it take no harm, and the others never show what is over."""
    if window.expected.pull:
        pytest.skip("This editor asks for its diagnostics.")
    window.change(TEXT)
    assert window.client.take(PUBLISH, lambda params: params["uri"] == window.uri).params["version"] in {1, 2}


def test_diagnostics_have_the_members_that_the_editor_shows(window: Window) -> None:
    """Other places, tags and links to rules are left out where nobody would see them."""
    found = by_code(window.diagnostics())
    assert ("relatedInformation" in found["RB101"]) == window.expected.related
    assert found["RB006"].get("tags") == ([2] if window.expected.tags else None)
    assert ("codeDescription" in found["RB101"]) == window.expected.rule_links


def test_places_are_counted_in_its_units(window: Window) -> None:
    """Behind an emoji the same place has another number in each of the three."""
    (found,) = [item for item in window.diagnostics() if item["code"] == "RB503"]
    line = TEXT.splitlines()[found["range"]["start"]["line"]]
    codec, size = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}[
        window.expected.encoding
    ]
    before = line[: line.index("notes.txt")]
    assert found["range"]["start"]["character"] == len(before.encode(codec)) // size


def test_completions_can_be_inserted(window: Window) -> None:
    """Without snippets there is no placeholder in what is inserted; with them there is some snippet somewhere."""
    found: list[dict[str, Any]] = []
    for position in (window.position("wei", 3), {"line": TEXT.count("\n"), "character": 0}):
        answer = window.ask("textDocument/completion", position=position)
        found += answer["items"] if isinstance(answer, dict) else answer or []
    assert "weight" in {item["label"] for item in found}
    snippets = [item for item in found if item.get("insertTextFormat") == SNIPPET]
    assert bool(snippets) == window.expected.snippets
    plain = [item for item in found if item not in snippets]
    assert not [item for item in plain if "${" in json.dumps(item) or "$0" in json.dumps(item)]


def test_hovers_are_in_its_format(window: Window) -> None:
    """Markdown goes to editors that name it; the others get plain text without its marks."""
    contents = window.ask("textDocument/hover", position=window.position("score_ranges", 3))["contents"]
    assert contents["kind"] == ("markdown" if window.expected.markdown else "plaintext")
    if not window.expected.markdown:
        assert not any(mark in contents["value"] for mark in ("**", "```", "](")), contents["value"]


def test_actions_are_edits_that_it_can_apply(window: Window) -> None:
    """Edits are tied to a version where the editor checks it; an editor that knows only commands gets no actions."""
    window.diagnostics()
    place = window.range("description")
    found = window.ask("textDocument/codeAction", range=place, context={"diagnostics": [], "only": ["quickfix"]})
    literals = [action for action in found or [] if "kind" in action]
    assert bool(literals) == window.expected.actions
    for action in literals:
        if "edit" not in action:
            action.update(window.client.ask("codeAction/resolve", action))
        assert ("documentChanges" in action["edit"]) == window.expected.versioned_edits
        assert ("changes" in action["edit"]) != window.expected.versioned_edits


def test_symbols_are_nested_where_it_shows_that(window: Window) -> None:
    """The others get a flat list, each with its place."""
    found = window.ask("textDocument/documentSymbol")
    assert found
    assert all(("selectionRange" in symbol) == window.expected.nested_symbols for symbol in found)
    assert all(("location" in symbol) != window.expected.nested_symbols for symbol in found)


def test_definitions_are_links_where_it_follows_them(window: Window) -> None:
    """The others get plain places."""
    text = TEXT.replace("    rubrics:", "    scorecard: careful\n    rubrics:")
    text = "scorecards:\n  careful: {skill: x, bonuses: [Is short]}\n" + text
    window.change(text)
    line = text[: text.index("scorecard: careful")].count("\n")
    found = window.ask("textDocument/definition", position={"line": line, "character": 18})
    found = found if isinstance(found, list) else [found]
    assert len(found) == 1
    assert ("targetUri" in found[0]) == window.expected.links_to_definitions
    assert ("uri" in found[0]) != window.expected.links_to_definitions


def test_nothing_is_asked_of_it_that_it_cannot_answer(window: Window) -> None:
    """Registrations, questions and refreshes go only to editors that said that they know them."""
    window.diagnostics()
    path = window.folder / "rubric.toml"
    path.write_text("[rules]\n", encoding="utf-8")
    changes = [{"uri": path.as_uri(), "type": 1}]
    window.client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    window.client.notify("workspace/didChangeConfiguration", {"settings": {"rubric": {"inlayHints": {"ids": False}}}})
    window.ask("textDocument/documentSymbol")
    window.client.listen(0.2)
    asked: set[str] = set()
    for incoming in window.client.requests:
        if incoming.message["method"] == "client/registerCapability":
            registered = {registration["method"] for registration in incoming.params["registrations"]}
            assert registered <= window.expected.registered
        else:
            asked.add(incoming.message["method"])
    assert asked <= window.expected.asked
