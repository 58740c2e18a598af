"""Whoever types while something is graded keeps typing: no window and no question takes their keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from neovim_project import judgement_for, open_judged, write_project
from paused_model import PausedModel

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from neovim import Neovim

pytestmark = pytest.mark.slow

IDLE = "return require('rubric').status() == ''"
RESULT = "return shown('result')"
# Keeps what is reported in the line below the windows, which nobody else can read without a screen.
LISTEN = """
told_below = {}
real_echo = real_echo or vim.api.nvim_echo
vim.api.nvim_echo = function(pieces, ...)
  table.insert(told_below, pieces[1][1])
  return real_echo(pieces, ...)
end
"""
LAST_TOLD = "return told_below[#told_below]"


@pytest.fixture
def held(nvim: Neovim, tmp_path: Path) -> Iterator[PausedModel]:
    """Give a model that is asked about a case and has not answered yet."""
    with PausedModel(lambda asked: judgement_for(asked.prompt)) as server:
        open_judged(nvim, tmp_path, server.base_url)
        nvim.lua(LISTEN)
        nvim.command("RubricGrade")
        server.wait_until(lambda reached: len(reached.asked) == 1)
        yield server
    nvim.type("<C-\\><C-n>")
    nvim.wait("return vim.api.nvim_get_mode().mode == 'n'")


def graded_meanwhile(nvim: Neovim, held: PausedModel) -> None:
    """Let the model answer, and see that no window has come of it."""
    held.release()
    nvim.wait(IDLE)
    assert nvim.lua(RESULT) is None


def test_what_is_typed_in_insert_mode_stays_there(nvim: Neovim, held: PausedModel) -> None:
    """A line says what came; `:RubricResult` shows it, once."""
    nvim.type("Goone ")
    nvim.wait("return vim.api.nvim_get_mode().mode == 'i'")
    graded_meanwhile(nvim, held)
    assert nvim.lua(LAST_TOLD) == "Rubric: 1 case: 1 pass; :RubricResult shows it."
    nvim.type("two<Esc>")
    nvim.wait("return text():find('one two', 1, true)")
    nvim.type(":RubricResult<CR>")
    assert nvim.wait(RESULT).startswith("greeting  pass 0.95")


def test_a_command_that_is_being_typed_runs_in_the_file(nvim: Neovim, held: PausedModel) -> None:
    """The line is reported when the command is given."""
    nvim.type(":let typed = bufname(")
    nvim.wait("return vim.api.nvim_get_mode().mode == 'c'")
    graded_meanwhile(nvim, held)
    assert ":RubricResult" not in nvim.lua(LAST_TOLD)
    nvim.type(")<CR>")
    nvim.wait("return told_below[#told_below]:find(':RubricResult shows it', 1, true)")
    assert nvim.lua("return vim.g.typed").endswith("greetings.eval.yaml")


def test_in_the_command_line_window_nothing_fails(nvim: Neovim, held: PausedModel) -> None:
    """No window can be opened there."""
    nvim.type("q:")
    nvim.wait("return vim.fn.getcmdwintype() == ':'")
    graded_meanwhile(nvim, held)
    assert "E11" not in nvim.messages()
    nvim.type("<C-c><C-c>")
    nvim.wait("return vim.fn.getcmdwintype() == ''")
    nvim.command("RubricResult")
    assert nvim.wait(RESULT).startswith("greeting  pass 0.95")


def test_the_next_grading_makes_an_unseen_result_old(nvim: Neovim, held: PausedModel) -> None:
    """`:RubricResult` shows what was graded last."""
    nvim.type("i")
    nvim.wait("return vim.api.nvim_get_mode().mode == 'i'")
    graded_meanwhile(nvim, held)
    nvim.type("<Esc>")
    nvim.wait("return vim.api.nvim_get_mode().mode == 'n'")
    nvim.lua("go_to('id: farewell')")
    nvim.command("RubricGrade")
    assert nvim.wait(RESULT).startswith("farewell")
    nvim.lua("close_floats()")
    nvim.command("RubricResult")
    assert nvim.wait(RESULT).startswith("farewell")


def test_a_question_waits_until_nobody_types(nvim: Neovim, tmp_path: Path) -> None:
    """From 0.8 on, since older versions must answer the server at once."""
    if not nvim.lua("return vim.fn.has('nvim-0.8') == 1"):
        return
    nvim.edit(write_project(tmp_path))
    nvim.lua(f"{LISTEN} go_to('id: greeting') answer_with({{'met', '', '9', '', 'keep this'}})")
    nvim.type(":RubricGrade judge=manual<CR>Goone ")
    nvim.wait("return told_below[#told_below] == 'Rubric: a question is waiting until you return to normal mode.'")
    assert nvim.lua("return #asked") == 0
    nvim.type("two<Esc>")
    assert nvim.wait(RESULT).startswith("greeting  pass 0.95")
    assert "one two" in nvim.lua("close_floats() return text()")


def test_a_missing_answer_is_asked_for_when_nobody_types(nvim: Neovim, tmp_path: Path) -> None:
    """The question would take the keys as well."""
    path = write_project(tmp_path, answers={})
    nvim.edit(path)
    nvim.lua("go_to('id: greeting') vim.fn.setreg('\"', 'Hello') answer_with({'the last yanked text'})")
    nvim.type(f":RubricGrade judge=replay:{path.parent / 'judgements.json'}<CR>i")
    nvim.wait("return vim.api.nvim_get_mode().mode == 'i'")
    nvim.wait(IDLE)
    assert nvim.lua("return #asked") == 0
    nvim.type("<Esc>")
    assert nvim.wait(RESULT).startswith("greeting")
