"""What Neovim's own functions for language servers do with ours: actions, completion, hover, names, lenses."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from neovim import PLUGIN
from uncovered_scores import GREETING_GAP

if TYPE_CHECKING:
    from pathlib import Path

    from neovim import Neovim

pytestmark = pytest.mark.slow

GAP = GREETING_GAP.replace("        expected_outcome: Greets", "        description: Greets")
HALF_TYPED = """\
evalcases:
  - id: greeting
    expected_outcome: Answers the greeting
    input_messages: [{role: user, content: Hello}]
    rubrics:
      - id: greets
        expected_outcome: Greets the user by name
        wei
"""


def test_the_fix_of_a_gap_is_applied(nvim: Neovim, tmp_path: Path) -> None:
    """It is chosen among the code actions at the cursor, and changes nothing but the bound."""
    nvim.edit(tmp_path / "gap.eval.yaml", GAP)
    nvim.wait("return #diagnostics() > 0")
    nvim.lua("go_to('[5, 10]') answer_with({'Extend 5-10 down to 4-10'}) vim.lsp.buf.code_action()")
    nvim.wait("return not text():find('[5, 10]', 1, true)", "The fix")
    assert nvim.lua("return text()") == GAP.replace("[5, 10]", "[4, 10]")


def test_all_safe_fixes_are_applied_by_a_command(nvim: Neovim, tmp_path: Path) -> None:
    """`:RubricFixAll` renames an old field; the gap is left, since its fix changes what the file means."""
    nvim.edit(tmp_path / "fix.eval.yaml", GAP)
    nvim.command("RubricFixAll")
    nvim.wait("return not text():find('description', 1, true)", "The fix")
    assert nvim.lua("return text()") == GAP.replace("description:", "expected_outcome:")


def test_nothing_to_fix_is_said(nvim: Neovim, tmp_path: Path) -> None:
    """A command that changes nothing does not stay silent."""
    nvim.edit(tmp_path / "fixed.eval.yaml", GAP.replace("description:", "expected_outcome:"))
    nvim.lua("notified = {}")
    nvim.command("RubricFixAll")
    nvim.wait("return told('no safe fixes')")


def test_keys_are_completed(nvim: Neovim, tmp_path: Path) -> None:
    """Typing in insert mode with Neovim's own completion inserts the field."""
    nvim.edit(tmp_path / "half.eval.yaml", HALF_TYPED)
    nvim.lua("vim.bo.omnifunc = 'v:lua.vim.lsp.omnifunc' vim.o.completeopt = 'menuone'")
    nvim.type("G$a<C-x><C-o>")
    words = nvim.wait(
        "local found = vim.fn.complete_info({'items'}).items "
        "return #found > 0 and vim.tbl_map(function(item) return item.word end, found)",
        "The menu",
    )
    assert any(word.startswith("weight") for word in words)
    assert len(words) == len(set(words))
    nvim.type("<C-y>")
    nvim.wait("return vim.fn.pumvisible() == 0 and vim.fn.getline('$'):find('weight', 1, true)", "The field")
    # Newer versions ask for the rest of what was chosen, and put it in then.
    nvim.wait("return next(rubric_client().requests or {}) == nil", "The rest of it")
    nvim.type("<Esc>")
    nvim.wait("return vim.fn.mode() == 'n'")


# All in one call: between two calls Neovim may note that the cursor has moved, and close the window.
_HOVERED = """
go_to('score_ranges')
vim.lsp.buf.hover()
local text
vim.wait(30000, function()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then
      local buffer = vim.api.nvim_win_get_buf(window)
      text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), '\\n')
      return true
    end
  end
end, 10)
return assert(text, 'no window')
"""


def test_hovering_shows_the_ruler_of_the_bands(nvim: Neovim, tmp_path: Path) -> None:
    """The gap at 4 is visible in it."""
    nvim.edit(tmp_path / "hover.eval.yaml", GAP)
    text = nvim.lua(_HOVERED)
    nvim.lua("close_floats()")
    assert "There is no greeting at all" in text
    assert "4" in text


def test_a_case_is_renamed(nvim: Neovim, tmp_path: Path) -> None:
    """Neovim's own rename asks our server."""
    nvim.edit(tmp_path / "rename.eval.yaml", GAP)
    nvim.lua("go_to('greets') vim.lsp.buf.rename('welcomes')")
    nvim.wait("return text():find('id: welcomes', 1, true)", "The new name")


def test_the_outline_has_the_cases(nvim: Neovim, tmp_path: Path) -> None:
    """Neovim lists the symbols of the file."""
    nvim.edit(tmp_path / "outline.eval.yaml", GAP)
    nvim.lua("vim.fn.setqflist({}) vim.lsp.buf.document_symbol()")
    found = nvim.wait(
        # Older versions put them into the quickfix list, newer ones into that of the window.
        "local found = vim.list_extend(vim.fn.getloclist(0), vim.fn.getqflist()) return #found > 0 and found"
    )
    nvim.command("lclose")
    nvim.command("cclose")
    assert any("greeting" in entry["text"] for entry in found)


def test_every_lens_of_grading_is_done_here(nvim: Neovim) -> None:
    """The client knows exactly the commands whose results it shows."""
    known = nvim.lua("return vim.tbl_keys(require('rubric.server').config().commands)")
    assert sorted(known) == sorted(nvim.lua("return vim.tbl_keys(require('rubric.actions').by_lens)"))


def test_the_health_check_names_the_server(nvim: Neovim, tmp_path: Path) -> None:
    """`:checkhealth rubric` finds the command and the running server, and no error."""
    nvim.edit(tmp_path / "health.eval.yaml", GAP)
    nvim.command("checkhealth rubric")
    report = nvim.lua("return text()")
    nvim.command("bwipeout")
    assert "rubric-lsp 0." in report
    assert "a server is running for" in report
    assert "lsp.log" in report
    assert "ERROR" not in report


def test_the_tags_of_the_help_are_fresh(nvim: Neovim, tmp_path: Path) -> None:
    """They are a part of the plugin, since not every way of installing it makes them; `:helptags` makes the same."""
    shutil.copytree(PLUGIN / "doc", tmp_path / "doc")
    (tmp_path / "doc" / "tags").unlink()
    nvim.lua("vim.cmd('helptags ' .. vim.fn.fnameescape((...)))", str(tmp_path / "doc"))
    assert (PLUGIN / "doc" / "tags").read_text(encoding="utf-8") == (tmp_path / "doc" / "tags").read_text(
        encoding="utf-8"
    )


def test_the_help_is_found(nvim: Neovim) -> None:
    """`:help rubric` opens our page, and every command and option has its place in it."""
    nvim.command("help rubric")
    page = nvim.lua("return text()")
    nvim.command("helpclose")
    for command in nvim.lua("return vim.tbl_keys(require('rubric.commands').table)"):
        assert f"*:{command}*" in page
    options = nvim.lua(
        "local options = require('rubric.options') "
        "return vim.list_extend(vim.tbl_keys(options.defaults), options.further)"
    )
    for option in options:
        assert f"*rubric-option-{option}*" in page
