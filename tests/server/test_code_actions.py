"""Code actions: what is offered fits the client, and what is applied does what it says."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio
from editor import Editor, editor_capabilities, edits_of, make_client, offset_of
from lsprotocol import types
from offered_actions import LITERALS, URI, actions_at, capabilities, opened, place, titles_of
from workspace_edits import edited

from rubric_core.analysis.check import check_text
from rubric_core.analysis.verified import errors_of
from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.migration.registry import PAIRS
from rubric_server.features import code_actions

if TYPE_CHECKING:
    from collections.abc import Iterator

EXAMPLES = {
    path.name: path.read_text(encoding="utf-8")
    for path in sorted((Path(__file__).parents[2] / "examples").glob("*.eval.yaml"))
}


EDITS_ONLY = capabilities(LITERALS, workspaceEdit={"documentChanges": True})
EDITS_AND_COMMANDS = capabilities(LITERALS, applyEdit=True)
COMMANDS_ONLY = capabilities(None, applyEdit=True)


def _applied(text: str, edit: Any) -> str:
    """Return a text after a workspace edit of it."""
    changes = edit["changes"][URI] if "changes" in edit else edit["documentChanges"][0]["edits"]
    return edited(text, changes)


# What is offered


def test_fixes_come_first_then_comments_then_refactors(outside: str) -> None:
    """The last one is for the whole file, and only where there is something to fix."""
    text = outside.replace("[0, 5]", "[5, 0]")
    assert titles_of(actions_at(opened(text), text, "12")) == [
        "Change 12 to 10",
        "Ignore RB102 here",
        "Ignore RB102 in this file",
        "Fix all problems that can be fixed safely",
    ]
    kinds = [action["kind"] for action in actions_at(opened(text), text, "12")]
    assert kinds == ["quickfix", "quickfix", "quickfix", "source.fixAll.rubric"]


def test_a_fix_is_offered_anywhere_on_the_line_of_its_problem(outside: str) -> None:
    """The cursor need not be on what is underlined; on another line there is nothing."""
    client = opened(outside)
    assert "Change 12 to 10" in titles_of(actions_at(client, outside, "score_range: [6"))
    assert actions_at(client, outside, "The greeting has", ["quickfix"]) == []


def test_a_selection_of_lines_does_not_reach_into_the_line_behind_it(outside: str) -> None:
    """Editors let it end at the start of the next line."""
    client = opened(outside)
    line = outside[: outside.index("12]")].count("\n")
    context = {"diagnostics": [], "only": ["quickfix"]}

    def selected(first: int, last: int) -> Any:
        place = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}
        params = {"textDocument": {"uri": URI}, "range": place, "context": context}
        return client.request("textDocument/codeAction", params)

    assert selected(line - 1, line) == []
    assert "Change 12 to 10" in titles_of(selected(line, line + 1))


def test_a_fix_is_offered_for_a_problem_that_the_client_names(outside: str) -> None:
    """Diagnostics that are not sound, and those of others, change nothing."""
    client = opened(outside)
    strange: list[Any] = [None, 5, {}, {"range": None}, {"range": {"start": {"line": "x"}}}]
    named = {"range": place(outside, "12"), "code": "RB102", "message": "out of bounds", "severity": 77}
    other = {**named, "code": 7}
    for diagnostics, is_offered in (
        ([named], True),
        ([*strange, named], True),
        ([other], True),
        ([{**named, "code": "E501"}], False),
        (strange, False),
        ("none", False),
    ):
        context = {"diagnostics": diagnostics, "only": ["quickfix"]}
        params = {"textDocument": {"uri": URI}, "range": place(outside, "evalcases"), "context": context}
        found = client.request("textDocument/codeAction", params)
        assert ("Change 12 to 10" in titles_of(found)) is is_offered, diagnostics


def test_a_gap_behind_an_alias_is_closed_at_the_anchor(good: str) -> None:
    """The edit changes the anchored text, for all cases that use it, and the title says so."""
    ranges = "[{score_range: [0, 2], expected_outcome: Bad}, {score_range: [5, 10], expected_outcome: Good}]"
    text = f"bands: &bands {ranges}\n" + good[: good.index("score_ranges:")] + "score_ranges: *bands\n"
    (action, *_) = actions_at(opened(text), text, "score_ranges", ["quickfix"])
    assert action["title"] == "Extend 0-2 to 0-4, at the anchor `&bands`"
    fixed = _applied(text, action["edit"])
    assert fixed == text.replace("[0, 2]", "[0, 4]")
    assert "RB103" not in errors_of(check_text(fixed, path="a.eval.yaml").problems)


# A file of the default dialect can be migrated where there is another generation of the same tool.
_MIGRATION = {"source.migrate.rubric"} if any(source == DEFAULT_DIALECT.name for source, _ in PAIRS) else set()
KINDS = {
    "quickfix": {"quickfix"},
    "refactor": {"refactor.rewrite"},
    "refactor.rewrite": {"refactor.rewrite"},
    "refactor.extract": set(),
    "source": {"source.fixAll.rubric", *_MIGRATION},
    "source.fixAll": {"source.fixAll.rubric"},
    "source.fixAll.rubric": {"source.fixAll.rubric"},
    "source.fixAll.other": set(),
    "": {"quickfix", "refactor.rewrite", "source.fixAll.rubric", *_MIGRATION},
}


@pytest.mark.parametrize(("wanted", "given"), KINDS.items(), ids=[kind or "everything" for kind in KINDS])
def test_only_the_kinds_that_are_asked_for_are_given(inverted: str, wanted: str, given: set[str]) -> None:
    """A kind means all that are below it."""
    text = inverted + "      - Greets first\n"
    client = opened(text)
    found = actions_at(client, text, "[5, 0]", [wanted]) + actions_at(client, text, "Greets first", [wanted])
    assert {action["kind"] for action in found} == given


def test_a_sound_place_of_a_sound_file_has_nothing_to_offer(good: str) -> None:
    """Nor has other YAML, nor a file that is not open."""
    client = opened(good)
    assert actions_at(client, good, "Hello") == []
    client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
    assert actions_at(client, good, "Hello") == []
    other = "rubrics:\n  - a\n"
    client.notify(
        "textDocument/didOpen",
        {"textDocument": {"uri": "file:///nowhere/other.yaml", "languageId": "yaml", "version": 1, "text": other}},
    )
    params = {
        "textDocument": {"uri": "file:///nowhere/other.yaml"},
        "range": place(other, "a"),
        "context": {"diagnostics": []},
    }
    assert client.request("textDocument/codeAction", params) == []


def test_what_is_a_fix_is_not_offered_as_a_refactor_too(good: str) -> None:
    """Ranges that are out of order are reported at one of them, and can be sorted from anywhere in them."""
    text = good.replace("[0, 5]", "[x]").replace("[6, 10]", "[0, 5]").replace("[x]", "[6, 10]")
    client = opened(text)
    at_problem, at_key = (actions_at(client, text, under) for under in ("[0, 5]", "score_ranges"))
    assert [each["kind"] for each in at_problem if each["title"] == "Sort the ranges"] == ["quickfix"]
    assert [each["kind"] for each in at_key if each["title"] == "Sort the ranges"] == ["refactor.rewrite"]


def test_a_safe_fix_that_is_the_only_one_is_preferred(inverted: str) -> None:
    """Only a client that knows what that means is notified."""
    (fix, *others) = actions_at(opened(inverted), inverted, "[5, 0]", ["quickfix"])
    assert fix["isPreferred"]
    assert [problem["code"] for problem in fix["diagnostics"]] == ["RB104"]
    assert not any("isPreferred" in other for other in others)
    assert "isPreferred" not in actions_at(opened(inverted, EDITS_ONLY), inverted, "[5, 0]")[0]


def test_refactors_carry_no_edit_until_they_are_resolved(good: str) -> None:
    """Menus show many of them, and people choose one."""
    client = opened(good)
    offered = actions_at(client, good, "score_ranges")
    assert titles_of(offered) == ["Write the ranges as a map of lowest scores"]
    assert "edit" not in offered[0]
    resolved = client.request("codeAction/resolve", offered[0])
    assert resolved["edit"]["documentChanges"][0]["textDocument"] == {"uri": URI, "version": 1}
    assert "0: There is no greeting at all\n" in _applied(good, resolved["edit"])


def test_a_client_that_does_not_resolve_gets_the_edit_at_once(good: str) -> None:
    """It has no other way to get it."""
    (offered,) = actions_at(opened(good, EDITS_ONLY), good, "score_ranges")
    assert "0: There is no greeting at all\n" in _applied(good, offered["edit"])


# Text that changed in between


def test_a_refactor_of_an_older_text_has_no_edit(good: str) -> None:
    """Its place may be anywhere by now."""
    client = opened(good)
    (offered,) = actions_at(client, good, "score_ranges")
    client.change({"range": place(good, "Hello"), "text": "Good morning"}, 2)
    assert client.request("codeAction/resolve", offered) == offered


def test_all_fixes_are_made_for_the_text_as_it_is_now(inverted: str) -> None:
    """They have no place of their own."""
    client = opened(inverted)
    (offered,) = actions_at(client, inverted, "evalcases", ["source.fixAll"])
    client.change({"range": place(inverted, "evalcases:"), "text": "# new\nevalcases:"}, 2)
    resolved = client.request("codeAction/resolve", offered)
    now = inverted.replace("evalcases:", "# new\nevalcases:")
    assert resolved["edit"]["documentChanges"][0]["textDocument"]["version"] == 2
    assert _applied(now, resolved["edit"]) == now.replace("[5, 0]", "[0, 5]")


def test_a_text_that_changes_while_it_is_fixed_gets_no_edit(inverted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The edits would be for another text."""
    client = opened(inverted)

    def interrupted(*_: object) -> Iterator[None]:
        client.change({"range": place(inverted, "Hello"), "text": "Good morning"}, 2)
        yield
        pytest.fail("The work goes on for a text that is gone.")

    monkeypatch.setattr(code_actions, "fix_all", interrupted)
    (offered,) = actions_at(client, inverted, "evalcases", ["source.fixAll"])
    assert client.request("codeAction/resolve", offered) == offered


