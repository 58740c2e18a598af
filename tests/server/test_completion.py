"""Completion over the real process: each client gets what it can show and insert."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from completions import expand
from editor import Editor, make_client, offset_of, position_of
from lsprotocol import types
from pygls.protocol import default_converter

from rubric_core.syntax.parse import parse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

pytestmark = pytest.mark.asyncio(loop_scope="session")

_CLIENTS = Path(__file__).parents[1] / "support" / "clients"
# Each of them has a server of its own, so two have to do for the quick run.
_OTHERS = ("neovim-0.10", "neovim-0.11", "emacs-eglot", "helix", "plain-text")
_EDITORS = ["vscode", "bare", *(pytest.param(name, marks=pytest.mark.slow) for name in _OTHERS)]

_HEAD = """\
description: Ports 🎉
evalcases:
  - id: port
    expected_outcome: Names the port 🎉
    input: Which port?
"""
_RUBRICS = f"""\
{_HEAD}    rubrics:
      - id: quality
        score_ranges:
          0: Nothing
          4: Some of it
"""


@cache
def _capabilities(name: str) -> dict[str, Any]:
    return json.loads((_CLIENTS / f"{name}.json").read_text(encoding="utf-8"))


def _structured(name: str) -> types.ClientCapabilities:
    return default_converter().structure(_capabilities(name), types.ClientCapabilities)


@pytest_asyncio.fixture(scope="session", loop_scope="session", params=_EDITORS)
async def client_window(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[tuple[str, Editor]]:
    """Give a window of each editor, by what the editor says that it can do."""
    window = Editor(make_client(), tmp_path_factory.mktemp("start"))
    await window.start(capabilities=_structured(request.param))
    yield request.param, window
    await window.client.shutdown_session()
    await window.client.stop()


async def _ask(
    window: Editor, marked: str, name: str = "a.eval.yaml", typed: str | None = None
) -> types.CompletionList | None:
    """Open a text and ask for completion at its `$0`."""
    at = marked.index("$0")
    text = marked.replace("$0", "", 1)
    if name in window.texts:
        window.send_close(name)
    window.send_open(text, name)
    kind = types.CompletionTriggerKind.TriggerCharacter if typed else types.CompletionTriggerKind.Invoked
    params = types.CompletionParams(
        types.TextDocumentIdentifier(window.uri(name)),
        position_of(text, at, window.encoding),
        types.CompletionContext(kind, typed),
    )
    found = await window.client.text_document_completion_async(params)
    assert found is None or isinstance(found, types.CompletionList)
    return found


def _item(found: types.CompletionList | None, label: str) -> types.CompletionItem:
    assert found is not None
    return next(item for item in found.items if item.label == label)


def _edit(found: types.CompletionList, item: types.CompletionItem) -> tuple[types.Range, str]:
    """Return what an item replaces and by what, from itself or from what all items share."""
    if isinstance(item.text_edit, types.TextEdit):
        return item.text_edit.range, item.text_edit.new_text
    assert found.item_defaults is not None
    assert isinstance(found.item_defaults.edit_range, types.Range)
    return found.item_defaults.edit_range, item.text_edit_text or item.label


def _accept(window: Editor, name: str, found: types.CompletionList, item: types.CompletionItem) -> str:
    """Insert an item as its editor does: snippets are indented like their line, unless it asks not to."""
    text = window.texts["a.eval.yaml"]
    place, new = _edit(found, item)
    start, end = (offset_of(text, position, window.encoding) for position in (place.start, place.end))
    aside = [
        (
            *(offset_of(text, position, window.encoding) for position in (edit.range.start, edit.range.end)),
            edit.new_text,
        )
        for edit in item.additional_text_edits or ()
    ]
    line = text[text.rfind("\n", 0, start) + 1 : start]
    is_snippet = item.insert_text_format is types.InsertTextFormat.Snippet
    if is_snippet:
        assert _capabilities(name)["textDocument"]["completion"]["completionItem"]["snippetSupport"]
    adjusts = item.insert_text_mode is types.InsertTextMode.AdjustIndentation or (
        item.insert_text_mode is None and is_snippet
    )
    if adjusts:
        if name == "vscode":
            # It makes room first and looks at the line then; others look at the line as it is.
            line = line[: len(line) - sum(stop - begin for begin, stop, _ in aside)] if not line.strip() else line
        indent = line[: len(line) - len(line.lstrip(" "))]
        new = new.replace("\n", f"\n{indent}")
    if is_snippet:
        new = expand(new)
    for begin, stop, other in sorted([*aside, (start, end, new)], reverse=True):
        text = text[:begin] + other + text[stop:]
    return text


def _page(item: types.CompletionItem) -> tuple[str, str]:
    """Return the form of an item's documentation, nothing for a string, and its text."""
    if isinstance(item.documentation, types.MarkupContent):
        return item.documentation.kind.value, item.documentation.value
    assert item.documentation is not None
    return "", item.documentation


