"""Nothing that happens while a grading runs leaves something stale: edits, stopping, closing, a server that ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from model_server import ModelServer
from neovim_project import FAREWELL_CHECKS, judged_by, judgement_for, line_of, open_judged, write_project
from paused_model import PausedModel

from rubric_core.grading.store.store import Store

if TYPE_CHECKING:
    from pathlib import Path

    from model_server import Asked
    from neovim import Neovim
    from scripted_server import Step

pytestmark = pytest.mark.slow

# A request makes Neovim send the changes that it holds back for a moment.
SYNCHRONISED = "ask('textDocument/documentSymbol', { textDocument = { uri = vim.uri_from_bufnr(0) } })"
STATE = "return {require('rubric').status(), shown('result') or '', text():sub(1, 200), vim.fn.line('.')}"
IDLE = "return require('rubric').status() == ''"


@pytest.fixture
def suite(nvim: Neovim, tmp_path: Path) -> Path:
    """Give an eval file that is open, with the cursor in its first case."""
    path = write_project(tmp_path)
    nvim.edit(path)
    nvim.lua("go_to('id: greeting')")
    return path


def graded_texts(nvim: Neovim) -> list[list[object]]:
    """Return what is behind lines of the file."""
    return nvim.lua("close_floats() return marks()")


def wait_for_question(nvim: Neovim, server: ModelServer) -> None:
    """Wait until the model is asked for the first time."""
    try:
        server.wait_until(lambda reached: len(reached.asked) == 1)
    except AssertionError:
        pytest.fail(f"The model is not asked: {nvim.lua(STATE)}, {nvim.messages()}")


def replayed(nvim: Neovim, suite: Path) -> None:
    """Grade all cases by recorded judgements."""
    nvim.command(f"RubricGradeAll judge=replay:{suite.parent / 'judgements.json'}")
    nvim.wait("return shown('results')")
    nvim.lua("close_floats()")


def test_stopping_closes_the_connection_to_the_model(nvim: Neovim, tmp_path: Path) -> None:
    """A judge that never answers is let go at once, and the editor is free the whole time."""
    with ModelServer(lambda _: server.hang()) as server:
        open_judged(nvim, tmp_path, server.base_url)
        nvim.command("RubricGrade")
        wait_for_question(nvim, server)
        assert nvim.lua("return require('rubric').status()").startswith("grading")
        nvim.command("RubricStop")
        server.wait_until(lambda reached: reached.closed_early == 1)
        nvim.wait(IDLE)
    assert "stopped" in nvim.lua("return notified[#notified]")
    assert graded_texts(nvim) == []


def test_after_stopping_it_can_be_graded_again(nvim: Neovim, tmp_path: Path) -> None:
    """Grade, edit while it runs, stop, grade again: the second result names the second text."""
    with ModelServer(lambda asked: server.hang() if asked.number == 1 else judgement_for(asked.prompt)) as server:
        open_judged(nvim, tmp_path, server.base_url)
        nvim.command("RubricGrade")
        wait_for_question(nvim, server)
        nvim.command("silent %s/Is warm/Is hearty/")
        nvim.command("RubricStop")
        server.wait_until(lambda reached: reached.closed_early == 1)
        nvim.lua("go_to('id: greeting')")
        nvim.command("RubricGrade")
        shown = nvim.wait("return shown('result')")
        assert "Is hearty" in server.asked[1].prompt
    assert shown.startswith("greeting  pass 0.95")
    assert [text for _, text in graded_texts(nvim)] == ["pass 0.95", "met", "9 of 10"]


def test_what_was_judged_before_stopping_is_kept(nvim: Neovim, tmp_path: Path) -> None:
    """The case that has a result shows it; the other one shows nothing. The store knows that it is over."""

    def respond(asked: Asked) -> str | Step:
        return FAREWELL_CHECKS if "says-bye" in asked.prompt else server.hang()

    with ModelServer(respond) as server:
        open_judged(nvim, tmp_path, server.base_url)
        nvim.command("RubricGradeAll")
        nvim.wait("return #marks() == 2", "The first result")
        nvim.command("RubricStop")
        server.wait_until(lambda reached: reached.closed_early == 1)
        nvim.wait("return vim.tbl_isempty(rubric_client().requests)", "The late answer")
    assert graded_texts(nvim) == [[line_of("id: farewell"), "pass 1"], [line_of("id: says-bye"), "met"]]
    with Store.open(Store.at(tmp_path)) as store:
        run = store.runs()[0]
    assert (run.total, run.kept, run.finished, run.ended is None) == (2, 1, False, False)
    assert nvim.lua("return {shown('result') or '', shown('results') or ''}") == ["", ""]
    assert nvim.lua("return notified") == ["Rubric: stopped; finished judgements are kept."]


def test_a_grading_is_stopped_before_it_has_begun(nvim: Neovim, tmp_path: Path) -> None:
    """The wish reaches the server right behind the order; no model is asked, and the next grading is another one."""
    with ModelServer(lambda asked: judgement_for(asked.prompt)) as server:
        open_judged(nvim, tmp_path, server.base_url)
        nvim.lua("vim.cmd('RubricGrade') vim.cmd('RubricStop')")
        nvim.wait("return vim.tbl_isempty(rubric_client().requests)", "The late answer")
        assert server.asked == []
        nvim.command("RubricGrade")
        assert nvim.wait("return shown('result')").startswith("greeting  pass 0.95")


def test_writing_criteria_can_be_stopped(nvim: Neovim, suite: Path) -> None:
    """The model is let go at once, and the text stays as it is."""
    text = suite.read_text(encoding="utf-8")
    suite.write_text(text[: text.rindex("    rubrics:")], encoding="utf-8")
    with ModelServer(lambda _: server.hang()) as server:
        judged_by(suite.parent, server.base_url)
        nvim.command("bwipeout")
        nvim.edit(suite)
        nvim.command("RubricGenerate case=farewell")
        wait_for_question(nvim, server)
        nvim.command("RubricStop")
        server.wait_until(lambda reached: reached.closed_early == 1)
    nvim.wait(IDLE)
    assert nvim.lua("return text()") == suite.read_text(encoding="utf-8")
    assert nvim.lua("return notified") == ["Rubric: stopped; finished judgements are kept."]


@pytest.mark.parametrize("command", ["RubricPrompt", "RubricReport", "RubricJudge"])
def test_what_grades_nothing_can_be_stopped(nvim: Neovim, suite: Path, command: str) -> None:
    """It shows nothing, and works the next time."""
    assert suite.exists()
    seen = "return shown('prompt') or told('the report') or told('nothing has been graded yet') or asked[1]"
    nvim.lua("answer_with({false}) require('rubric.actions').open_file = function() return true end")
    nvim.lua("vim.cmd(...) vim.cmd('RubricStop')", command)
    nvim.wait("return vim.tbl_isempty(rubric_client().requests)", "The end")
    assert nvim.lua(IDLE)
    assert nvim.lua(seen) is None
    nvim.command(command)
    nvim.wait(seen)


@pytest.mark.parametrize(
    ("edit", "moved"),
    [
        ("vim.api.nvim_buf_set_lines(0, 0, 0, true, {'# one', '# two'})", 2),
        ("vim.api.nvim_buf_set_lines(0, 0, 1, true, {})", -1),
        ("vim.api.nvim_buf_set_lines(0, -1, -1, true, {'# at the end'})", 0),
    ],
)
@pytest.mark.parametrize("server_knows", [False, True])
def test_results_find_their_lines_after_an_edit_elsewhere(
    nvim: Neovim, tmp_path: Path, edit: str, moved: int, *, server_knows: bool
) -> None:
    """Lines that come or go above while a model thinks move what is shown, whether they were sent by then or not."""
    with PausedModel(lambda asked: judgement_for(asked.prompt)) as server:
        open_judged(nvim, tmp_path, server.base_url)
        nvim.command("RubricGrade")
        wait_for_question(nvim, server)
        nvim.lua(edit)
        if server_knows:
            nvim.lua(SYNCHRONISED)
        server.release()
        nvim.wait("return shown('result')")
    expected = [("id: greeting", "pass 0.95"), ("id: names", "met"), ("id: warmth", "9 of 10")]
    assert graded_texts(nvim) == [[line_of(text) + moved, said] for text, said in expected]


@pytest.mark.parametrize("server_knows", [False, True])
def test_a_criterion_that_was_edited_meanwhile_shows_nothing(
    nvim: Neovim, tmp_path: Path, *, server_knows: bool
) -> None:
    """The judge saw another text; the other criterion keeps its judgement."""
    with PausedModel(lambda asked: judgement_for(asked.prompt)) as server:
        open_judged(nvim, tmp_path, server.base_url)
        nvim.command("RubricGrade")
        wait_for_question(nvim, server)
        nvim.command("silent %s/Is polite/Is civil/")
        if server_knows:
            nvim.lua(SYNCHRONISED)
        server.release()
        nvim.wait("return shown('result')")
    assert [line_of("id: names"), "met"] in graded_texts(nvim)
    assert "9 of 10" not in [text for _, text in graded_texts(nvim)]


@pytest.mark.parametrize(
    ("edit", "left"),
    [
        ("%s/Is polite/Is civil/", ["fail 0.15", "not met, gate failed", "pass 1", "met"]),
        ("%s/Uses the name/Says the name/", ["fail 0.15", "3 of 10, gate failed", "pass 1", "met"]),
        ("%s/id: says-bye/id: goodbye/", ["fail 0.15", "not met, gate failed", "3 of 10, gate failed", "pass 1"]),
        ("%s/Greetings/Salutations/", ["fail 0.15", "not met, gate failed", "3 of 10, gate failed", "pass 1", "met"]),
        ("%d", []),
    ],
)
def test_a_judgement_goes_when_its_text_is_changed(nvim: Neovim, suite: Path, edit: str, left: list[str]) -> None:
    """What was not changed keeps what was said of it."""
    replayed(nvim, suite)
    nvim.command(f"silent {edit}")
    assert [text for _, text in graded_texts(nvim)] == left


def test_reading_the_file_again_shows_nothing_old(nvim: Neovim, suite: Path) -> None:
    """After `:edit!` nobody knows what has changed."""
    replayed(nvim, suite)
    assert graded_texts(nvim)
    nvim.command("edit!")
    assert graded_texts(nvim) == []


GRADED = ["fail 0.15", "not met, gate failed", "3 of 10, gate failed", "pass 1", "met"]


@pytest.mark.parametrize("way", ["edit!", "checktime"])
def test_after_reading_the_file_again_it_can_be_graded(nvim: Neovim, suite: Path, way: str) -> None:
    """What was edited before does not count any more, what is edited then does."""
    replayed(nvim, suite)
    nvim.lua("vim.api.nvim_buf_set_lines(0, 0, 0, true, {'# one', '# two', '# three'})")
    nvim.command("silent write")
    suite.write_text("# other\n" + suite.read_text(encoding="utf-8"), encoding="utf-8")
    # Neovim looks at the time and at the size of the file.
    nvim.command(f"set autoread | silent {way}")
    replayed(nvim, suite)
    texts = ["id: greeting", "id: names", "id: warmth", "id: farewell", "id: says-bye"]
    expected = [[line_of(text) + 4, said] for text, said in zip(texts, GRADED, strict=True)]
    assert graded_texts(nvim) == expected
    nvim.lua("vim.api.nvim_buf_set_lines(0, 0, 1, true, {})")
    replayed(nvim, suite)
    assert graded_texts(nvim) == [[line - 1, said] for line, said in expected]


def test_a_new_server_counts_from_the_present_text(nvim: Neovim, suite: Path) -> None:
    """Lines that were inserted before it was started are in the text that it knows."""
    replayed(nvim, suite)
    nvim.lua("vim.api.nvim_buf_set_lines(0, 0, 0, true, {'# one', '# two', '# three'})")
    nvim.lua("old = rubric_client().id vim.lsp.stop_client(old, true)")
    nvim.wait("return not vim.lsp.get_client_by_id(old)")
    nvim.lua("require('rubric').start()")
    nvim.wait("return rubric_client() and rubric_client().id ~= old")
    nvim.lua("require('rubric').trust(true)")
    replayed(nvim, suite)
    assert [line_of("id: greeting") + 3, "fail 0.15"] in graded_texts(nvim)
    assert [text for _, text in graded_texts(nvim)] == GRADED


def test_what_was_judged_before_the_file_was_read_again_is_not_placed(nvim: Neovim, tmp_path: Path) -> None:
    """The judge saw another text, though Neovim calls both by the same version."""
    with PausedModel(lambda asked: judgement_for(asked.prompt)) as server:
        path = open_judged(nvim, tmp_path, server.base_url)
        nvim.command("RubricGrade")
        wait_for_question(nvim, server)
        path.write_text(path.read_text(encoding="utf-8").replace("Is polite", "Is rude"), encoding="utf-8")
        nvim.command("silent edit!")
        server.release()
        nvim.wait("return shown('result')")
    assert graded_texts(nvim) == []


def test_a_new_grading_takes_the_place_of_the_old_one(nvim: Neovim, suite: Path) -> None:
    """Nothing is shown twice."""
    replayed(nvim, suite)
    replayed(nvim, suite)
    assert [text for _, text in graded_texts(nvim)].count("pass 1") == 1


def test_closing_the_file_while_it_is_graded_is_harmless(nvim: Neovim, tmp_path: Path) -> None:
    """The result is shown all the same; there is no text to show it in."""
    with PausedModel(lambda asked: judgement_for(asked.prompt)) as server:
        open_judged(nvim, tmp_path, server.base_url)
        nvim.command("RubricGrade")
        wait_for_question(nvim, server)
        nvim.command("bwipeout!")
        server.release()
        assert nvim.wait("return shown('result')").startswith("greeting  pass")


def test_a_server_that_ends_is_reported(nvim: Neovim, tmp_path: Path) -> None:
    """Nothing seems to run for ever."""
    with ModelServer(lambda _: server.hang()) as server:
        open_judged(nvim, tmp_path, server.base_url)
        nvim.command("RubricGrade")
        wait_for_question(nvim, server)
        nvim.lua("vim.lsp.stop_client(rubric_client().id, true)")
        nvim.wait("return told('the server stopped unexpectedly')")
        nvim.wait(IDLE)
        server.wait_until(lambda reached: reached.closed_early == 1)


def test_virtual_text_can_be_switched_off(nvim: Neovim, suite: Path) -> None:
    """The option `virtual_text` leaves the text alone; the window shows the result."""
    nvim.lua("require('rubric.options').current.virtual_text = false")
    replayed(nvim, suite)
    assert graded_texts(nvim) == []
