"""Commands: each does what its name says and answers with what it did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from loopback import Loopback

from rubric_server.features import commands

if TYPE_CHECKING:
    from collections.abc import Iterator

URI = "file:///nowhere/a.eval.yaml"
APPLIES = {"workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True}}}


def _opened(text: str) -> Loopback:
    client = Loopback(APPLIES)
    client.open(text)
    client.work()
    return client


def _run(client: Loopback, command: str, *arguments: Any) -> Any:
    return client.request("workspace/executeCommand", {"command": command, "arguments": list(arguments)})


def test_the_client_is_notified_of_the_commands_that_work() -> None:
    """A client that lets nobody change files is not told of those that do."""
    told = Loopback(APPLIES).introduction["capabilities"]["executeCommandProvider"]["commands"]
    assert told[:3] == ["rubric.fixAll", "rubric.applyAction", "rubric.generateRubrics"]
    assert "rubric.gradeCase" in told
    assert Loopback().introduction["capabilities"]["executeCommandProvider"]["commands"] == told[3:]


def test_all_safe_fixes_are_applied(inverted: str) -> None:
    """The edit is tied to the version, and the answer says how much was done."""
    client = _opened(inverted)
    assert _run(client, "rubric.fixAll", URI) == {"uri": URI, "version": 1, "edits": 1}
    (sent,) = client.of("workspace/applyEdit")
    (change,) = sent["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": URI, "version": 1}
    assert [edit["newText"].strip() for edit in change["edits"]] == ["- score_range: [0, 5]  # kept"]


@pytest.mark.parametrize("name", ["good", "outside"])
def test_where_there_is_nothing_to_fix_nothing_is_sent(request: pytest.FixtureRequest, name: str) -> None:
    """The answer says so."""
    client = _opened(request.getfixturevalue(name))
    assert _run(client, "rubric.fixAll", URI)["edits"] == 0
    assert client.of("workspace/applyEdit") == []


def test_other_yaml_is_left_alone() -> None:
    """It belongs to somebody else."""
    client = Loopback(APPLIES)
    client.open("rubrics: [a]\n", "file:///nowhere/other.yaml")
    assert _run(client, "rubric.fixAll", "file:///nowhere/other.yaml")["edits"] == 0


REFUSED = {
    "unknown": ("rubric.dance", [], "There is no command `rubric.dance`."),
    "no address": ("rubric.fixAll", [], "`rubric.fixAll` needs the address of an open file."),
    "not open": ("rubric.fixAll", ["file:///x"], "The file is not open."),
    "no action": ("rubric.applyAction", [3], "`rubric.applyAction` needs an action that was offered before."),
    "nothing at all": ("rubric.applyAction", [], "`rubric.applyAction` needs an action that was offered before."),
    "an empty action": (
        "rubric.applyAction",
        [{}],
        "The file has changed since this action was offered. Request it again.",
    ),
    "an older text": (
        "rubric.applyAction",
        [{"uri": URI, "version": 0, "edit": {"changes": {}}}],
        "The file has changed since this action was offered. Request it again.",
    ),
}


@pytest.mark.parametrize(("command", "arguments", "message"), REFUSED.values(), ids=list(REFUSED))
def test_what_cannot_be_done_is_refused_in_one_sentence(
    good: str, command: str, arguments: list[Any], message: str
) -> None:
    """The editor shows it to the user."""
    client = _opened(good)
    assert _run(client, command, *arguments)["message"] == message
    assert client.of("workspace/applyEdit") == []


def test_a_client_that_lets_nobody_change_files_is_notified(inverted: str) -> None:
    """It may send a command that it was never told of."""
    client = Loopback()
    client.open(inverted)
    assert _run(client, "rubric.fixAll", URI)["message"] == "The editor does not support edits by a language server."


def test_a_file_that_changes_while_it_is_fixed_is_left_alone(inverted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The edits would be for another text."""
    client = _opened(inverted)

    def interrupted(*_: object) -> Iterator[None]:
        client.change({"text": inverted.replace("Hello", "Good morning")}, 2)
        yield

    monkeypatch.setattr(commands, "fix_all", interrupted)
    answer = _run(client, "rubric.fixAll", URI)
    assert answer["message"] == "The file changed while fixes were computed. Try again."
    assert client.of("workspace/applyEdit") == []


def test_a_cancelled_command_does_nothing_more(inverted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client is told so at once, and what the command was doing has ended."""
    client = _opened(inverted)
    ended: list[str] = []

    def endless(*_: object) -> Iterator[None]:
        try:
            while True:
                yield
        finally:
            ended.append("closed")

    monkeypatch.setattr(commands, "fix_all", endless)
    number = client.ask("workspace/executeCommand", {"command": "rubric.fixAll", "arguments": [URI]})
    client.work(slices=3)
    assert not ended
    client.notify("$/cancelRequest", {"id": number})
    assert client.answer(number)["code"] == -32800
    assert ended == ["closed"]
    client.work()
    assert client.of("workspace/applyEdit") == []