@pytest.mark.parametrize(
    "data",
    [3, {}, {"uri": URI, "version": 1, "do": "dance"}, {"uri": "file:///x", "version": 1, "do": "fixAll"}],
    ids=["a number", "empty", "unknown", "not open"],
)
def test_what_we_did_not_offer_comes_back_as_it_is(good: str, data: Any) -> None:
    """A client may send anything."""
    action = {"title": "x", "data": data}
    assert opened(good).request("codeAction/resolve", action) == action


# All of a rule, all of a file


def test_all_problems_of_a_rule_are_fixed_at_once(inverted: str) -> None:
    """The others stay."""
    text = inverted.replace("[6, 10]", "[10, 6]").replace(
        "        expected_outcome: Greets", "        description: Greets"
    )
    client = opened(text)
    titles = titles_of(actions_at(client, text, "[5, 0]"))
    assert "Fix all 2 problems of inverted-score-range (RB104) in this file" in titles
    action = actions_at(client, text, "[5, 0]")[titles.index(titles[1])]
    resolved = client.request("codeAction/resolve", action)
    assert _applied(text, resolved["edit"]) == text.replace("[5, 0]", "[0, 5]").replace("[10, 6]", "[6, 10]")


def test_a_client_that_asks_for_all_fixes_by_name_gets_their_edits(inverted: str) -> None:
    """Editors that fix on saving do so without asking any further."""
    (action,) = actions_at(opened(inverted, EDITS_ONLY), inverted, "evalcases", ["source.fixAll"])
    assert _applied(inverted, action["edit"]) == inverted.replace("[5, 0]", "[0, 5]")