_CURSORS = [
    pytest.param(f"{_HEAD}    $0\n", "rubrics", "\n    rubrics:\n      - \n", id="key"),
    pytest.param(f"{_HEAD}    re$0\n", "rubrics", "\n    rubrics:\n      - \n", id="half-typed key"),
    pytest.param(f"{_HEAD}        $0\n", "rubrics", "\n    rubrics:\n      - \n", id="key, too deep"),
    pytest.param(f"{_HEAD}  $0", "case", "\n  - id: case-id\n    expected_outcome: ", id="case"),
    pytest.param(f"{_HEAD}  - $0", "case", "\n  - id: case-id\n    expected_outcome: ", id="case behind its dash"),
    pytest.param(f"{_HEAD}    rubrics: $0\n", "criterion", "\n    rubrics:\n      - What the", id="list below its key"),
    pytest.param(f"{_RUBRICS}          $0\n", "8", "\n          8: \n", id="next band"),
    pytest.param(f"{_RUBRICS}        required_min_score: $0\n", "4", "_score: 4\n", id="gate"),
    pytest.param(
        f"{_HEAD}    execution: $0\n".replace(": $0", ":\n      $0"), "target", "\n      target: ", id="below"
    ),
    pytest.param("$0", "eval suite", "evalcases:\n  - id: case-id\n", id="whole suite"),
    pytest.param(f"{_RUBRICS}# rubric: ignore[$0]\n", "RB103", "ignore[RB103]", id="rule"),
]


@pytest.mark.parametrize(("marked", "label", "expected"), _CURSORS)
async def test_every_client_gets_the_same_text(
    client_window: tuple[str, Editor], marked: str, label: str, expected: str
) -> None:
    """With snippets or without, with indentation of its own or without: what is accepted is the same YAML."""
    name, window = client_window
    found = await _ask(window, marked)
    assert found is not None
    assert not found.is_incomplete
    text = _accept(window, name, found, _item(found, label))
    assert expected in text
    assert not parse(text).problems


async def test_documentation_comes_when_it_is_asked_for(client_window: tuple[str, Editor]) -> None:
    """In Markdown where the client prefers that, else as plain text or a string; at once where it never asks."""
    name, window = client_window
    support = _capabilities(name).get("textDocument", {}).get("completion", {}).get("completionItem", {})
    item = _item(await _ask(window, f"{_HEAD}    $0\n"), "rubrics")
    asks_later = "documentation" in support.get("resolveSupport", {"properties": ["documentation"]})["properties"]
    assert (item.documentation is None) is asks_later
    resolved = await window.client.completion_item_resolve_async(item)
    form, page = _page(resolved)
    assert form == next(iter(support.get("documentationFormat", [])), "")
    assert "criteria that a judge checks" in page


async def test_the_page_of_a_rule_is_its_documentation(client_window: tuple[str, Editor]) -> None:
    """Plain text has the words without their marks."""
    _, window = client_window
    item = _item(await _ask(window, f"{_RUBRICS}# rubric: ignore[$0]\n"), "RB103")
    assert item.documentation is None
    form, page = _page(await window.client.completion_item_resolve_async(item))
    assert "uncovered-scores (RB103)" in page
    assert ("```" in page) is ("`" in page) is (form == "markdown")


