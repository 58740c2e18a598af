"""Definitions, references, highlights and renames over the protocol, also of targets, which other files define."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from editor import text_at
from hypothesis import given
from hypothesis import strategies as st
from loopback import Loopback
from lsprotocol import types
from pygls.protocol import default_converter
from waiting import TIMEOUT
from workspace_edits import applied_in_folder

from rubric_core.syntax.document import Document
from rubric_core.text.spans import Span
from rubric_server.convert import Ranges, range_of

if TYPE_CHECKING:
    from pathlib import Path

    from editor import Editor

URI = "file:///nowhere/a.eval.yaml"
MODERN = {
    "textDocument": {"definition": {"linkSupport": True}, "rename": {"prepareSupport": True}},
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}
SUITE = """\
scorecards:
  🎉 house: {bonuses: [Is kind]}
evalcases:
  - {id: a, expected_outcome: x, input: y, scorecard: 🎉 house}
  - {id: b, expected_outcome: x, input: y, scorecard: "🎉 house"} # 🎉 house
"""


def _at(text: str, stretch: str, uri: str = URI, number: int = 1) -> dict[str, Any]:
    """Return the parameters for a place in a text without anything but ASCII before it on its line."""
    start = -1
    for _ in range(number):
        start = text.index(stretch, start + 1)
    line = text[:start].count("\n")
    return {
        "textDocument": {"uri": uri},
        "position": {"line": line, "character": start - text.rfind("\n", 0, start) - 1},
    }


def _lines(found: list[Any]) -> list[int]:
    return [each["range"]["start"]["line"] for each in found]


def _opened(text: str = SUITE, capabilities: dict[str, Any] = MODERN, uri: str = URI, **members: Any) -> Loopback:
    window = Loopback(capabilities, **members)
    window.open(text, uri)
    return window


# The real process


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("line_break", ["\n", "\r\n"], ids=["lf", "crlf"])
async def test_names_are_followed_and_renamed_in_each_encoding(editor: Editor, line_break: str) -> None:
    """Over the real process: definition, references, highlights, and a rename that the text survives."""
    text = SUITE.replace("\n", line_break)
    await editor.open(text)
    document = types.TextDocumentIdentifier(editor.uri("a.eval.yaml"))
    position = editor.range_of("🎉 house}").start
    client = editor.client

    where = await asyncio.wait_for(
        client.text_document_definition_async(types.DefinitionParams(document, position)), TIMEOUT
    )
    assert isinstance(where, types.Location)
    assert where.range == editor.range_of("🎉 house")

    context = types.ReferenceContext(include_declaration=False)
    references = await client.text_document_references_async(types.ReferenceParams(context, document, position))
    assert [text_at(text, each.range, editor.encoding) for each in references or ()] == ["🎉 house"] * 2

    highlights = await client.text_document_document_highlight_async(types.DocumentHighlightParams(document, position))
    write, read = types.DocumentHighlightKind.Write, types.DocumentHighlightKind.Read
    assert [each.kind for each in highlights or ()] == [write, read, read]

    edit = await client.text_document_rename_async(types.RenameParams(document, position, "it's: 🎉"))
    assert edit is not None
    (change,) = edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit)
    assert change.text_document.version == 1
    after = text
    for each in reversed([each for each in change.edits if isinstance(each, types.TextEdit)]):
        before, under = text_at(text, each.range, editor.encoding), each.new_text
        assert before.strip('"') == "🎉 house"
        start = len(text_at(text, types.Range(types.Position(0, 0), each.range.start), editor.encoding))
        after = after[:start] + under + after[start + len(before) :]
    assert after == text.replace('"🎉 house"', "🎉 house").replace("🎉 house", '"it\'s: 🎉"').replace(
        '# "it\'s: 🎉"', "# 🎉 house"
    )


# Definitions and references


def test_a_client_with_links_learns_what_was_clicked_on() -> None:
    """And what belongs to the definition."""
    window = _opened()
    found = window.request("textDocument/definition", _at(SUITE, "🎉 house}"))
    default_converter().structure(found, list[types.LocationLink])
    (link,) = found
    assert link["targetUri"] == URI
    assert link["targetSelectionRange"] == {"start": {"line": 1, "character": 2}, "end": {"line": 1, "character": 10}}
    assert link["targetRange"]["end"] == {"line": 1, "character": 32}
    assert link["originSelectionRange"]["start"]["line"] == 3


@pytest.mark.parametrize("method", ["definition", "references", "documentHighlight", "prepareRename"])
def test_where_there_is_no_name_there_is_no_answer(method: str) -> None:
    """In a text, in other files, in files that nobody opened."""
    window = _opened()
    window.open("x: &a 1\ny: *a\n", "file:///nowhere/compose.yaml")
    places = [
        _at(SUITE, "input"),
        {"textDocument": {"uri": "file:///nowhere/compose.yaml"}, "position": {"line": 1, "character": 4}},
        {"textDocument": {"uri": "file:///nowhere/none.yaml"}, "position": {"line": 0, "character": 0}},
    ]
    for place in places:
        params = {**place, "context": {"includeDeclaration": True}}
        assert window.request(f"textDocument/{method}", params) is None


def test_references_have_the_definition_where_it_is_wanted() -> None:
    """The client says so."""
    window = _opened()
    for wanted, lines in ((True, [1, 3, 4]), (False, [3, 4])):
        params = {**_at(SUITE, "🎉 house"), "context": {"includeDeclaration": wanted}}
        assert _lines(window.request("textDocument/references", params)) == lines


def test_an_edit_in_between_makes_an_answer_about_a_place_void() -> None:
    """The place that was asked about may be another one by now."""
    window = _opened()
    number = window.ask("textDocument/definition", _at(SUITE, "🎉 house}"))
    window.change({"text": f"name: x\n{SUITE}"}, 2)
    window.work()
    assert window.answer(number) is None


@given(st.data())
def test_ranges_of_many_spans_are_those_of_each_alone(data: st.DataObject) -> None:
    """Whether they are in one chunk, reach over several, or come in any order."""
    document = Document(f"# é\r\n{SUITE}x: |\n  🎉\n  é")
    ranges = Ranges(document, "utf-16")
    for _ in range(6):
        ends = sorted(data.draw(st.lists(st.integers(0, len(document.text)), min_size=2, max_size=2)))
        span = Span(*ends)
        assert ranges(span) == range_of(document, span, "utf-16")


# Renames


def test_only_a_client_that_can_prepare_renames_is_notified() -> None:
    """Others get the plain capability."""
    assert Loopback(MODERN).introduction["capabilities"]["renameProvider"] == {"prepareProvider": True}
    assert Loopback().introduction["capabilities"]["renameProvider"] is True


def test_a_rename_is_prepared_with_the_name_without_its_quotes() -> None:
    """So that the user types the name and nothing else."""
    found = _opened().request("textDocument/prepareRename", _at(SUITE, '"🎉'))
    assert found["placeholder"] == "🎉 house"
    assert (found["range"]["end"]["character"] - found["range"]["start"]["character"]) == len("🎉 house") + 1


def test_a_client_without_versions_gets_plain_changes() -> None:
    """By address."""
    window = _opened(capabilities={})
    found = window.request("textDocument/rename", {**_at(SUITE, "a, expected"), "newName": "c"})
    default_converter().structure(found, types.WorkspaceEdit)
    assert [edit["newText"] for edit in found["changes"][URI]] == ["c"]


@pytest.mark.parametrize(
    ("text", "stretch", "new", "message"),
    [
        (SUITE, "a, exp", "b", "Another case of this file has the id `b` already."),
        (SUITE, "input", "b", "Nothing to rename at the cursor."),
        ("evalcases:\n  - id: a\n    rubrics: [\n", "a\n", "b", "This text cannot be read as YAML"),
        ("target: t\nevalcases:\n  - {id: a, rubrics: []}\n", "t\n", "b", "The target `t` is not defined in a targets"),
    ],
    ids=["taken", "nothing", "broken", "target"],
)
def test_what_cannot_be_renamed_is_refused_with_a_sentence(text: str, stretch: str, new: str, message: str) -> None:
    """The client shows it as it is."""
    window = _opened(text)
    error = window.request("textDocument/rename", {**_at(text, stretch), "newName": new})
    assert error["code"] == -32803
    assert error["message"].startswith(message)


def test_a_name_that_cannot_be_renamed_is_refused_before_the_user_types() -> None:
    """The question is what would be renamed."""
    text = "evalcases:\n  - id: a\n    rubrics: [\n"
    error = _opened(text).request("textDocument/prepareRename", _at(text, "a\n"))
    assert error["message"] == "This text cannot be read as YAML; correct it before you rename anything in it."


# Targets


USES = "execution: {target: fast}\nevalcases:\n  - {id: a, expected_outcome: x, input: y}\n"
TARGETS = """\
# Where answers come from.
targets:
  - name: 'fast'
    judge_target: slow
  - {name: slow, judge_target: fast}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a workspace with two eval files that share a targets file, and one that has its own."""
    for name, text in (
        (".git/config", ""),
        (".agentv/targets.yaml", TARGETS),
        ("a.eval.yaml", USES),
        ("deep/b.eval.yaml", USES),
        ("own/.agentv/targets.yaml", TARGETS),
        ("own/c.eval.yaml", USES),
        ("d.eval.yaml", USES.replace("fast", "slow")),
        ("words.eval.yaml", "evalcases:\n  - {id: fast, expected_outcome: The target is fast, input: y}\n"),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


def _in_folder(folder: Path, capabilities: dict[str, Any] = MODERN) -> tuple[Loopback, dict[str, Any]]:
    uri = (folder / "a.eval.yaml").as_uri()
    folders = [{"uri": folder.as_uri(), "name": "x"}]
    return _opened(USES, capabilities, uri, workspaceFolders=folders), _at(USES, "fast", uri)


def test_a_target_leads_to_the_targets_file(folder: Path) -> None:
    """As it is on the disk, or as it is in the editor."""
    window, place = _in_folder(folder)
    targets = (folder / ".agentv/targets.yaml").as_uri()
    (link,) = window.request("textDocument/definition", place)
    assert (link["targetUri"], link["targetRange"]["start"]["line"]) == (targets, 2)
    references = window.request("textDocument/references", {**place, "context": {"includeDeclaration": True}})
    assert [each["uri"].rpartition("/")[2] for each in references] == ["a.eval.yaml", "targets.yaml"]
    window.open("# New.\n" + TARGETS, targets)
    (link,) = window.request("textDocument/definition", place)
    assert link["targetRange"]["start"]["line"] == 3


@pytest.mark.parametrize("text", ["targets:\n  - name: other\n", "targets: [\n", "x: 1\n", None])
def test_a_target_that_no_targets_file_defines_leads_nowhere(folder: Path, text: str | None) -> None:
    """Also where the targets file cannot be read or is not there."""
    path = folder / ".agentv/targets.yaml"
    path.unlink() if text is None else path.write_text(text, encoding="utf-8")
    window, place = _in_folder(folder)
    assert window.request("textDocument/definition", place) is None


@pytest.mark.parametrize("capabilities", [MODERN, {}], ids=["versions", "plain"])
def test_a_target_is_renamed_in_every_file_that_shares_its_targets_file(
    folder: Path, capabilities: dict[str, Any]
) -> None:
    """Open or not. Another targets file, other targets and other words stay."""
    window, place = _in_folder(folder, capabilities)
    edit = window.request("textDocument/rename", {**place, "newName": " new: one "})
    assert applied_in_folder(edit, folder) == {
        ".agentv/targets.yaml": TARGETS.replace("'fast'", "'new: one'").replace("target: fast", 'target: "new: one"'),
        "a.eval.yaml": USES.replace("fast", '"new: one"'),
        "deep/b.eval.yaml": USES.replace("fast", '"new: one"'),
    }


@pytest.mark.parametrize(
    ("targets", "new", "message"),
    [
        (TARGETS, "slow", "The targets file already has a target `slow`."),
        (TARGETS.replace("'fast'", "&f fast"), "new", "The targets file has an anchor, an alias or a tag at `fast`"),
        (TARGETS, " ", "A name needs at least one visible character."),
    ],
    ids=["taken", "anchor", "empty"],
)
def test_a_target_that_cannot_be_renamed_well_is_refused(folder: Path, targets: str, new: str, message: str) -> None:
    """Nothing is changed then."""
    (folder / ".agentv/targets.yaml").write_text(targets, encoding="utf-8")
    window, place = _in_folder(folder)
    error = window.request("textDocument/rename", {**place, "newName": new})
    assert error["message"].startswith(message)


def test_a_target_that_keeps_its_name_changes_nothing(folder: Path) -> None:
    """The edit is empty."""
    window, place = _in_folder(folder)
    assert window.request("textDocument/rename", {**place, "newName": "fast"}) == {"documentChanges": []}