def test_what_cannot_be_fixed_safely_is_no_part_of_it(outside: str) -> None:
    """What changes the meaning of a file is the user's choice."""
    assert actions_at(opened(outside), outside, "evalcases", ["source.fixAll"]) == []
    assert actions_at(opened(outside, EDITS_ONLY), outside, "evalcases", ["source.fixAll"]) == []
    silenced = outside.replace("[6, 12]", "[6, 12]  # rubric: ignore[RB102]")
    assert actions_at(opened(silenced, EDITS_ONLY), silenced, "evalcases", ["source.fixAll"]) == []


# Clients that know less


def test_a_client_that_does_not_resolve_gets_commands_for_what_takes_long(inverted: str) -> None:
    """The command works it out and sends the edit."""
    text = inverted.replace("[6, 10]", "[10, 6]")
    client = opened(text, EDITS_AND_COMMANDS)
    by_title = {action["title"]: action for action in actions_at(client, text, "[5, 0]")}
    action = by_title["Fix all 2 problems of inverted-score-range (RB104) in this file"]
    assert "edit" not in action
    client.request("workspace/executeCommand", action["command"])
    (sent,) = client.of("workspace/applyEdit")
    assert _applied(text, sent["edit"]) == text.replace("[5, 0]", "[0, 5]").replace("[10, 6]", "[6, 10]")
    assert by_title["Fix all problems that can be fixed safely"]["command"]["command"] == "rubric.applyAction"


def test_a_client_that_takes_no_commands_is_not_offered_any(inverted: str) -> None:
    """What it could not do is left out."""
    assert all("edit" in action for action in actions_at(opened(inverted, EDITS_ONLY), inverted, "[5, 0]"))


def test_an_old_client_gets_commands_instead_of_actions(inverted: str) -> None:
    """Every action is one, with all that it takes to apply it."""
    client = opened(inverted, COMMANDS_ONLY)
    commands = actions_at(client, inverted, "[5, 0]")
    assert titles_of(commands)[0] == "Swap 5 and 0"
    assert {command["command"] for command in commands} == {"rubric.applyAction"}
    assert all(set(command) == {"title", "command", "arguments"} for command in commands)
    assert client.request("workspace/executeCommand", commands[0]) == {"edits": 2}
    (sent,) = client.of("workspace/applyEdit")
    assert _applied(inverted, sent["edit"]) == inverted.replace("[5, 0]", "[0, 5]")


