"""Outlines of documents, and cases of the whole workspace by some letters of their ids."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from editor import text_at
from loopback import Loopback
from lsprotocol import types
from waiting import TIMEOUT

from rubric_core.config.config import Overrides

if TYPE_CHECKING:
    from pathlib import Path

    from editor import Editor

URI = "file:///nowhere/a.eval.yaml"
TREES = {"textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}}}
SUITE = """\
# 🎉
evalcases:
  - id: "🎉é"
    expected_outcome: Names 100 % of it
    input: Which?
    rubrics:
      - id: quality
        score_ranges: {0: None, 5: All}
  - id: second
    expected_outcome: x
    input: Which?
"""


def _outline(window: Loopback, uri: str = URI) -> Any:
    return window.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})


def _lines(symbols: list[Any], depth: int = 0) -> list[str]:
    found: list[str] = []
    for symbol in symbols:
        start, end = symbol["range"]["start"]["line"], symbol["range"]["end"]["line"]
        found += [f"{'  ' * depth}{symbol['name']} {start}-{end}", *_lines(symbol.get("children", []), depth + 1)]
    return found


def test_a_client_that_knows_trees_gets_a_tree() -> None:
    """Lists hold cases, cases hold criteria, criteria hold ranges."""
    window = Loopback(TREES)
    window.open(SUITE)
    found = _outline(window)
    assert _lines(found) == [
        *("evalcases 1-10", "  🎉é 2-7", "    quality 6-7", "      0-4 7-7", "      5-10 7-7", "  second 8-10"),
    ]
    assert found[0]["detail"] == "2 cases"
    assert found[0]["children"][0]["detail"] == "Names 100 % of it"


def test_a_client_that_knows_no_trees_gets_a_list() -> None:
    """Each symbol names what it is in."""
    window = Loopback()
    window.open(SUITE)
    assert [
        (each["name"], each.get("containerName"), each["location"]["range"]["start"]["line"])
        for each in _outline(window)
    ] == [
        ("evalcases", None, 1),
        ("🎉é", "evalcases", 2),
        ("quality", "🎉é", 6),
        ("0-4", "quality", 7),
        ("5-10", "quality", 7),
        ("second", "evalcases", 8),
    ]


def test_an_outline_follows_the_edits() -> None:
    """Lines that move, cases that come and ids that go are all there at the next request."""
    window = Loopback(TREES)
    window.open(SUITE)
    _outline(window)
    start = {"line": 1, "character": 0}
    window.change({"range": {"start": start, "end": start}, "text": "name: x\n"}, 2)
    assert _lines(_outline(window))[:2] == ["evalcases 2-11", "  🎉é 3-8"]
    place = {"start": {"line": 9, "character": 4}, "end": {"line": 9, "character": 14}}
    window.change({"range": place, "text": "note: y"}, 3)
    assert _lines(_outline(window))[-1] == "  case 2 9-11"
    at = {"line": 3, "character": 0}
    window.change({"range": {"start": at, "end": at}, "text": "  - id: new\n"}, 4)
    assert _lines(_outline(window)) == [
        *("evalcases 2-12", "  new 3-3", "  🎉é 4-9", "    quality 8-9", "      0-4 9-9", "      5-10 9-9"),
        "  case 3 10-12",
    ]


def test_an_edit_in_between_starts_an_outline_again() -> None:
    """The answer names the text that the client has by then."""
    window = Loopback(TREES)
    window.open(SUITE)
    number = window.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    window.change({"text": SUITE.replace("second", "changed")}, 2)
    window.work()
    assert _lines(window.answer(number))[-1] == "  changed 8-10"


@pytest.mark.slow
def test_an_outline_of_many_cases_lets_others_go_first() -> None:
    """A request that came later is answered before it."""
    window = Loopback(TREES)
    window.open("evalcases:\n" + "".join(f"  - {{id: c{n}, rubrics: [One, Two]}}\n" for n in range(3000)))
    slow = window.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    place = {"textDocument": {"uri": URI}, "positions": [{"line": 1, "character": 8}]}
    quick = window.ask("textDocument/selectionRange", place)
    window.work()
    order = [message["id"] for message in window.sent if message.get("id") in {slow, quick}]
    assert order == [quick, slow]
    assert len(window.answer(slow)[0]["children"]) == 3000


@pytest.mark.parametrize(
    ("text", "name"), [("services: {web: {}}\n", "compose.yaml"), ("", "b.eval.yaml"), ("x: [\n", "rubric.toml")]
)
def test_other_files_have_no_outline(text: str, name: str) -> None:
    """Nor do files that nobody opened."""
    window = Loopback(TREES)
    window.open(text, f"file:///nowhere/{name}")
    assert not _outline(window, f"file:///nowhere/{name}")
    assert _outline(window, "file:///nowhere/none.yaml") is None


@pytest.mark.parametrize(
    "text", ["evalcases:\n  - id: a\n    rubrics: *gone\n", "x: &r [One]\n" + SUITE + "    rubrics: *r\n"]
)
def test_cases_with_aliases_are_outlined_each_time_anew(text: str) -> None:
    """What an anchor elsewhere means may change without the case."""
    window = Loopback(TREES)
    window.open(text)
    assert _outline(window) == _outline(window)


# The workspace


CASE = "evalcases:\n  - id: {}\n    expected_outcome: x\n    input: y\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a workspace with some eval files and some that are not."""
    (tmp_path / "deep").mkdir()
    for name, text in (
        ("a.eval.yaml", CASE.format("greets-by-name")),
        ("deep/b.yaml", "# é\n" + CASE.format("'🎉 greeting'")),
        ("c.jsonl", '{"id": "farewell", "rubrics": []}\n'),
        ("compose.yaml", "services: {greets: {}}\n"),
        ("tests.yaml", "tests:\n  - id: greets\n    rubrics: [\n"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def _found(window: Loopback, query: str) -> list[str]:
    return [each["name"] for each in window.request("workspace/symbol", {"query": query})]


def _window(folder: Path) -> Loopback:
    return Loopback(workspaceFolders=[{"uri": folder.as_uri(), "name": "x"}])


def test_cases_are_found_by_their_letters_in_files_that_are_not_open(folder: Path) -> None:
    """The best match comes first, and other YAML has no cases."""
    window = _window(folder)
    assert _found(window, "greet") == ["greets-by-name", "🎉 greeting"]
    assert _found(window, "GBN") == ["greets-by-name"]
    assert _found(window, "fw") == ["farewell"]
    assert _found(window, "nothing like it") == []
    assert len(_found(window, "")) == 3
    (found,) = window.request("workspace/symbol", {"query": "🎉"})
    assert found["location"] == {
        "uri": (folder / "deep/b.yaml").as_uri(),
        "range": {"start": {"line": 2, "character": 8}, "end": {"line": 2, "character": 21}},
    }


def test_an_open_file_counts_as_it_is_in_the_editor(folder: Path) -> None:
    """Also one that was never saved."""
    window = _window(folder)
    window.open(CASE.format("greets-nobody"), (folder / "a.eval.yaml").as_uri())
    window.open(CASE.format("greets-all"), "untitled:new.eval.yaml")
    window.open("services: {greets: {}}\n", (folder / "compose.yaml").as_uri())
    assert _found(window, "greets") == ["greets-all", "greets-nobody"]


def test_a_file_that_changes_on_the_disk_is_read_again(folder: Path) -> None:
    """One that is gone has no cases."""
    window = _window(folder)
    assert _found(window, "farewell") == ["farewell"]
    (folder / "c.jsonl").write_text('{"id": "farewell-to-all", "rubrics": []}\n', encoding="utf-8")
    assert _found(window, "farewell") == ["farewell-to-all"]
    (folder / "c.jsonl").unlink()
    assert _found(window, "farewell") == []


def test_a_walk_that_is_called_off_is_not_taken_for_the_whole(folder: Path) -> None:
    """The next question, and one at the same time, gets all files."""
    workspace = _window(folder).server.workspace
    called_off = workspace.files(Overrides(), watched=True)
    first = next(called_off)
    everything = list(workspace.files(Overrides(), watched=True))
    called_off.close()
    assert first == everything[0]
    assert len(everything) == 5
    assert list(workspace.files(Overrides(), watched=True)) == everything


def test_the_list_is_not_endless(folder: Path) -> None:
    """Nobody reads more, and the client asks again at the next letter."""
    cases = "".join(f"  - {{id: case-{n}, rubrics: []}}\n" for n in range(400))
    (folder / "many.yaml").write_text(f"evalcases:\n{cases}", encoding="utf-8")
    window = _window(folder)
    assert len(_found(window, "case")) == 256
    window.open(f"evalcases:\n{cases}", (folder / "many.yaml").as_uri())
    assert len(_found(window, "case")) == 256
    assert _found(window, "case-399") == ["case-399"]


# The real process


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("line_break", ["\n", "\r\n"], ids=["lf", "crlf"])
async def test_symbols_are_at_the_right_place_in_each_encoding(editor: Editor, line_break: str) -> None:
    """Over the real process, and each message has the form that the protocol wants."""
    text = SUITE.replace("\n", line_break)
    await editor.open(text)
    params = types.DocumentSymbolParams(types.TextDocumentIdentifier(editor.uri("a.eval.yaml")))
    found = await asyncio.wait_for(editor.client.text_document_document_symbol_async(params), TIMEOUT)
    assert found is not None
    places = {each.name: each.location.range for each in found if isinstance(each, types.SymbolInformation)}
    assert text_at(text, places["5-10"], editor.encoding) == "5: All"
    assert text_at(text, places["🎉é"], editor.encoding).startswith('- id: "🎉é"')
    symbols = await asyncio.wait_for(editor.client.workspace_symbol_async(types.WorkspaceSymbolParams("sec")), TIMEOUT)
    assert [symbol.name for symbol in symbols or ()] == ["second"]
