"""Growing selections over the protocol."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from editor import text_at
from loopback import Loopback
from lsprotocol import types
from waiting import TIMEOUT

if TYPE_CHECKING:
    from editor import Editor

SUITE = "evalcases:\n  - id: 🎉\n    rubrics: [{id: a, expected_outcome: 🎉 it}]\n"
URI = "file:///nowhere/a.eval.yaml"


@pytest.mark.asyncio(loop_scope="session")
async def test_selections_grow_at_several_positions_in_each_encoding(editor: Editor) -> None:
    """Each position has its own chain, which ends with the whole file."""
    await editor.open(SUITE)
    positions = [editor.range_of("it}").start, editor.range_of("🎉\n").start]
    params = types.SelectionRangeParams(types.TextDocumentIdentifier(editor.uri("a.eval.yaml")), positions)
    chains = await asyncio.wait_for(editor.client.text_document_selection_range_async(params), TIMEOUT)
    assert chains is not None
    texts: list[list[str]] = []
    for chain in chains:
        texts.append([])
        step: types.SelectionRange | None = chain
        while step is not None:
            texts[-1].append(text_at(SUITE, step.range, editor.encoding))
            step = step.parent
    assert texts[0][:4] == ["it", "🎉 it", "expected_outcome: 🎉 it", "{id: a, expected_outcome: 🎉 it}"]
    assert texts[1][:2] == ["🎉", "id: 🎉"]
    assert [found[-1] for found in texts] == [SUITE, SUITE]


def test_a_position_where_nothing_can_grow_gets_an_empty_range() -> None:
    """The protocol wants an answer for each position."""
    window = Loopback()
    window.open("", URI)
    position = {"line": 0, "character": 0}
    params = {"textDocument": {"uri": URI}, "positions": [position]}
    assert window.request("textDocument/selectionRange", params) == [{"range": {"start": position, "end": position}}]


def test_other_files_are_left_to_others() -> None:
    """Null is no answer."""
    window = Loopback()
    window.open("services: {}\n", "file:///nowhere/compose.yaml")
    for uri in ("file:///nowhere/compose.yaml", "file:///nowhere/none.yaml"):
        params = {"textDocument": {"uri": uri}, "positions": []}
        assert window.request("textDocument/selectionRange", params) is None