async def test_words_beside_the_label_follow_the_client(client_window: tuple[str, Editor]) -> None:
    """Label details are sent to whom can show them, and one range for all to whom can take that."""
    name, window = client_window
    completion = _capabilities(name).get("textDocument", {}).get("completion", {})
    found = await _ask(window, f"{_HEAD}    $0\n")
    item = _item(found, "expected_messages")
    assert item.detail == "A reference answer"
    assert (item.label_details is not None) is completion.get("completionItem", {}).get("labelDetailsSupport", False)
    shares = "editRange" in completion.get("completionList", {}).get("itemDefaults", [])
    assert found is not None
    assert (found.item_defaults is not None) is shares
    assert (item.text_edit is None) is shares


_TYPED = [
    pytest.param(f"{_HEAD}     $0\n", " ", False, id="a space that indents"),
    pytest.param(f"{_HEAD}    note: some words $0\n", " ", False, id="a space in a text"),
    pytest.param(f"{_HEAD}    # a remark, $0\n", " ", False, id="a space in a comment"),
    pytest.param(f"{_HEAD}  - $0\n", " ", True, id="a space behind a dash"),
    pytest.param(f"{_HEAD}    evaluator: $0\n", " ", True, id="a space behind a colon"),
    pytest.param(f"{_HEAD}    evaluator:$0\n", ":", True, id="the colon of a key with few values"),
    pytest.param(f"{_HEAD}    rubrics:$0\n", ":", False, id="the colon of a list"),
    pytest.param(f"{_HEAD}    rubrics: $0\n", " ", False, id="a space behind the colon of a list"),
    pytest.param(f"{_HEAD}    note: a-$0\n", "-", False, id="a dash in a word"),
    pytest.param(f"{_HEAD}    # rubric:$0\n", ":", True, id="the colon of a directive"),
    pytest.param(f"{_HEAD}    # rubric: ignore[$0\n", "[", True, id="the bracket of a directive"),
    pytest.param(f"{_HEAD}    # rubric: ignore[RB103,$0\n", ",", True, id="the comma between rules"),
]


@pytest.mark.parametrize(("marked", "typed", "shows"), _TYPED)
async def test_a_typed_character_shows_a_list_only_where_it_helps(
    plain_editor: Editor, marked: str, typed: str, *, shows: bool
) -> None:
    """Nobody wants a list that Enter would accept while a new line is meant."""
    found = await _ask(plain_editor, marked, typed=typed)
    assert (found is not None) is shows


async def test_positions_are_counted_in_the_units_of_the_client(editor: Editor) -> None:
    """Behind an emoji on the same line, each encoding has its own column."""
    marked = f"{_HEAD}    rubrics: [{{id: 🎉🎉, req$0}}]\n"
    found = await _ask(editor, marked)
    assert found is not None
    place, _ = _edit(found, _item(found, "required"))
    text = marked.replace("$0", "")
    assert text[offset_of(text, place.start, editor.encoding) : offset_of(text, place.end, editor.encoding)] == "req"


async def test_other_files_get_nothing(plain_editor: Editor) -> None:
    """Other YAML, a document that is not open, and a place outside of the text."""
    assert await _ask(plain_editor, "services:\n  web:\n    $0\n", "compose.yaml") is None
    unknown = types.TextDocumentIdentifier(plain_editor.uri("nowhere.eval.yaml"))
    params = types.CompletionParams(unknown, types.Position(0, 0))
    assert await plain_editor.client.text_document_completion_async(params) is None


@pytest.mark.parametrize("data", [None, "x", ["field"], ["field", "nowhere", "id"], [1, 2, 3], ["rule", "RB000", ""]])
async def test_a_proposal_that_is_not_ours_comes_back_as_it_was(plain_editor: Editor, data: object) -> None:
    """Whatever a client asks to be documented, it gets its answer."""
    item = types.CompletionItem("id", data=data)
    assert await plain_editor.client.completion_item_resolve_async(item) == item
