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
        assert nvim.wait("return vim.b.rubric_dialect") == "AgentV 2"
        nvim.lua("vim.fn.setreg('r', 'Hello') go_to('id: a')")
        nvim.command("RubricGrade judge=manual answer=@r")
        # Where the line is wrapped depends on the length of the path.
        assert "is not a role" in " ".join(nvim.wait("return shown('result')").split())


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
        assert nvim.lua("return told('Install it with `pip install rubric-lsp`')")
        nvim.command("checkhealth rubric")
        report = nvim.lua("return text()")
        assert "command `no-such-rubric` not found" in report
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
        assert said == "rubric: unknown option `virtualtext`; see :help rubric-options"


@pytest.mark.parametrize(
    ("option", "must_be"),
    [
        ("cmd = 'rubric-lsp'", "the option `cmd` must be a list of texts"),
        ("cmd = {}", "the option `cmd` must be a list of texts"),
        ("cmd = { 1 }", "the option `cmd` must be a list of texts"),
        ("filetypes = 'yaml'", "the option `filetypes` must be a list of texts"),
        ("root_markers = { git = '.git' }", "the option `root_markers` must be a list of texts"),
        ("settings = true", "the option `settings` must be a table"),
        ("trusted = 'no'", "the option `trusted` must be true, false or a function"),
        ("virtual_text = 'yes'", "the option `virtual_text` must be true or false"),
        ("border = 1", "the option `border` must be a text or a list"),
        ("judge = true", "the option `judge` must be a text"),
        ("editor_judge = 'gpt'", "the option `editor_judge` must be a function"),
    ],
)
def test_an_option_of_the_wrong_type_is_named(plain_nvim: Neovim, option: str, must_be: str) -> None:
    """In one line, before anything is started with it."""
    said = plain_nvim.lua(f"return select(2, pcall(require('rubric').setup, {{ {option} }}))")
    assert said.startswith(f"rubric: {must_be}")
    assert said.endswith("; see :help rubric-options")


def test_every_option_has_a_type(plain_nvim: Neovim) -> None:
    """The defaults are what they must be."""
    plain_nvim.lua("local options = require('rubric.options') options.set(options.defaults)")
    for option in plain_nvim.lua("return require('rubric.options').further"):
        said = plain_nvim.lua(f"return select(2, pcall(require('rubric').setup, {{ {option} = {{}} }}))")
        assert f"the option `{option}` must be" in said


BY_FUNCTION = "require('rubric').setup({ cmd = function(...) return %s end })"
START_RPC = "vim.lsp.rpc.start({ 'rubric-lsp', '--stdio' }, ...)"


def test_a_function_may_start_the_server(host: EditorHost, tmp_path: Path) -> None:
    """From 0.8 on, as for every server; the health check says so."""
    with closing(Neovim(host, tmp_path / "nvim", "")) as nvim:
        if not nvim.lua("return vim.fn.has('nvim-0.8') == 1"):
            assert "must be a list of texts;" in nvim.lua(
                f"return select(2, pcall(loadstring([[{BY_FUNCTION % 'nil'}]])))"
            )
            return
        nvim.lua(BY_FUNCTION % START_RPC)
        nvim.edit(tmp_path / "a.eval.yaml", BROKEN)
        assert nvim.wait(FOUND)
        nvim.command("checkhealth rubric")
        assert "the server is started by a function" in nvim.lua("return text()")


def test_the_health_check_says_why_no_server_runs(host: EditorHost, tmp_path: Path) -> None:
    """Without `setup` nothing starts it, and a file that is open does not change that."""
    with closing(Neovim(host, tmp_path / "nvim", "")) as nvim:
        (tmp_path / "a.eval.yaml").write_text(BROKEN, encoding="utf-8")
        nvim.command(f"edit {tmp_path / 'a.eval.yaml'}")
        nvim.command("checkhealth rubric")
        report = nvim.lua("return text()")
        assert "the server is not enabled" in report
        assert "require('rubric').setup()" in report
        assert "one starts when" not in report


def test_the_health_check_asks_the_whole_command_for_its_version(host: EditorHost, tmp_path: Path) -> None:
    """The first word of it may be another program."""
    setup = "require('rubric').setup({ cmd = { 'env', 'rubric-lsp', '--stdio' } })"
    with closing(Neovim(host, tmp_path / "nvim", setup)) as nvim:
        nvim.command("checkhealth rubric")
        report = nvim.lua("return text()")
        assert "rubric-lsp 0." in report
        assert "one starts when a file of type yaml or jsonl is opened" in report
        nvim.command("bwipeout")
        nvim.edit(tmp_path / "a.eval.yaml", BROKEN)
        nvim.lua("vim.lsp.stop_client(rubric_client().id, true)")
        nvim.wait("return not rubric_client()")
        # An editor that old notices the end of a server a moment later.
        nvim.wait("vim.cmd('checkhealth rubric') return text():find('no server is running, though', 1, true)")


ENABLED = "require('rubric.options').current.trusted = ... if vim.lsp.enable then vim.lsp.enable('rubric') end"
SET_UP = "require('rubric').setup({ trusted = ... })"


@pytest.mark.parametrize("start", [ENABLED, SET_UP], ids=["enable", "setup"])
def test_trust_is_decided_by_the_folder_of_the_file(host: EditorHost, tmp_path: Path, start: str) -> None:
    """Where nothing marks a project, the folder of the file is its root, not that in which Neovim was started."""
    asks = "function(root) trusted_root = root return false end"
    with closing(Neovim(host, tmp_path / "nvim", start.replace("...", asks))) as nvim:
        folder = tmp_path / "of others"
        folder.mkdir()
        nvim.lua("require('rubric.options').current.root_markers = { 'no-such-marker' }")
        (folder / "a.eval.yaml").write_text(BROKEN, encoding="utf-8")
        nvim.lua("vim.cmd('edit ' .. vim.fn.fnameescape((...)))", str(folder / "a.eval.yaml"))
        nvim.lua("if not vim.lsp.enable then require('rubric').start() end")
        assert nvim.wait(FOUND)
        assert nvim.lua("return trusted_root") == str(folder)
        nvim.lua("vim.fn.setreg('r', 'Hello') go_to('id: a')")
        nvim.command("RubricGrade judge=manual answer=@r")
        nvim.wait("return told('Trust this workspace first')")
        nvim.lua("require('rubric').start()")
        assert nvim.lua("return #require('rubric.versions').clients('rubric')") == 1


def test_two_files_at_once_share_a_server(host: EditorHost, tmp_path: Path) -> None:
    """The second is opened before the server is ready for the first."""
    (tmp_path / "rubric.toml").touch()
    with closing(Neovim(host, tmp_path / "nvim")) as nvim:
        for name in ("one", "two"):
            (tmp_path / f"{name}.eval.yaml").write_text(BROKEN, encoding="utf-8")
        nvim.lua(
            "for _, name in ipairs({'one', 'two'}) do vim.cmd('edit ' .. ... .. name .. '.eval.yaml') end",
            f"{tmp_path}/",
        )
        assert nvim.wait(FOUND)
        assert nvim.lua("vim.wait(500) return #require('rubric.versions').clients('rubric')") == 1


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
        nvim.wait("return told('Trust this workspace first')")
