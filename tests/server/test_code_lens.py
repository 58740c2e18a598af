"""Code lenses over the real process: only what this client can run, and only where it does something."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from loopback import Loopback
from lsprotocol import types
from waiting import TIMEOUT

if TYPE_CHECKING:
    from editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="session")

_SUITE = """\
description: 🎉
evalcases:
  - id: port
    expected_outcome: Names the port
    input: Which port?
    rubrics:
      - {id: names-it, description: Names it}
"""
_URI = "file:///nowhere/a.eval.yaml"
_DOCUMENT = {"textDocument": {"uri": _URI}}
_EDITS = {"workspace": {"applyEdit": True}}


def _lenses(window: Loopback) -> list[dict[str, Any]] | None:
    """Return the lenses that change the text."""
    found: list[dict[str, Any]] | None = window.request("textDocument/codeLens", _DOCUMENT)
    return None if found is None else [lens for lens in found if lens["command"]["command"] == "rubric.fixAll"]


def _window(capabilities: dict[str, Any], text: str = _SUITE) -> Loopback:
    window = Loopback(capabilities)
    window.open(text)
    return window


async def test_the_lens_runs_its_command() -> None:
    """A click on it changes the text, and then it is gone."""
    window = _window(_EDITS)
    (lens,) = _lenses(window) or ()
    assert lens["range"] == {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 9}}
    command = lens["command"]
    assert command == {"title": "Fix all that can be fixed safely", "command": "rubric.fixAll", "arguments": [_URI]}
    window.request("workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]})
    assert len(window.of("workspace/applyEdit")) == 1
    window.change({"text": _SUITE.replace("description: Names", "expected_outcome: Names")}, 2)
    assert _lenses(window) == []


async def test_a_client_that_cannot_run_the_command_has_no_lens() -> None:
    """A lens that does nothing would be dead."""
    assert _lenses(_window({})) == []


async def test_a_case_can_be_graded_by_its_lens() -> None:
    """Its command is told which case is meant."""
    found = _window({}).request("textDocument/codeLens", _DOCUMENT)
    assert [lens["command"]["title"] for lens in found] == ["Grade all", "Grade", "Preview prompt"]
    grade = found[1]
    assert grade["range"]["start"] == {"line": 2, "character": 8}
    assert grade["command"]["arguments"] == [{"uri": _URI, "caseId": "port"}]


async def test_lenses_can_be_switched_off() -> None:
    """The user's choice holds at once."""
    window = _window(_EDITS)
    window.notify("workspace/didChangeConfiguration", {"settings": {"rubric": {"codeLens": {"enable": False}}}})
    assert _lenses(window) is None


async def test_other_files_have_no_lenses() -> None:
    """Nor have files that nobody opened."""
    window = Loopback(_EDITS)
    assert _lenses(window) is None
    window.open("description: x\n", "file:///nowhere/other.yaml")
    params = {"textDocument": {"uri": "file:///nowhere/other.yaml"}}
    assert window.request("textDocument/codeLens", params) is None


async def test_a_text_that_changes_in_between_is_looked_at_again() -> None:
    """The answer names the latest text."""
    window = _window(_EDITS)
    number = window.ask("textDocument/codeLens", _DOCUMENT)
    window.change({"text": f"# one more line\n{_SUITE}"}, 2)
    window.work()
    assert window.answer(number)[0]["range"]["start"]["line"] == 2


async def test_the_protocol_is_kept(plain_editor: Editor) -> None:
    """Over the real process, whose messages are held against the protocol's types."""
    await plain_editor.open(_SUITE)
    params = types.CodeLensParams(types.TextDocumentIdentifier(plain_editor.uri("a.eval.yaml")))
    found = await asyncio.wait_for(plain_editor.client.text_document_code_lens_async(params), TIMEOUT)
    assert [lens.command.title for lens in found or () if lens.command] == ["Grade all", "Grade", "Preview prompt"]
