"""Hover over the real process: at the right place in each encoding, in the form that the client likes."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from editor import Editor, text_at
from loopback import Loopback
from lsprotocol import types
from waiting import TIMEOUT

pytestmark = pytest.mark.asyncio(loop_scope="session")

_CLIENTS = Path(__file__).parents[1] / "support" / "clients"
_SUITE = """\
description: Ports 🎉
evalcases:
  - id: port
    expected_outcome: Names the port
    input: Which port?
    rubrics:
      - {id: "🎉é", weight: 3, expected_outcome: Names it}
      - 🎉 Names no other
      - id: quality
        score_ranges: {0: "🎉", 5: All}
"""


async def _hover(window: Editor, stretch: str, name: str = "a.eval.yaml") -> types.Hover | None:
    position = window.range_of(stretch, name).start
    params = types.HoverParams(types.TextDocumentIdentifier(window.uri(name)), position)
    return await asyncio.wait_for(window.client.text_document_hover_async(params), TIMEOUT)


def _said(found: types.Hover | None) -> str:
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
async def test_a_hover_is_about_the_word_under_the_cursor(editor: Editor, line_break: str) -> None:
    """Also behind emoji on the same line, in each encoding."""
    await editor.open(_SUITE.replace("\n", line_break))
    for stretch, word, start in (
        ("weight: 3", "weight", "`weight`: a number"),
        ("3, exp", "3", "Criterion `🎉é`"),
        ("🎉 Names", "🎉 Names no other", "Criterion `rubric-2`"),
        ("5: All", "5", "  0 1 2 3 4 5 6 7 8 9 10"),
        ("port\r\n" if line_break == "\r\n" else "port\n", "port", "Case `port`"),
    ):
        found = await _hover(editor, stretch)
        assert _said(found).startswith(start)
        assert found is not None
        assert found.range is not None
        assert text_at(editor.texts["a.eval.yaml"], found.range, editor.encoding) == word


async def test_there_is_no_hover_in_prose_and_in_other_files(plain_editor: Editor) -> None:
    """Nor in files that nobody opened."""
    await plain_editor.open(_SUITE)
    assert await _hover(plain_editor, "Which port") is None
    plain_editor.send_open("weight: 2\n", "other.yaml")
    assert await _hover(plain_editor, "weight", "other.yaml") is None
    nowhere = types.HoverParams(types.TextDocumentIdentifier("file:///none.yaml"), types.Position(0, 0))
    assert await plain_editor.client.text_document_hover_async(nowhere) is None


async def test_a_hover_right_after_an_edit_names_the_new_text(plain_editor: Editor) -> None:
    """It does not wait for the problems."""
    await plain_editor.open(_SUITE)
    plain_editor.send_change("weight: 3", "weight: 8")
    assert "Weight 8 of 10, 4/5 or 80 % of the score." in _said(await _hover(plain_editor, "8, exp"))


def _hover_over_a_case(capabilities: dict[str, Any]) -> dict[str, Any]:
    window = Loopback(capabilities)
    window.open(_SUITE)
    place = {"textDocument": {"uri": "file:///nowhere/a.eval.yaml"}, "position": {"line": 2, "character": 9}}
    contents: dict[str, Any] = window.request("textDocument/hover", place)["contents"]
    return contents


@pytest.mark.parametrize("name", ["vscode", "neovim-0.11", "helix", "plain-text", "bare"])
async def test_each_client_gets_the_form_that_it_likes(name: str) -> None:
    """Markdown where it is asked for, plain text where it is not."""
    contents = _hover_over_a_case(json.loads((_CLIENTS / f"{name}.json").read_text(encoding="utf-8")))
    is_markdown = name not in {"plain-text", "bare"}
    assert contents["kind"] == ("markdown" if is_markdown else "plaintext")
    assert ("**Case**" in contents["value"]) is is_markdown


@pytest.mark.parametrize(
    ("formats", "kind"),
    [
        (["plaintext", "markdown"], "plaintext"),
        (["html", "markdown"], "markdown"),
        ([], "plaintext"),
        ("markdown", "plaintext"),
        (None, "plaintext"),
    ],
)
async def test_the_first_known_form_counts(formats: object, kind: str) -> None:
    """Whatever else a client says."""
    contents = _hover_over_a_case({"textDocument": {"hover": {"contentFormat": formats}}})
    assert contents["kind"] == kind
