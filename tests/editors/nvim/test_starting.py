"""The ways to start the server, and what is said where it cannot be started."""

from __future__ import annotations

import re
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from hosts import ROOT
from neovim import Neovim

if TYPE_CHECKING:
    from pathlib import Path

    from editor_hosts import EditorHost

pytestmark = pytest.mark.slow

BROKEN = "evalcases: [{id: a, expected_outcome: b, input_messages: [{role: usr, content: c}]}]\n"
FOUND = "local found = diagnostics() return #found > 0 and found"


def test_neovim_starts_the_server_by_its_own_means(host: EditorHost, tmp_path: Path) -> None:
    """From 0.11 on `vim.lsp.enable` is enough, and grading works all the same; before, `start()` in a buffer is."""
    by_name = "if vim.lsp.enable then vim.lsp.enable('rubric') end"
    with closing(Neovim(host, tmp_path / "nvim", by_name)) as nvim:
        path = tmp_path / "a.eval.yaml"
        path.write_text(BROKEN, encoding="utf-8")
        nvim.command(f"edit {path}")
        nvim.lua("if not vim.lsp.enable then require('rubric').start() end")
        nvim.wait("return rubric_client()  ~= nil")
        (found,) = nvim.wait(FOUND)
        assert found["code"] == "RB505"
        nvim.lua("vim.fn.setreg('r', 'Hello') go_to('id: a')")
        nvim.command("RubricGrade judge=manual answer=@r")
        assert "is not a role" in nvim.wait("return shown('result')")


def test_files_that_are_open_already_are_looked_at(host: EditorHost, tmp_path: Path) -> None:
    """A plugin manager may load us late."""
    with closing(Neovim(host, tmp_path / "nvim", "")) as nvim:
        path = tmp_path / "a.eval.yaml"
        path.write_text(BROKEN, encoding="utf-8")
        nvim.command(f"edit {path}")
        assert nvim.lua("return rubric_client() == nil")
        nvim.lua("require('rubric').setup()")
        assert nvim.wait(FOUND)


def test_a_missing_command_is_named(host: EditorHost, tmp_path: Path) -> None:
    """The user is told what to do, when an eval file is opened and by the health check; nothing fails."""
    with closing(Neovim(host, tmp_path / "nvim", "require('rubric').setup({ cmd = { 'no-such-rubric' } })")) as nvim:
        path = tmp_path / "a.eval.yaml"
        path.write_text(BROKEN, encoding="utf-8")
        nvim.command(f"silent! edit {path}")
        assert nvim.lua("return told('`pip install rubric-lsp` brings it')")
        nvim.command("checkhealth rubric")
        report = nvim.lua("return text()")
        assert "the command `no-such-rubric` is not found" in report
        assert "pip install rubric-lsp" in report


def test_the_lines_of_the_page_are_accepted(host: EditorHost, tmp_path: Path) -> None:
    """What users paste into their `init.lua` is what Neovim runs here."""
    page = (ROOT / "docs" / "neovim.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```lua\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    with closing(Neovim(host, tmp_path / "nvim", "")) as nvim:
        for block in blocks:
            nvim.lua(block)
        assert nvim.lua("return require('rubric.options').current.ask_reasons") is False
    assert len(blocks) == 2


def test_an_unknown_option_is_named(host: EditorHost, tmp_path: Path) -> None:
    """A misspelt one does not stay without effect in silence."""
    with closing(Neovim(host, tmp_path / "nvim", "")) as nvim:
        said = nvim.lua("return select(2, pcall(require('rubric').setup, { virtualtext = true }))")
        assert said == "rubric: there is no option `virtualtext`; :help rubric-options lists them"


def test_settings_reach_the_server(host: EditorHost, tmp_path: Path) -> None:
    """The option `settings` is what other editors keep under `rubric`."""
    setup = "require('rubric').setup({ settings = { ignore = { 'RB505' } } })"
    with closing(Neovim(host, tmp_path / "nvim", setup)) as nvim:
        nvim.edit(tmp_path / "a.eval.yaml", BROKEN + "typo: 1\n")
        found = nvim.wait(FOUND)
        assert [each["code"] for each in found] == ["RB003"]


def test_an_untrusted_folder_is_only_checked(host: EditorHost, tmp_path: Path) -> None:
    """The option `trusted` may be a function of the root folder."""
    setup = "require('rubric').setup({ trusted = function(root) trusted_root = root return false end })"
    (tmp_path / "rubric.toml").touch()
    with closing(Neovim(host, tmp_path / "nvim", setup)) as nvim:
        nvim.edit(tmp_path / "evals" / "a.eval.yaml", BROKEN)
        assert nvim.wait(FOUND)
        assert nvim.lua("return trusted_root") == str(tmp_path)
        nvim.lua("vim.fn.setreg('r', 'Hello') go_to('id: a')")
        nvim.command("RubricGrade judge=manual answer=@r")
        nvim.wait("return told('trust this workspace first')")
