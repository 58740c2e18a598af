"""Requests of an editor over a file of AgentV 5."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialect_suites import SUITES
from loopback import Loopback, at
from workspace_edits import applied_in_folder

if TYPE_CHECKING:
    from pathlib import Path

FIVE = SUITES["agentv-5"]
CAPABILITIES = {"workspace": {"workspaceEdit": {"documentChanges": True}}}


def test_paths_lead_to_files(tmp_path: Path) -> None:
    """As links and as definitions."""
    (tmp_path / "prompts").mkdir()
    for name in ("ask.md", "judge.md"):
        (tmp_path / "prompts" / name).write_text("{{ input }} {{ output }}", encoding="utf-8")
    uri = (tmp_path / "a.eval.yaml").as_uri()
    window = Loopback(CAPABILITIES)
    window.open(FIVE, uri)
    links = window.request("textDocument/documentLink", {"textDocument": {"uri": uri}})
    assert [each["target"].rpartition("/")[2] for each in links] == ["ask.md", "judge.md"]
    place = window.request("textDocument/definition", at(FIVE, "file://prompts/judge.md", uri))
    assert place["uri"] == (tmp_path / "prompts" / "judge.md").as_uri()
    found = window.request("textDocument/completion", at(FIVE, "file://prompts/ask.md", uri))
    assert found is not None


def test_a_label_of_the_file_is_followed_and_renamed() -> None:
    """No providers file is needed for that."""
    window = Loopback(CAPABILITIES)
    window.open(FIVE)
    place = window.request("textDocument/definition", at(FIVE, "fast\n"))
    assert place["range"]["start"]["line"] == FIVE[: FIVE.index("label: fast")].count("\n")
    edit = window.request("textDocument/rename", {**at(FIVE, "fast\n"), "newName": "slow"})
    assert [each["newText"] for each in edit["documentChanges"][0]["edits"]] == ["slow", "slow"]


CONFIGURED = "providers:\n  - {id: openai:gpt-5, label: fast}\n  - id: echo\n"
SUITE_5 = 'prompts: ["{{ q }}"]\nproviders: [fast, echo]\ntests:\n  - {id: a, vars: {q: x}, assert: [y]}\n'


def test_a_provider_of_the_configuration_is_found_and_renamed(tmp_path: Path) -> None:
    """One without a label is called by its id, which says what answers, so it keeps that."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".agentv").mkdir()
    (tmp_path / ".agentv/config.yaml").write_text(CONFIGURED, encoding="utf-8")
    (tmp_path / "a.eval.yaml").write_text(SUITE_5, encoding="utf-8")
    uri = (tmp_path / "a.eval.yaml").as_uri()
    capabilities = {**CAPABILITIES, "textDocument": {"definition": {"linkSupport": True}, "rename": {}}}
    window = Loopback(capabilities, workspaceFolders=[{"uri": tmp_path.as_uri(), "name": "x"}])
    window.open(SUITE_5, uri)
    (link,) = window.request("textDocument/definition", at(SUITE_5, "fast", uri))
    assert link["targetUri"] == (tmp_path / ".agentv/config.yaml").as_uri()
    edit = window.request("textDocument/rename", {**at(SUITE_5, "fast", uri), "newName": "quick"})
    assert applied_in_folder(edit, tmp_path) == {
        ".agentv/config.yaml": CONFIGURED.replace("fast", "quick"),
        "a.eval.yaml": SUITE_5.replace("fast", "quick"),
    }
    error = window.request("textDocument/rename", {**at(SUITE_5, "echo", uri), "newName": "quick"})
    assert error["message"] == "The provider `echo` has no label of its own; give it a `label` and use that."


def test_a_client_is_notified_when_the_dialect_changes() -> None:
    """With the reason."""
    window = Loopback({"experimental": {"rubric": {"dialect": True}}})
    window.open("evalcases: []\n")
    window.work()
    window.change({"text": "prompts: [x]\ntests: []\n"}, 2)
    window.work()
    assert [(params["dialect"], params["reason"]) for params in window.of("rubric/dialect")] == [
        ("agentv-2", "because of the key `evalcases`"),
        ("agentv-5", "because of the key `prompts`"),
    ]
