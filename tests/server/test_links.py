"""Links to the files that an eval file refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from loopback import Loopback
from lsprotocol import types
from pygls.protocol import default_converter

if TYPE_CHECKING:
    from pathlib import Path

TOOLTIPS = {"textDocument": {"documentLink": {"tooltipSupport": True}}}
SUITE = """\
evalcases:
  - id: a
    expected_outcome: x
    input_messages:
      - role: user
        content: [{type: file, value: 🎉.md}, {type: file, value: gone.md}, {type: file, value: ../../outside.md}]
    evaluators:
      - {name: a, type: llm_judge, prompt: prompts/judge.md}
      - {name: b, type: code_judge, script: python check.py, cwd: ../tools}
      - {name: c, type: code_judge, script: [python, folder.py]}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Give a workspace with the eval file's folder, the files it refers to, and one outside of the workspace."""
    root = tmp_path / "workspace"
    for name in ("evals/🎉.md", "evals/prompts/judge.md", "tools/check.py", ".git/config", "../outside.md"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x", encoding="utf-8")
    (root / "evals/folder.py").mkdir()
    return root


def _links(window: Loopback, uri: str) -> Any:
    return window.request("textDocument/documentLink", {"textDocument": {"uri": uri}})


def test_links_lead_to_files_that_exist_in_the_workspace(folder: Path) -> None:
    """What is missing is a problem and no link, and what lies outside is not looked at."""
    window = Loopback(TOOLTIPS)
    uri = (folder / "evals/a.eval.yaml").as_uri()
    window.open(SUITE, uri)
    found = _links(window, uri)
    default_converter().structure(found, list[types.DocumentLink])
    assert [(each["target"], each["tooltip"]) for each in found] == [
        ((folder / "evals/🎉.md").as_uri(), "Open the file"),
        ((folder / "evals/prompts/judge.md").as_uri(), "Open the prompt"),
        ((folder / "tools/check.py").as_uri(), "Open the script"),
    ]
    line = SUITE.splitlines()[5]
    start = line.index("🎉.md")
    # In utf-16 the emoji counts for two.
    assert found[0]["range"] == {
        "start": {"line": 5, "character": start},
        "end": {"line": 5, "character": start + len("🎉.md") + 1},
    }


def test_a_client_without_tooltips_gets_none(folder: Path) -> None:
    """Only what it can show."""
    window = Loopback()
    uri = (folder / "evals/a.eval.yaml").as_uri()
    window.open(SUITE, uri)
    assert all(set(each) == {"range", "target"} for each in _links(window, uri))


def test_a_text_without_a_file_and_other_files_have_no_links() -> None:
    """Nobody knows what folder a path counts from there."""
    window = Loopback()
    window.open(SUITE, "untitled:a.eval.yaml")
    assert _links(window, "untitled:a.eval.yaml") == []
    window.open("prompt: a.md\n", "file:///nowhere/compose.yaml")
    assert _links(window, "file:///nowhere/compose.yaml") is None
    assert _links(window, "file:///nowhere/none.yaml") is None