def test_a_client_that_can_apply_nothing_is_offered_nothing(inverted: str) -> None:
    """Not even a command."""
    assert actions_at(opened(inverted, {}), inverted, "[5, 0]") == []


# Over the real process


# Each of them is a server of its own, so one has to do for the quick run.
_ENCODINGS = ["utf-8", *(pytest.param(name, marks=pytest.mark.slow) for name in ("utf-16", "utf-32"))]


def _modern(*encodings: str) -> types.ClientCapabilities:
    capabilities = editor_capabilities(*encodings)
    assert capabilities.text_document is not None
    assert capabilities.text_document.code_action is not None
    actions = capabilities.text_document.code_action
    actions.is_preferred_support = actions.data_support = True
    actions.resolve_support = types.ClientCodeActionResolveOptions(properties=["edit"])
    return capabilities


@pytest_asyncio.fixture(scope="session", loop_scope="session", params=_ENCODINGS)
async def modern_window(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Give an editor that resolves actions, in each of the position encodings."""
    started = Editor(make_client(), tmp_path_factory.mktemp("actions"))
    await started.start(capabilities=_modern(request.param))
    yield started
    await started.client.shutdown_session()
    await started.client.stop()


@pytest.mark.asyncio(loop_scope="session")
async def test_a_quick_fix_removes_its_problem(modern_window: Editor, inverted: str, tmp_path: Path) -> None:
    """The edit is right in every position encoding, and keeps the comment beside it."""
    await modern_window.move_to(tmp_path)
    broken = inverted.replace("Hello", "Hello 🎉").replace("score_range: [5, 0]", '"score_range": [5, 0]')
    await modern_window.open(broken)
    action, *_ = await modern_window.actions("[5, 0]")
    assert action.kind == types.CodeActionKind.QuickFix
    assert action.is_preferred
    assert modern_window.under(action.diagnostics or []) == [("RB104", "[5, 0]")]
    published = await modern_window.apply(action)
    assert not published.diagnostics
    assert modern_window.texts["a.eval.yaml"] == broken.replace("[5, 0]", "[0, 5]")


@pytest.mark.asyncio(loop_scope="session")
async def test_fixes_are_tied_to_the_version(modern_window: Editor, inverted: str, tmp_path: Path) -> None:
    """An editor that has moved on can tell that the fix is for an older text."""
    await modern_window.move_to(tmp_path)
    await modern_window.open(inverted)
    await modern_window.change("Hello", "Good morning")
    action, *_ = await modern_window.actions("[5, 0]")
    assert action.edit is not None
    (change,) = action.edit.document_changes or ()
    assert isinstance(change, types.TextDocumentEdit)
    assert change.text_document.version == 2


def _after(text: str, action: types.CodeAction, encoding: str) -> str:
    before = text
    for edit in reversed(edits_of(action)):
        start, end = (offset_of(before, place, encoding) for place in (edit.range.start, edit.range.end))
        text = text[:start] + edit.new_text + text[end:]
    return text


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("name", EXAMPLES)
async def test_every_action_of_an_example_can_be_applied(modern_window: Editor, name: str, tmp_path: Path) -> None:
    """At every line of it, in every position encoding: nothing becomes worse and every line elsewhere stays."""
    await modern_window.move_to(tmp_path)
    text = EXAMPLES[name].replace("review", "r🎉view")
    await modern_window.open(text)
    errors = errors_of(check_text(text, path=name).problems)
    count = 0
    for number, line in enumerate(text.splitlines()):
        column = len(line) - len(line.lstrip(" -"))
        for action in await _actions_at(modern_window, number, column):
            resolved = action
            if action.edit is None:
                resolved = await modern_window.client.code_action_resolve_async(action)
            after = _after(text, resolved, modern_window.encoding)
            assert after != text, action.title
            found = errors_of(check_text(after, path=name).problems)
            if action.kind == code_actions.MIGRATE:
                # What has no counterpart stays as it is, and is an old key from then on.
                del found["RB701"]
            assert not found - errors, action.title
            count += 1
    assert count


async def _actions_at(window: Editor, line: int, column: int) -> list[types.CodeAction]:
    place = types.Position(line, column)
    params = types.CodeActionParams(
        types.TextDocumentIdentifier(window.uri("a.eval.yaml")),
        types.Range(place, place),
        types.CodeActionContext(diagnostics=[]),
    )
    found = await window.client.text_document_code_action_async(params)
    return [action for action in found or () if isinstance(action, types.CodeAction)]


# Migrations
