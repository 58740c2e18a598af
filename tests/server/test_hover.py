"""Hover over the real process: at the right place in each encoding, in the form that the client likes."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from editor import Editor, make_client, text_at
from loopback import Loopback
from lsprotocol import types
from patience import PATIENCE
from pygls.protocol import default_converter

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.asyncio(loop_scope="module")

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
    return await asyncio.wait_for(window.client.text_document_hover_async(params), PATIENCE)


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


async def test_a_hover_right_after_an_edit_speaks_of_the_new_text(plain_editor: Editor) -> None:
    """It does not wait for the problems."""
    await plain_editor.open(_SUITE)
    plain_editor.send_change("weight: 3", "weight: 8")
    assert "Weight 8 of 10, 4/5 or 80 % of the score." in _said(await _hover(plain_editor, "8, exp"))


@pytest_asyncio.fixture(loop_scope="module", params=["vscode", "neovim-0.11", "helix", "plain-text", "bare"])
async def client(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[tuple[str, Editor]]:
    """Give a window of each of some editors, by what the editor says that it can do."""
    capabilities = json.loads((_CLIENTS / f"{request.param}.json").read_text(encoding="utf-8"))
    window = Editor(make_client(), tmp_path)
    await window.start(capabilities=default_converter().structure(capabilities, types.ClientCapabilities))
    yield request.param, window
    await window.client.shutdown_session()
    await window.client.stop()


async def test_each_client_gets_the_form_that_it_likes(client: tuple[str, Editor]) -> None:
    """Markdown where it is asked for, plain text where it is not."""
    name, window = client
    window.send_open(_SUITE, "a.eval.yaml")
    found = await _hover(window, "🎉 Names")
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    is_markdown = name not in {"plain-text", "bare"}
    assert (found.contents.kind is types.MarkupKind.Markdown) is is_markdown
    assert ("**Criterion**" in found.contents.value) is is_markdown


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
    window = Loopback({"textDocument": {"hover": {"contentFormat": formats}}})
    window.open(_SUITE)
    place = {"textDocument": {"uri": "file:///nowhere/a.eval.yaml"}, "position": {"line": 2, "character": 9}}
    assert window.request("textDocument/hover", place)["contents"]["kind"] == kind
