"""Folding over the protocol."""

from __future__ import annotations

from typing import Any

import pytest
from loopback import Loopback
from lsprotocol import types
from pygls.protocol import default_converter

URI = "file:///nowhere/a.eval.yaml"
SUITE = "# One\n# Two\nevalcases:\n  - id: a\n    rubrics:\n      - One\n      - Two\n  - id: b\n    note: x\n"


def _folds(capabilities: dict[str, Any], text: str = SUITE, uri: str = URI) -> Any:
    window = Loopback(capabilities)
    window.open(text, uri)
    return window.request("textDocument/foldingRange", {"textDocument": {"uri": uri}})


def test_folds_are_whole_lines() -> None:
    """Comments are distinguished, and nothing is said of columns."""
    found = _folds({})
    assert found == [
        {"startLine": 0, "endLine": 1, "kind": "comment"},
        {"startLine": 2, "endLine": 8},
        {"startLine": 3, "endLine": 6},
        {"startLine": 4, "endLine": 6},
        {"startLine": 7, "endLine": 8},
    ]
    default_converter().structure(found, list[types.FoldingRange])


@pytest.mark.parametrize(("limit", "lines"), [(1, [0]), (2, [0, 2]), (4, [0, 2, 3, 7]), (0, [0, 2, 3, 4, 7])])
def test_a_client_gets_no_more_folds_than_it_wants(limit: int, lines: list[int]) -> None:
    """The outer ones go first; a limit that makes no sense is none."""
    found = _folds({"textDocument": {"foldingRange": {"rangeLimit": limit}}})
    assert [fold["startLine"] for fold in found] == lines


def test_other_files_have_no_folds_of_ours() -> None:
    """Null leaves them to others."""
    assert _folds({}, "services:\n  web:\n    image: x\n", "file:///nowhere/compose.yaml") is None
    window = Loopback()
    assert window.request("textDocument/foldingRange", {"textDocument": {"uri": URI}}) is None


def test_an_edit_in_between_starts_again() -> None:
    """The answer names the text that the client has by then."""
    window = Loopback()
    window.open(SUITE)
    number = window.ask("textDocument/foldingRange", {"textDocument": {"uri": URI}})
    window.change({"text": f"name: x\n{SUITE}"}, 2)
    window.work()
    assert window.answer(number)[0] == {"startLine": 1, "endLine": 2, "kind": "comment"}
