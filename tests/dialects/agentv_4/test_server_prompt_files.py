"""Moving a prompt to a file: by an edit where the client can make files, else by the server itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from loopback import Loopback, position
from lsprotocol import types
from pygls.protocol import default_converter

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """\
tests:
  - id: web
    input: Which port?
    criteria: Names the port
    assertions:
      - type: llm-grader
        prompt: Is {{ output }} polite?
"""
ACTIONS = {
    "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["refactor"]}},
    "dataSupport": True,
    "resolveSupport": {"properties": ["edit"]},
}
TITLE = "Move the prompt to `prompts/web.md`"


def _opened(path: Path, text: str, *, edits: dict[str, Any], actions: dict[str, Any]) -> Loopback:
    path.write_text(text, encoding="utf-8")
    workspace = {"applyEdit": True, "workspaceEdit": edits}
    window = Loopback({"textDocument": {"codeAction": actions}, "workspace": workspace})
    window.open(text, path.as_uri())
    return window


def _actions(window: Loopback, path: Path, text: str, word: str) -> dict[str, Any]:
    start = position(text, word)
    place = {"textDocument": {"uri": path.as_uri()}, "range": {"start": start, "end": start}}
    found = window.request("textDocument/codeAction", {**place, "context": {"diagnostics": []}})
    return {each["title"]: each for each in found}


@pytest.mark.parametrize("actions", [ACTIONS, {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}])
def test_a_client_that_makes_files_gets_one_edit(tmp_path: Path, actions: dict[str, Any]) -> None:
    """The file first, which must not be there yet, then its text, then the suite."""
    path = tmp_path / "a.eval.yaml"
    window = _opened(path, TEXT, edits={"documentChanges": True, "resourceOperations": ["create"]}, actions=actions)
    action = _actions(window, path, TEXT, "Is {{")[TITLE]
    if "edit" not in action:
        action = window.request("codeAction/resolve", action)
    default_converter().structure(action["edit"], types.WorkspaceEdit)
    made, filled, changed = action["edit"]["documentChanges"]
    uri = (tmp_path / "prompts/web.md").as_uri()
    assert (made["kind"], made["uri"], made["options"]["overwrite"]) == ("create", uri, False)
    assert (filled["textDocument"]["uri"], filled["edits"][0]["newText"]) == (uri, "Is {{ output }} polite?\n")
    assert changed["edits"][0]["newText"] == "file://prompts/web.md"
    assert not (tmp_path / "prompts").exists()


def test_for_another_client_the_server_makes_the_file(tmp_path: Path) -> None:
    """When the action is chosen, and not before; never over another file."""
    path = tmp_path / "a.eval.yaml"
    window = _opened(path, TEXT, edits={"documentChanges": True}, actions=ACTIONS)
    command = _actions(window, path, TEXT, "Is {{")[TITLE]["command"]
    assert not (tmp_path / "prompts").exists()
    done = window.request(
        "workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]}
    )
    assert done == {"edits": 1}
    assert (tmp_path / "prompts/web.md").read_text(encoding="utf-8") == "Is {{ output }} polite?\n"


def test_a_prompt_is_copied_from_its_file(tmp_path: Path) -> None:
    """The file stays as it is."""
    (tmp_path / "tone.md").write_text("Is {{ output }} polite?\n", encoding="utf-8")
    text = TEXT.replace("Is {{ output }} polite?", "file://tone.md")
    path = tmp_path / "a.eval.yaml"
    window = _opened(path, text, edits={"documentChanges": True}, actions=ACTIONS)
    action = window.request(
        "codeAction/resolve", _actions(window, path, text, "file://")["Copy the prompt from its file"]
    )
    (changed,) = action["edit"]["documentChanges"]
    assert changed["edits"][0]["newText"] == "Is {{ output }} polite?"


def test_a_text_without_a_folder_makes_no_file() -> None:
    """It was never saved."""
    window = Loopback(
        {"textDocument": {"codeAction": ACTIONS}, "workspace": {"workspaceEdit": {"documentChanges": True}}}
    )
    window.open(TEXT, "untitled:a.eval.yaml")
    place = {"start": {"line": 6, "character": 20}, "end": {"line": 6, "character": 20}}
    params = {"textDocument": {"uri": "untitled:a.eval.yaml"}, "range": place, "context": {"diagnostics": []}}
    assert TITLE not in [each["title"] for each in window.request("textDocument/codeAction", params)]
