"""Every request of an editor over one file of each later dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from dialect_suites import FIVE, SUITES
from loopback import Loopback

if TYPE_CHECKING:
    from pathlib import Path

URI = "file:///nowhere/a.eval.yaml"
WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
CAPABILITIES = {
    "textDocument": {
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "hover": {"contentFormat": ["plaintext"]},
        "rename": {"prepareSupport": True},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}


def _opened(text: str, uri: str = URI) -> Loopback:
    window = Loopback(CAPABILITIES)
    window.open(text, uri)
    return window


def _at(text: str, stretch: str, uri: str = URI) -> dict[str, Any]:
    start = text.index(stretch)
    line, character = text.count("\n", 0, start), start - text.rfind("\n", 0, start) - 1
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


@pytest.mark.parametrize("name", SUITES)
def test_an_editor_gets_everything_for_a_file_of_the_dialect(name: str) -> None:
    """Outline, hover, hints, completion, references and rename, in its own keys and numbers."""
    text = SUITES[name]
    window = _opened(text)
    document = {"textDocument": {"uri": URI}}

    symbols = window.request("textDocument/documentSymbol", document)
    tests = next(each for each in symbols if each["name"] == "tests")
    assert [each["name"] for each in tests["children"]] == ["web", "mail"]
    assert "contains" in [each["name"] for each in tests["children"][0]["children"]]

    said = window.request("textDocument/hover", _at(text, "min_score: 0.7"))["contents"]["value"]
    assert "below 0.7 the assertion fails" in said

    hints = window.request("textDocument/inlayHint", {**document, "range": WHOLE})
    assert "below 0.6 the test gets 0" in [each["label"] for each in hints]

    found = window.request("textDocument/completion", _at(text, "contains"))
    assert "icontains" in [each["label"] for each in found["items"]]
    (item,) = [each for each in found["items"] if each["label"] == "icontains"]
    page = window.request("completionItem/resolve", item)["documentation"]
    assert "by a type of AgentV" in str(page)

    places = window.request("textDocument/references", {**_at(text, "web"), "context": {"includeDeclaration": True}})
    assert len(places) == 2
    edit = window.request("textDocument/rename", {**_at(text, "web"), "newName": "http"})
    assert [each["newText"] for each in edit["documentChanges"][0]["edits"]] == ["http", "http"]


def test_paths_lead_to_files(tmp_path: Path) -> None:
    """As links and as definitions."""
    (tmp_path / "prompts").mkdir()
    for name in ("ask.md", "judge.md"):
        (tmp_path / "prompts" / name).write_text("{{ input }} {{ output }}", encoding="utf-8")
    uri = (tmp_path / "a.eval.yaml").as_uri()
    window = _opened(FIVE, uri)
    links = window.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
    assert [each["target"].rpartition("/")[2] for each in links] == ["ask.md", "judge.md"]
    place = window.request("textDocument/definition", _at(FIVE, "file://prompts/judge.md", uri))
    assert place["uri"] == (tmp_path / "prompts" / "judge.md").as_uri()
    found = window.request("textDocument/completion", _at(FIVE, "file://prompts/ask.md", uri))
    assert found is not None


def test_a_label_of_the_file_is_followed_and_renamed() -> None:
    """No providers file is needed for that."""
    window = _opened(FIVE)
    place = window.request("textDocument/definition", _at(FIVE, "fast\n"))
    assert place["range"]["start"]["line"] == FIVE[: FIVE.index("label: fast")].count("\n")
    edit = window.request("textDocument/rename", {**_at(FIVE, "fast\n"), "newName": "slow"})
    assert [each["newText"] for each in edit["documentChanges"][0]["edits"]] == ["slow", "slow"]
