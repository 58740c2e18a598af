"""What the tests of a hostile client share: sound parameters of every method, and how to see that all is still well."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from rubric_server.app import FEATURES

if TYPE_CHECKING:
    from raw_client import RawClient

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
NOT_INITIALIZED = -32002
INTERNAL_ERROR = -32603
REQUEST_FAILED = -32803
CANCELLED = -32800

PUBLISH = "textDocument/publishDiagnostics"
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {"publishDiagnostics": {"relatedInformation": True, "versionSupport": True}},
}
NOBODY = "file:///nobody/has/opened.eval.yaml"
numbers = itertools.count(1)


def published(client: RawClient, uri: str, version: int | None = None) -> list[dict[str, Any]]:
    """Return the next diagnostics of a document, at a version if that matters."""

    def is_wanted(params: Any) -> bool:
        return bool(params["uri"] == uri and version in {None, params.get("version")})

    # Those of other documents may come first, and somebody may still ask for them.
    found = client.take(PUBLISH, is_wanted, forget=lambda params: params["uri"] == uri)
    diagnostics = found.params["diagnostics"]
    assert isinstance(diagnostics, list)
    return diagnostics


def codes(diagnostics: list[dict[str, Any]]) -> list[str]:
    """Return the rules that were broken."""
    return [item["code"] for item in diagnostics]


def assert_right(client: RawClient, inverted: str) -> None:
    """Open a document that has one problem, mend it, and close it."""
    uri = f"file:///fresh/{next(numbers)}.eval.yaml"
    client.open(uri, inverted)
    assert codes(published(client, uri, 1)) == ["RB104"]
    line = inverted[: inverted.index("[5, 0]")].count("\n")
    column = inverted.splitlines()[line].index("[5, 0]")
    place = {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + 6}}
    client.change(uri, 2, {"range": place, "text": "[0, 5]"})
    assert published(client, uri, 2) == []
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


def opened(client: RawClient, text: str) -> str:
    """Open a document of its own and return its address, once its problems were published."""
    uri = f"file:///hostile/{next(numbers)}.eval.yaml"
    client.open(uri, text)
    published(client, uri)
    return uri


def error_code(answer: dict[str, Any]) -> int:
    """Return the code of an error, whose message must be a sentence."""
    error = answer["error"]
    assert error["message"].endswith("."), error
    assert isinstance(error["code"], int)
    return error["code"]


def many_cases(case: str, number: int) -> str:
    """Return an eval file with so many cases."""
    head, _, body = case.partition("\n")
    return f"{head}\n" + "".join(body.replace("id: greeting", f"id: greeting-{index}") for index in range(number))


DOCUMENT = {"uri": NOBODY}
POSITION = {"line": 0, "character": 0}
RANGE = {"start": POSITION, "end": POSITION}
AT_POSITION = {"textDocument": DOCUMENT, "position": POSITION}
IN_RANGE = {"textDocument": DOCUMENT, "range": RANGE}

# What each method cannot do without.
REQUESTS: dict[str, dict[str, Any]] = {
    "textDocument/codeAction": {**IN_RANGE, "context": {}},
    "textDocument/codeLens": {"textDocument": DOCUMENT},
    "textDocument/completion": AT_POSITION,
    "textDocument/definition": AT_POSITION,
    "textDocument/diagnostic": {"textDocument": DOCUMENT},
    "textDocument/documentHighlight": AT_POSITION,
    "textDocument/documentLink": {"textDocument": DOCUMENT},
    "textDocument/documentSymbol": {"textDocument": DOCUMENT},
    "textDocument/foldingRange": {"textDocument": DOCUMENT},
    "textDocument/hover": AT_POSITION,
    "textDocument/inlayHint": IN_RANGE,
    "textDocument/prepareRename": AT_POSITION,
    "textDocument/references": {**AT_POSITION, "context": {"includeDeclaration": True}},
    "textDocument/rename": {**AT_POSITION, "newName": "x"},
    "textDocument/selectionRange": {"textDocument": DOCUMENT, "positions": [POSITION]},
    "workspace/diagnostic": {"previousResultIds": [{"uri": NOBODY, "value": "x"}]},
    "workspace/executeCommand": {"command": "no.such.command"},
    "workspace/symbol": {"query": "x"},
}
NOTIFICATIONS: dict[str, dict[str, Any]] = {
    "textDocument/didOpen": {"textDocument": {"uri": "file:///x.eval.yaml", "version": 1, "text": "a: 1\n"}},
    "textDocument/didChange": {
        "textDocument": {"uri": NOBODY, "version": 2},
        "contentChanges": [{"range": RANGE, "text": "x"}],
    },
    "textDocument/didClose": {"textDocument": DOCUMENT},
    "textDocument/didSave": {"textDocument": DOCUMENT},
    "workspace/didChangeConfiguration": {"settings": {"rubric": {}}},
    "workspace/didChangeWatchedFiles": {"changes": [{"uri": NOBODY, "type": 2}]},
    "window/workDoneProgress/cancel": {"token": "nothing"},
    "rubric/didChangeTrust": {"trusted": True},
    "workspace/didChangeWorkspaceFolders": {"event": {"added": [{"uri": "file:///x", "name": "x"}], "removed": []}},
}
ANSWERED = [feature.method for feature in FEATURES if feature.method in REQUESTS]
NOTED = [feature.method for feature in FEATURES if feature.method in NOTIFICATIONS]
NUMBERS = (-1, -(2**31), 2**31 - 1, 2**31, 2**63, 10**30)
"""Lines and columns that no text has."""
