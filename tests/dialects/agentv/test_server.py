"""Every request of an editor over one file of each later dialect."""

from __future__ import annotations

import pytest
from dialect_suites import SUITES
from loopback import URI, Loopback, at

WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
CAPABILITIES = {
    "textDocument": {
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "hover": {"contentFormat": ["plaintext"]},
        "rename": {"prepareSupport": True},
    },
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}


@pytest.mark.parametrize("name", SUITES)
def test_an_editor_gets_everything_for_a_file_of_the_dialect(name: str) -> None:
    """Outline, hover, hints, completion, references and rename, in its own keys and numbers."""
    text = SUITES[name]
    window = Loopback(CAPABILITIES)
    window.open(text)
    document = {"textDocument": {"uri": URI}}

    symbols = window.request("textDocument/documentSymbol", document)
    tests = next(each for each in symbols if each["name"] == "tests")
    assert [each["name"] for each in tests["children"]] == ["web", "mail"]
    assert "contains" in [each["name"] for each in tests["children"][0]["children"]]

    said = window.request("textDocument/hover", at(text, "min_score: 0.7"))["contents"]["value"]
    assert "below 0.7 the assertion fails" in said

    hints = window.request("textDocument/inlayHint", {**document, "range": WHOLE})
    assert "below 0.6 the test gets 0" in [each["label"] for each in hints]

    found = window.request("textDocument/completion", at(text, "contains"))
    assert "icontains" in [each["label"] for each in found["items"]]
    (item,) = [each for each in found["items"] if each["label"] == "icontains"]
    page = window.request("completionItem/resolve", item)["documentation"]
    assert "by a type of AgentV" in str(page)

    places = window.request("textDocument/references", {**at(text, "web"), "context": {"includeDeclaration": True}})
    assert len(places) == 2
    edit = window.request("textDocument/rename", {**at(text, "web"), "newName": "http"})
    assert [each["newText"] for each in edit["documentChanges"][0]["edits"]] == ["http", "http"]
