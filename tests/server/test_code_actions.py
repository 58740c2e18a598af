"""Code actions over the real process: a fix that is applied removes its problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from editor import Editor, editor_capabilities, edits_of, make_client
from lsprotocol import types

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_quick_fix_removes_its_problem(editor: Editor, inverted: str) -> None:
    """The edit is right in every position encoding, and keeps the comment beside it."""
    broken = inverted.replace("Hello", "Hello 🎉").replace("score_range: [5, 0]", '"score_range": [5, 0]')
    await editor.open(broken)
    (action,) = await editor.actions("[5, 0]")
    assert action.kind == types.CodeActionKind.QuickFix
    assert action.is_preferred
    assert editor.under(action.diagnostics or []) == [("RB104", "[5, 0]")]
    published = await editor.apply(action)
    assert not published.diagnostics
    assert editor.texts["a.eval.yaml"] == broken.replace("[5, 0]", "[0, 5]")


async def test_fixes_are_tied_to_the_version(plain_editor: Editor, inverted: str) -> None:
    """An editor that has moved on can tell that the fix is for an older text."""
    await plain_editor.open(inverted)
    await plain_editor.change("Hello", "Good morning")
    (action,) = await plain_editor.actions("[5, 0]")
    assert action.edit is not None
    (change,) = action.edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit)
    assert change.text_document.version == 2


async def test_there_is_nothing_to_do_elsewhere(plain_editor: Editor, inverted: str) -> None:
    """Fixes are offered where their problem is, and only for documents that are open."""
    await plain_editor.open(inverted)
    assert await plain_editor.actions("Hello") == []
    plain_editor.send_close()
    await plain_editor.next_published()
    assert await plain_editor.actions("[5, 0]") == []


async def test_an_unsafe_fix_is_offered_but_is_no_part_of_fix_all(plain_editor: Editor, outside: str) -> None:
    """What changes the meaning of a file is the user's choice."""
    await plain_editor.open(outside)
    (action,) = await plain_editor.actions("[6, 12]")
    assert not action.is_preferred
    assert await plain_editor.actions("[6, 12]", only=["source.fixAll.rubric"]) == []


@pytest.mark.parametrize("wanted", ["source.fixAll.rubric", "source.fixAll", "source"])
async def test_fix_all_applies_the_safe_fixes(plain_editor: Editor, inverted: str, wanted: str) -> None:
    """It is asked for by its kind or by one above it, from anywhere in the file, and edits only the lines it must."""
    text = inverted.replace("expected_outcome: There is", "description: There is").replace("[6, 10]", "[10, 6]")
    await plain_editor.open(text)
    (action,) = await plain_editor.actions("evalcases", only=[wanted])
    assert action.kind == "source.fixAll.rubric"
    assert [edit.range.start.line for edit in edits_of(action)] == [10]
    published = await plain_editor.apply(action)
    assert not published.diagnostics
    assert "[0, 5]  # kept\n" in plain_editor.texts["a.eval.yaml"]


async def test_only_the_kinds_that_are_asked_for_are_given(plain_editor: Editor, inverted: str, good: str) -> None:
    """A refactoring is not a fix; and a sound file needs none."""
    await plain_editor.open(inverted)
    assert await plain_editor.actions("[5, 0]", only=["refactor"]) == []
    assert [action.kind for action in await plain_editor.actions("[5, 0]", only=["quickfix"])] == ["quickfix"]
    await plain_editor.open(good, "good.eval.yaml")
    assert await plain_editor.actions("[0, 5]", "good.eval.yaml", only=["source.fixAll"]) == []


async def test_an_old_client_gets_plain_edits(tmp_path: Path, inverted: str) -> None:
    """A client that cannot check versions gets edits without one; one that takes only commands gets no actions."""
    capabilities = editor_capabilities()
    capabilities.workspace = None
    window = Editor(make_client(), tmp_path)
    await window.start(capabilities=capabilities)
    await window.open(inverted)
    (action,) = await window.actions("[5, 0]")
    assert action.edit is not None
    assert action.edit.changes
    assert not (await window.apply(action)).diagnostics
    await window.client.shutdown_session()

    simple = Editor(make_client(), tmp_path)
    await simple.start(capabilities=types.ClientCapabilities())
    published = await simple.open(inverted)
    assert [found.code for found in published.diagnostics] == ["RB104"]
    assert await simple.actions("[5, 0]") == []
    await simple.client.shutdown_session()
