"""Neovim starts the server by itself for eval files, and shows what it finds at the right place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from uncovered_scores import GREETING_GAP

if TYPE_CHECKING:
    from neovim import Neovim

pytestmark = pytest.mark.slow

EMOJI = """\
evalcases:
  - id: greeting
    expected_outcome: Answers the greeting
    input_messages: [{role: user, content: "🎉 é"}, {role: usr, content: Hello}]
    rubrics: [Greets]
"""


def test_the_problems_of_a_file_are_shown(nvim: Neovim, tmp_path: Path) -> None:
    """A gap between two ranges is an error at the range above it."""
    nvim.edit(tmp_path / "gap.eval.yaml", GREETING_GAP)
    (found,) = nvim.wait("local found = diagnostics() return #found > 0 and found")
    assert (found["code"], found["source"], found["severity"]) == ("RB103", "rubric", 1)
    assert found["line"] == GREETING_GAP[: GREETING_GAP.index("[5, 10]")].count("\n")


def test_behind_an_emoji_the_place_is_right(nvim: Neovim, tmp_path: Path) -> None:
    """Neovim counts bytes, whatever the two agreed on to count in between."""
    nvim.edit(tmp_path / "emoji.eval.yaml", EMOJI)
    (found,) = nvim.wait("local found = diagnostics() return #found > 0 and found")
    assert found["code"] == "RB505"
    line = EMOJI.splitlines()[found["line"]].encode()
    assert line[found["column"] : found["end_column"]] == b"usr"


def test_problems_follow_the_text(nvim: Neovim, tmp_path: Path) -> None:
    """They vanish when the text is mended, and come back when that is undone."""
    nvim.edit(tmp_path / "mended.eval.yaml", GREETING_GAP)
    nvim.wait("return #diagnostics() == 1")
    nvim.command("%s/\\[5, 10\\]/[4, 10]/")
    nvim.wait("return #diagnostics() == 0")
    nvim.command("undo")
    nvim.wait("return #diagnostics() == 1")


def test_json_lines_are_looked_at_too(nvim: Neovim, tmp_path: Path) -> None:
    """Versions that do not know the file type learn it from the plugin."""
    text = '{"id": "a", "expected_outcome": "Greets", "input_messages": [{"role": "usr", "content": "Hello"}]}\n'
    nvim.edit(tmp_path / "cases.jsonl", text)
    assert nvim.lua("return vim.bo.filetype") == "jsonl"
    (found,) = nvim.wait("local found = diagnostics() return #found > 0 and found")
    assert found["code"] == "RB505"


def test_other_yaml_is_left_alone(nvim: Neovim, tmp_path: Path) -> None:
    """The server is there, and finds nothing to say about a file that is not an eval file."""
    nvim.edit(tmp_path / "compose.yaml", "services: {web: {image: nginx, image: again}}\n")
    nvim.lua("ask('textDocument/documentSymbol', {textDocument = vim.lsp.util.make_text_document_params()})")
    assert nvim.lua("return #diagnostics()") == 0


@pytest.mark.parametrize("marker", ["rubric.toml", ".agentv", "pyproject.toml", ".git"])
def test_files_of_one_project_share_a_server(plain_nvim: Neovim, tmp_path: Path, marker: str) -> None:
    """The folder with a marker is the root of the project."""
    (tmp_path / marker).mkdir()
    plain_nvim.edit(tmp_path / "evals" / "one.eval.yaml", GREETING_GAP)
    first = plain_nvim.lua("return {rubric_client().id, rubric_client().config.root_dir}")
    plain_nvim.edit(tmp_path / "evals" / "more" / "two.eval.yaml", GREETING_GAP)
    assert plain_nvim.lua("return {rubric_client().id, rubric_client().config.root_dir}") == first
    assert Path(first[1]) == tmp_path
