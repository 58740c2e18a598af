"""Inlay hints over the real process: at the right place in each encoding, with tooltips now or later."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from editor import Editor, offset_of
from loopback import Loopback
from lsprotocol import types
from waiting import TIMEOUT

pytestmark = pytest.mark.asyncio(loop_scope="session")

_SUITE = """\
evalcases:
  - id: 🎉
    rubrics:
      - {id: "🎉é", weight: 3}
      - 🎉 Names no other
      - id: quality
        score_ranges: {0: "🎉", 5: All}
"""
_SHOWN = """\
evalcases:
  - id: 🎉
    rubrics:
      - {id: "🎉é", weight: 3 «60 %»}
      - «rubric-2» 🎉 Names no other «20 %»
      - id: quality «20 %»
        score_ranges: {0: «0-4» "🎉", 5: «5-10» All}
"""
_URI = "file:///nowhere/a.eval.yaml"
_ALL = {"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}}
_LATER = {"textDocument": {"inlayHint": {"resolveSupport": {"properties": ["tooltip"]}}}}


async def _hints(window: Editor, place: types.Range, name: str = "a.eval.yaml") -> list[types.InlayHint]:
    params = types.InlayHintParams(types.TextDocumentIdentifier(window.uri(name)), place)
    return list(await asyncio.wait_for(window.client.text_document_inlay_hint_async(params), TIMEOUT) or ())


def _whole() -> types.Range:
    return types.Range(types.Position(0, 0), types.Position(999, 0))


def _shown(text: str, found: list[types.InlayHint], encoding: str) -> str:
    for hint in reversed(found):
        at = offset_of(text, hint.position, encoding)
        before, behind = " " if hint.padding_left else "", " " if hint.padding_right else ""
        text = f"{text[:at]}{before}«{hint.label}»{behind}{text[at:]}"
    return text


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
async def test_hints_are_where_they_belong(editor: Editor, line_break: str) -> None:
    """In each encoding, with emoji on the line and with both kinds of line breaks."""
    text, shown = (each.replace("\n", line_break) for each in (_SUITE, _SHOWN))
    await editor.open(text)
    assert _shown(text, await _hints(editor, _whole()), editor.encoding) == shown


async def test_only_the_hints_of_the_range_are_sent(plain_editor: Editor) -> None:
    """The editor asks for what is on the screen."""
    await plain_editor.open(_SUITE)
    found = await _hints(plain_editor, plain_editor.range_of("🎉 Names no other"))
    assert [hint.label for hint in found] == ["rubric-2", "20 %"]


async def test_other_files_have_no_hints(plain_editor: Editor) -> None:
    """Nor have files that nobody opened."""
    plain_editor.send_open("execution: {evaluators: [{rubrics: [a]}]}\n", "other.yaml")
    assert await _hints(plain_editor, _whole(), "other.yaml") == []
    assert await _hints(plain_editor, _whole(), "none.eval.yaml") == []


async def test_hints_follow_an_edit(plain_editor: Editor) -> None:
    """What is asked for after an edit names the new text."""
    await plain_editor.open(_SUITE)
    plain_editor.send_change("weight: 3", "weight: 8")
    assert (await _hints(plain_editor, _whole()))[0].label == "80 %"


def _window(capabilities: dict[str, Any] | None = None, **members: Any) -> Loopback:
    window = Loopback(capabilities, **members)
    window.open(_SUITE)
    return window


def _ask(window: Loopback) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = window.request(
        "textDocument/inlayHint", {"textDocument": {"uri": _URI}, "range": _ALL}
    )
    return found


async def test_a_client_that_does_not_ask_later_gets_tooltips_at_once() -> None:
    """Nothing has to be resolved then."""
    assert _ask(_window())[0]["tooltip"] == "This criterion has weight 3 of 5, 60 % of the score."


async def test_a_client_that_asks_later_gets_tooltips_later() -> None:
    """Each hint comes back with its own."""
    window = _window(_LATER)
    found = _ask(window)
    assert all("tooltip" not in hint for hint in found)
    resolved = [window.request("inlayHint/resolve", hint) for hint in found]
    assert [hint["label"] for hint in resolved] == [hint["label"] for hint in found]
    assert resolved[1]["tooltip"].startswith("Results call this criterion `rubric-2`")
    assert resolved[4]["tooltip"].startswith("This band covers 0-4")


@pytest.mark.parametrize(
    "changed",
    [
        {"data": {"uri": _URI}},
        {"data": {"uri": "file:///none", "version": 1, "kind": "SHARE"}},
        {"data": {"uri": _URI, "version": 7, "kind": "SHARE"}},
        {"data": {"uri": _URI, "version": 1, "kind": "OTHER"}},
        {"position": {"line": 0, "character": 0}},
    ],
)
async def test_a_hint_of_an_older_text_comes_back_as_it_is(changed: dict[str, Any]) -> None:
    """A tooltip that is not true is worse than none."""
    window = _window(_LATER)
    hint = {**_ask(window)[0], **changed}
    assert window.request("inlayHint/resolve", hint) == hint


@pytest.mark.parametrize(
    ("switch", "left"),
    [
        ("extents", ["60 %", "rubric-2", "20 %", "20 %"]),
        ("shares", ["rubric-2", "0-4", "5-10"]),
        ("ids", ["60 %", "20 %", "20 %", "0-4", "5-10"]),
    ],
)
async def test_each_kind_has_its_switch(switch: str, left: list[str]) -> None:
    """The user's choice holds at once."""
    window = _window()
    window.notify("workspace/didChangeConfiguration", {"settings": {"rubric": {"inlayHints": {switch: False}}}})
    assert [hint["label"] for hint in _ask(window)] == left


async def test_hints_name_the_latest_text() -> None:
    """A range is read in the text that is there when its turn comes."""
    window = _window()
    window.work()
    number = window.ask("textDocument/inlayHint", {"textDocument": {"uri": _URI}, "range": _ALL})
    window.change({"text": f"# one more line\n{_SUITE}"}, 2)
    window.work()
    assert window.answer(number)[0]["position"]["line"] == 4
