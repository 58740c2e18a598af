"""Grading from Neovim: what is shown of a result, where, and from whom it comes."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from model_server import ModelServer
from neovim_project import ANSWERS, greeting_checks, judged_by, judgement_for, line_of, open_judged, write_project

if TYPE_CHECKING:
    from pathlib import Path

    from neovim import Neovim

pytestmark = pytest.mark.slow

RESULT = "return shown('result')"


@pytest.fixture
def suite(nvim: Neovim, tmp_path: Path) -> Path:
    """Give an eval file that is open, with nothing of an earlier test around it."""
    path = write_project(tmp_path)
    nvim.edit(path)
    return path


def replay(suite: Path) -> str:
    """Return the setting that names the recorded judgements."""
    return f"judge=replay:{suite.parent / 'judgements.json'}"


def test_a_recorded_judgement_is_shown_as_a_result(nvim: Neovim, suite: Path) -> None:
    """The window tells the verdict, each criterion with its bar and its reason, and the answer."""
    nvim.lua("go_to('greeting')")
    nvim.command(f"RubricGrade {replay(suite)}")
    shown = nvim.wait(RESULT)
    assert shown.startswith("greeting  fail 0.15")
    assert "░░░░░░░░░░  names   not met, gate failed  weight 1" in shown
    assert "███░░░░░░░  warmth  3 of 10, gate failed  weight 1" in shown
    assert "It says Ada." in shown
    assert ANSWERS["greeting"] in shown


@pytest.mark.parametrize("keys", ["0", "^", "$", "^l"])
def test_the_whole_first_line_of_a_case_belongs_to_it(nvim: Neovim, suite: Path, keys: str) -> None:
    """Before its dash, at the dash and behind it, the case is meant."""
    nvim.lua("go_to('id: farewell') vim.cmd('normal! ' .. ...)", keys)
    nvim.command(f"RubricGrade {replay(suite)}")
    assert nvim.wait(RESULT).startswith("farewell")


def test_judgements_are_behind_their_criteria(nvim: Neovim, suite: Path) -> None:
    """Each at its own line; the verdict is behind the id of the case."""
    nvim.command(f"RubricGradeAll {replay(suite)}")
    nvim.wait("return shown('results')")
    nvim.lua("close_floats()")
    assert nvim.lua("return marks()") == [
        [line_of("id: greeting"), "fail 0.15"],
        [line_of("id: names"), "not met, gate failed"],
        [line_of("id: warmth"), "3 of 10, gate failed"],
        [line_of("id: farewell"), "pass 1"],
        [line_of("id: says-bye"), "met"],
    ]


def test_nothing_is_reported_twice_behind_a_line(nvim: Neovim, suite: Path) -> None:
    """Where Neovim shows diagnostics behind their lines, a criterion that was not met has our sign and their words."""
    nvim.lua("vim.diagnostic.config({ virtual_text = true })")
    nvim.command(f"RubricGradeAll {replay(suite)}")
    nvim.wait("return shown('results')")
    assert [text for _, text in nvim.lua("close_floats() return marks()")] == ["fail 0.15", None, None, "pass 1", "met"]


def test_failed_gates_are_among_the_problems(nvim: Neovim, suite: Path) -> None:
    """They are reported as information, at the text of the criterion, counted in bytes behind the emoji."""
    nvim.command(f"RubricGradeAll {replay(suite)}")
    nvim.wait("return shown('results')")
    nvim.lua("close_floats()")
    found = nvim.wait("local found = diagnostics('rubric') return #found >= 2 and found")
    assert {(each["code"], each["severity"]) for each in found} == {("gate-failed", 3)}
    assert {each["line"] for each in found} <= set(range(line_of("id: names"), line_of("id: farewell")))


def test_all_cases_are_listed_and_each_can_be_opened(nvim: Neovim, suite: Path) -> None:
    """Enter on a line of the table shows that case; `q` closes what is on top."""
    nvim.command(f"RubricGradeAll {replay(suite)}")
    listed = nvim.wait("return shown('results')")
    assert listed.splitlines()[0] == "2 cases: 1 pass, 1 fail"
    nvim.lua("vim.fn.search('^farewell')")
    nvim.type("<CR>")
    assert nvim.wait(RESULT).startswith("farewell  pass 1")
    nvim.type("q")
    nvim.wait("return not shown('result')")
    nvim.type("q")
    nvim.wait("return not shown('results')")


def test_a_model_is_asked_where_the_project_names_one(nvim: Neovim, tmp_path: Path) -> None:
    """Its reply is what counts; the prompt holds the answer."""
    with ModelServer(lambda asked: judgement_for(asked.prompt)) as server:
        open_judged(nvim, tmp_path, server.base_url)
        nvim.lua("go_to('greeting')")
        nvim.command("RubricGrade")
        shown = nvim.wait(RESULT)
    assert shown.startswith("greeting  pass 0.95")
    assert "judge mini" in shown
    assert ANSWERS["greeting"] in server.asked[0].prompt


def test_one_criterion_is_graded_alone(nvim: Neovim, tmp_path: Path) -> None:
    """The judge is asked about the one at the cursor."""
    with ModelServer(lambda _: '{"checks": [{"id": "warmth", "score": 7}]}') as server:
        open_judged(nvim, tmp_path, server.base_url)
        nvim.lua("go_to('Is polite')")
        nvim.command("RubricGrade criterion")
        shown = nvim.wait(RESULT)
    assert "warmth  7 of 10" in shown
    assert "partial result" in shown


def test_a_part_does_not_take_the_place_of_the_whole(nvim: Neovim, tmp_path: Path) -> None:
    """After one criterion was graded, `:RubricResult` still shows the result of the case."""
    one, all_of_it = '{"checks": [{"id": "warmth", "score": 7}]}', greeting_checks()
    with ModelServer(lambda asked: all_of_it if "names" in asked.prompt else one) as server:
        open_judged(nvim, tmp_path, server.base_url)
        nvim.lua("go_to('Is polite')")
        for command, said in (("RubricGrade", "pass 0.95"), ("RubricGrade criterion", "partial result")):
            nvim.command(command)
            assert said in nvim.wait(RESULT)
            nvim.lua("close_floats()")
        nvim.command("RubricResult")
        shown = nvim.wait(RESULT)
    assert shown.startswith("greeting  pass 0.95")
    assert "partial result" not in shown


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        ("go_to('Greets') vim.cmd('normal! v3e')", "Greets the user"),
        (
            "go_to('expected_outcome: Greets') vim.cmd('normal! V')",
            '    expected_outcome: Greets the user "🎉" by name',
        ),
        ("""go_to('"🎉" by name') vim.cmd('normal! vl')""", '"🎉'),
    ],
)
def test_a_selection_is_the_answer(nvim: Neovim, tmp_path: Path, select: str, expected: str) -> None:
    """Characters that are selected are taken alone, also where the last one has several bytes."""
    with ModelServer(lambda _: greeting_checks()) as server:
        open_judged(nvim, tmp_path, server.base_url)
        nvim.lua(f"{select} vim.cmd('normal! \\27')")
        nvim.command("'<,'>RubricGrade")
        shown = nvim.wait(RESULT)
    assert shown.splitlines()[-1] == f"  | {expected}"
    assert ANSWERS["greeting"] not in server.asked[0].prompt


def test_the_answer_is_taken_from_another_window(nvim: Neovim, tmp_path: Path) -> None:
    """What is selected beside the eval file is the answer to the case at its cursor."""
    with ModelServer(lambda _: greeting_checks()) as server:
        open_judged(nvim, tmp_path, server.base_url)
        nvim.lua(
            "go_to('greeting') vim.cmd('new') vim.api.nvim_buf_set_lines(0, 0, -1, true, {'one', 'two 🎉', 'three'})"
        )
        nvim.command("2,3RubricGrade")
        shown = nvim.wait(RESULT)
        nvim.lua("close_floats() vim.cmd('bwipeout!')")
    assert shown.splitlines()[-2:] == ["  | two 🎉", "  | three"]


@pytest.mark.parametrize("source", ["a file", "a register"])
def test_the_answer_is_named(nvim: Neovim, suite: Path, source: str) -> None:
    """`answer=FILE` reads a file, `answer=@r` a register."""
    path = suite.parent / "other answer.md"
    path.write_text("Hi there", encoding="utf-8")
    nvim.lua("vim.fn.setreg('r', 'Hi there')")
    name = str(path).replace(" ", "\\ ") if source == "a file" else "@r"
    nvim.lua("go_to('greeting')")
    nvim.command(f"RubricGrade {replay(suite)} answer={name}")
    assert nvim.wait(RESULT).splitlines()[-1] == "  | Hi there"


def test_a_case_without_an_answer_asks_for_one(nvim: Neovim, suite: Path) -> None:
    """The user says where it is; grading goes on with it."""
    (suite.parent / "greetings.answers.json").unlink()
    (suite.parent / "answer.txt").write_text("Good day", encoding="utf-8")
    nvim.lua("go_to('greeting') answer_with({'a file', ...})", str(suite.parent / "answer.txt"))
    nvim.command(f"RubricGrade {replay(suite)}")
    assert nvim.wait(RESULT).splitlines()[-1] == "  | Good day"
    assert nvim.lua("return asked[1].prompt") == "greeting has no answer to grade. Take it from"


# Shows the lenses, and runs one of the line; several versions of Neovim have several ways to both.
_LENSES = """
if vim.lsp.codelens.enable then
  vim.lsp.codelens.enable(true, { bufnr = vim.api.nvim_get_current_buf() })
else
  vim.lsp.codelens.refresh()
end
"""
_COUNT = """
local buffer = vim.api.nvim_get_current_buf()
return #vim.lsp.codelens.get(vim.lsp.codelens.enable and { bufnr = buffer } or buffer) > 0
"""


def test_a_lens_grades_its_case(nvim: Neovim, suite: Path) -> None:
    """Running it does what the command does: the result comes in a window."""
    assert suite.exists()
    nvim.lua(_LENSES)
    nvim.wait(_COUNT, "The lenses")
    nvim.lua("require('rubric.options').current.judge = ...", replay(suite).removeprefix("judge="))
    nvim.lua("go_to('id: farewell') answer_with({ ... }) vim.lsp.codelens.run()", "Grade")
    assert nvim.wait(RESULT).startswith("farewell  pass 1")


def test_the_last_result_is_shown_again(nvim: Neovim, suite: Path) -> None:
    """`:RubricResult` shows that of the case at the cursor."""
    nvim.command(f"RubricGradeAll {replay(suite)}")
    nvim.wait("return shown('results')")
    nvim.lua("close_floats() go_to('Says goodbye')")
    nvim.command("RubricResult")
    assert nvim.wait(RESULT).startswith("farewell  pass 1")


def test_the_prompt_can_be_read_before(nvim: Neovim, suite: Path) -> None:
    """`:RubricPrompt` shows what a judge would be asked, with the recorded answer."""
    assert suite.exists()
    nvim.lua("go_to('greeting')")
    nvim.command("RubricPrompt")
    shown = nvim.wait("return shown('prompt')")
    assert ANSWERS["greeting"] in shown
    assert "warmth" in shown


def test_the_report_is_written_and_opened(plain_nvim: Neovim, tmp_path: Path) -> None:
    """It is a page for the browser; before anything was graded in the project, that is said instead."""
    suite = write_project(tmp_path)
    plain_nvim.edit(suite)
    plain_nvim.lua("opened = nil require('rubric.actions').open_file = function(path) opened = path return true end")
    plain_nvim.command("RubricReport")
    plain_nvim.wait("return told('nothing has been graded yet')")
    plain_nvim.command(f"RubricGradeAll {replay(suite)}")
    plain_nvim.wait("return shown('results')")
    plain_nvim.lua("close_floats()")
    plain_nvim.command("RubricReport")
    page = plain_nvim.wait("return opened and table.concat(vim.fn.readfile(opened), '\\n')")
    assert page.lower().startswith("<!doctype html>")
    assert "warmth" in page


def test_the_lens_of_a_verdict_opens_the_run_that_it_names(plain_nvim: Neovim, tmp_path: Path) -> None:
    """It is of an earlier session, and another case was graded since."""
    suite = write_project(tmp_path)
    plain_nvim.edit(suite)
    plain_nvim.lua("opened = nil require('rubric.actions').open_file = function(path) opened = path return true end")
    for case in ("farewell", "greeting"):
        plain_nvim.command(f"RubricGrade case={case} {replay(suite)}")
        plain_nvim.wait(RESULT)
        plain_nvim.lua("close_floats()")
    plain_nvim.lua(
        "local results = require('rubric.results') local known = results.of results.of = function() end "
        "local argument = {uri = vim.uri_from_bufnr(0), caseId = 'farewell'} "
        "require('rubric.actions').run_lens({command = 'rubric.showReport', arguments = {argument}}, "
        "{client_id = rubric_client().id, bufnr = vim.api.nvim_get_current_buf()}) results.of = known"
    )
    page = plain_nvim.wait("return opened and table.concat(vim.fn.readfile(opened), '\\n')")
    assert "says-bye" in page
    assert "warmth" not in page


def test_criteria_are_written_by_a_model(nvim: Neovim, suite: Path) -> None:
    """`:RubricGenerate` puts them into the case that has none; the rest of the file stays."""
    text = suite.read_text(encoding="utf-8")
    bare = text[: text.rindex("    rubrics:")]
    suite.write_text(bare, encoding="utf-8")
    reply = (
        '{"reasoning": "", "criteria": ['
        '{"id": "says-bye", "expected_outcome": "Says goodbye", "weight": 1, "required": true},'
        '{"id": "is-short", "expected_outcome": "Is one sentence", "weight": 1, "required": false},'
        '{"id": "is-polite", "expected_outcome": "Is polite", "weight": 1, "required": false}]}'
    )
    with ModelServer(lambda _: reply) as server:
        judged_by(suite.parent, server.base_url)
        nvim.command("bwipeout")
        nvim.edit(suite)
        nvim.lua("go_to('id: farewell')")
        nvim.command("RubricGenerate")
        nvim.wait("return text():find('is-polite', 1, true)", "The criteria")
    assert nvim.lua("return text()").startswith(bare)


def test_the_judge_is_chosen(nvim: Neovim, tmp_path: Path) -> None:
    """`:RubricJudge` lists those of the project; the one that is taken judges from then on."""
    with ModelServer(lambda asked: judgement_for(asked.prompt)) as server:
        open_judged(nvim, tmp_path, server.base_url)
        nvim.lua("answer_with({'  manual'})")
        nvim.command("RubricJudge")
        nvim.wait("return require('rubric.actions').judge() == 'manual'")
        assert any("mini" in label for label in nvim.lua("return asked[1].labels"))
        nvim.command("RubricJudge mini")
        nvim.lua("go_to('greeting')")
        nvim.command("RubricGrade")
        assert "judge mini" in nvim.wait(RESULT)
    nvim.lua("require('rubric.options').current.judge = 'manual'")
    nvim.command("RubricJudge default")
    assert nvim.lua("return require('rubric.actions').judge()") is None


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("RubricGrade everything", "invalid argument `everything`. Expected case file criterion"),
        (
            "RubricGrade file answer=F",
            "invalid argument `answer=F`. Expected case file criterion resume answers= case= judge= samples=",
        ),
        ("RubricGrade criterion=x file", "invalid argument `criterion=x`"),
        ("RubricGrade file case", "invalid argument `case`"),
        ("RubricGrade resume", "invalid argument `resume`. Expected case file criterion answer= case="),
        ("RubricGrade answers=F", "invalid argument `answers=F`"),
        ("2RubricGrade file", "a selection cannot be the answer to all cases"),
        ("2RubricGrade answer=@r", "`answer=@r` cannot be combined with a selection"),
        ("RubricGradeAll case", "invalid argument `case`. Expected resume answers= judge= samples= target=."),
        ("RubricGradeAll case=x", "invalid argument `case=x`"),
        ("RubricGenerate file case=x", "invalid argument `case=x`"),
        ("RubricGrade samples=0", "samples=0 must be an integer of at least 1"),
        ("RubricGrade answer=/nowhere/at/all", "the file /nowhere/at/all cannot be read"),
        ("RubricGrade answer=@z", "the register z is empty"),
        ("RubricGrade case=unheard-of judge=manual", "There is no case unheard-of"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(nvim: Neovim, suite: Path, command: str, complaint: str) -> None:
    """A wrong word is named together with the right ones."""
    assert suite.exists()
    nvim.command(command)
    nvim.wait(f"return told([==[{complaint}]==])")


IDLE = "return require('rubric').status() == ''"


@pytest.fixture
def latin(suite: Path) -> Path:
    """Give a file with an answer in Latin-1, beside an eval file that is open."""
    path = suite.parent / "latin.txt"
    path.write_bytes("Grüße, Ada".encode("latin-1"))
    return path


@pytest.mark.parametrize("command", ["RubricGrade answer=", "RubricGradeAll answers=", "RubricPrompt answer="])
def test_a_file_that_is_not_utf_8_is_refused_at_once(nvim: Neovim, latin: Path, command: str) -> None:
    """The sentence names the file and what to do; nothing seems to run."""
    nvim.lua("go_to('greeting')")
    nvim.command(f"{command}{latin}")
    said = f"Rubric: the file {latin} is not UTF-8; save it as UTF-8 and grade again."
    assert nvim.lua("return notified") == [said]
    assert nvim.lua(IDLE)


def test_a_file_that_is_asked_for_must_be_utf_8_too(nvim: Neovim, suite: Path, latin: Path) -> None:
    """The case without an answer stays without one, and the user reads why."""
    (suite.parent / "greetings.answers.json").unlink()
    nvim.lua("go_to('greeting') answer_with({'a file', ...})", str(latin))
    nvim.command(f"RubricGrade {replay(suite)}")
    nvim.wait("return told('latin.txt is not UTF-8; save it as UTF-8 and grade again.')")
    assert nvim.lua(IDLE)


@pytest.mark.parametrize(
    ("grade", "complaint"),
    [
        (
            "vim.fn.setreg('r', 'Gr\\252\\223e') vim.cmd('RubricGrade answer=@r')",
            "Rubric: the register r is not UTF-8; yank it from a text in UTF-8 and grade again.",
        ),
        (
            "vim.cmd('new') vim.api.nvim_buf_set_lines(0, 0, -1, true, {'Gr\\252\\223e'}) vim.cmd('1RubricGrade')",
            "Rubric: the selection is not UTF-8; save its text as UTF-8 and grade again.",
        ),
        ("vim.cmd('RubricGrade case=\\252')", "Rubric: the case is not UTF-8."),
        ("vim.cmd('RubricGrade file case=\\252')", "Rubric: the case is not UTF-8."),
        ("vim.cmd('RubricGrade judge=\\252')", "Rubric: the judge is not UTF-8."),
        ("vim.cmd('RubricGenerate target=\\252')", "Rubric: the target is not UTF-8."),
        ("vim.cmd('RubricGrade criterion=\\252')", "Rubric: the criterion is not UTF-8."),
        (
            "require('rubric.options').current.target = '\\252' vim.cmd('RubricGrade')",
            "Rubric: the target is not UTF-8.",
        ),
    ],
)
def test_no_text_that_is_not_utf_8_is_sent(nvim: Neovim, suite: Path, grade: str, complaint: str) -> None:
    """Wherever it comes from, that is said, and nothing seems to run."""
    assert suite.exists()
    nvim.lua(f"go_to('greeting') {grade}")
    assert nvim.lua("return notified") == [complaint]
    assert nvim.lua(IDLE)
    nvim.lua("if vim.fn.winnr('$') > 1 then vim.cmd('bwipeout!') end")


def test_answers_must_be_what_json_can_hold(nvim: Neovim, suite: Path) -> None:
    """Neovim reads a number that is none; it is refused before anything seems to run."""
    path = suite.parent / "answers.json"
    path.write_text('{"greeting": NaN}', encoding="utf-8")
    nvim.command(f"RubricGradeAll answers={path}")
    assert nvim.lua("return notified") == [f"Rubric: {path} is not a JSON object of answers by case id."]
    assert nvim.lua(IDLE)


@pytest.mark.parametrize(
    "valid", ["", "plain\0", "Grüße", "漢字", "🎉", "\u0080\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff"]
)
def test_utf_8_is_known(nvim: Neovim, valid: str) -> None:
    """Characters of every length count, the first and the last of each."""
    assert nvim.lua("return require('rubric.encoding').is_utf8(...)", valid)


@pytest.mark.parametrize(
    "broken",
    [
        b"\xfc",
        b"\x80",
        b"\xc3",
        b"\xc3\xbc\xbc",
        b"\xc0\xaf",
        b"\xe0\x80\xaf",
        b"\xe4\xb8",
        b"\xe4\xc3\xbc\xb8\xad",
        b"\xed\xa0\x80",
        b"\xf0\x80\x80\xaf",
        b"\xf0\x9f\x8e",
        b"\xf4\x90\x80\x80",
        b"\xf5\x80\x80\x80",
    ],
)
def test_what_is_not_utf_8_is_known(nvim: Neovim, broken: bytes) -> None:
    """What is cut off, too long, too high or half a pair of UTF-16 is none, also between other characters."""
    for text in (broken, b"a" + broken + b"b", "ü".encode() + broken + "🎉".encode()):
        written = "".join(f"\\{byte:03}" for byte in text)
        assert not nvim.lua(f"return require('rubric.encoding').is_utf8('{written}')")


def test_without_trust_nothing_is_graded(nvim: Neovim, suite: Path) -> None:
    """The server refuses, and the user reads why; trust can be given later."""
    nvim.lua("require('rubric').trust(false) go_to('greeting')")
    nvim.command(f"RubricGrade {replay(suite)}")
    nvim.wait("return told('Trust this workspace first')")
    nvim.lua("require('rubric').trust(true)")
    nvim.command(f"RubricGrade {replay(suite)}")
    nvim.wait(RESULT)


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("RubricGrade c", ["case", "criterion", "case=", "criterion="]),
        ("RubricGradeAll ", ["resume", "answers=", "judge=", "samples=", "target="]),
        ("RubricJudge m", ["manual"]),
    ],
)
def test_the_words_of_commands_are_completed(nvim: Neovim, typed: str, offered: list[str]) -> None:
    """Those that need a value end in an equals sign."""
    assert nvim.lua("return vim.fn.getcompletion((...), 'cmdline')", typed) == offered


def test_completed_files_may_have_spaces(nvim: Neovim, tmp_path: Path) -> None:
    """What is completed names one file, also where its start was typed with a backslash."""
    path = tmp_path / "my answer one.md"
    path.write_text("Hello", encoding="utf-8")
    escaped = str(path).replace(" ", "\\ ")
    for typed in (f"{tmp_path}/my", f"{tmp_path}/my\\ an"):
        offered = nvim.lua("return vim.fn.getcompletion((...), 'cmdline')", f"RubricGrade answer={typed}")
        assert offered == [f"answer={escaped}"]


def test_one_file_in_two_windows_is_one_file(nvim: Neovim, suite: Path) -> None:
    """Its cursor is that of the window that was left last."""
    nvim.lua("go_to('id: greeting') vim.cmd('split') go_to('id: farewell') vim.cmd('botright new')")
    nvim.command(f"RubricGrade {replay(suite)}")
    shown = nvim.wait("return shown('result') or notified[#notified]")
    nvim.lua("close_floats() vim.cmd('bwipeout! | only')")
    assert shown.startswith("farewell")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("\n\n  if a:\n      b\n\n", ["  if a:", "      b"]),
        ("| a  | b |\r\n\tc", ["| a  | b |", "    c"]),
        ("one two three four five six", ["one two three four", "five six"]),
        ("    one two three four five", ["    one two three", "    four five"]),
        ("x" * 45, ["x" * 20, "x" * 20, "x" * 5]),
        ("    " + "🎉" * 12, ["    " + "🎉" * 8, "    " + "🎉" * 4]),
        (" " * 30 + "far", ["far"]),
        ("", [""]),
    ],
)
def test_lines_are_broken_only_where_they_are_too_long(nvim: Neovim, text: str, lines: list[str]) -> None:
    """What fits keeps its indentation and its columns; what does not is broken at spaces, else anywhere."""
    assert nvim.lua("return require('rubric.render').wrapped(..., 20)", text) == lines


# What Neovim is asked to measure from now on, in bytes.
MEASURED = """
measured = 0
for _, name in ipairs({ 'strdisplaywidth', 'strwidth', 'strchars', 'strcharpart' }) do
  local measure = vim.fn[name]
  vim.fn[name] = function(text, ...)
    measured = measured + #text
    return measure(text, ...)
  end
end
"""
UNMEASURED = (
    "for _, name in ipairs({'strdisplaywidth', 'strwidth', 'strchars', 'strcharpart'}) do vim.fn[name] = nil end"
)


@pytest.mark.parametrize("character", ["x", "漢", "🎉", "e\u0301", "👩‍👧‍👦", "a" + "\u0301" * 40, "\x01", "\u200b"])
def test_a_long_text_without_spaces_is_not_measured_again_for_each_line(nvim: Neovim, character: str) -> None:
    """Twice the text is about twice the work, and nothing is lost of it."""
    wrapped = (
        "local character, count = ... measured = 0 local text = character:rep(count) "
        "local lines = require('rubric.render').wrapped(text, 74) return {measured, table.concat(lines) == text}"
    )
    count = 20_000 // len(character)
    nvim.lua(MEASURED)
    once, is_whole = nvim.lua(wrapped, character, count)
    twice, is_whole_too = nvim.lua(wrapped, character, 2 * count)
    nvim.lua(UNMEASURED)
    assert (is_whole, is_whole_too) == (True, True)
    assert twice <= 2.5 * once


@pytest.mark.parametrize("width", [20, 74])
@pytest.mark.parametrize("indent", ["", "    "])
@pytest.mark.parametrize("character", ["x", "漢", "x漢", "🎉", "e\u0301", "👩‍👧‍👦", "🇩🇪", "\x01", "\x01x漢", "\u200b"])
def test_each_line_is_as_full_as_it_can_be(nvim: Neovim, character: str, indent: str, width: int) -> None:
    """As Neovim shows them, no line is too wide, and none has room for what the next begins with."""
    text = indent + character * 100
    lines = nvim.lua("return require('rubric.render').wrapped(...)", text, width)
    assert indent + "".join(line.removeprefix(indent) for line in lines) == text
    longer = [line + after.removeprefix(indent)[0] for line, after in pairwise(lines)]
    widths = nvim.lua("return vim.tbl_map(vim.fn.strdisplaywidth, ...)", lines + longer)
    assert max(widths[: len(lines)]) <= width
    # No line has more characters than columns, however narrow these are.
    is_full = [len(line) >= width or wide > width for line, wide in zip(lines, widths[len(lines) :], strict=False)]
    assert all(is_full)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a" + " " * 200_000 + "b", ["a", "b"]),
        ("a\n" + " \n" * 100_000 + "b", ["a", *[""] * 100_000, "b"]),
        (" " * 200_000, [""]),
        ("a\0b", ["a\0b"]),
        ("x" * 21 + "\0", ["x" * 20, "x\0"]),
    ],
)
def test_odd_texts_are_shown_too(nvim: Neovim, text: str, lines: list[str]) -> None:
    """A great many spaces take no great time, and a zero byte is a character as others."""
    assert nvim.lua("return require('rubric.render').wrapped(..., 20)", text) == lines


def test_an_answer_may_hold_anything(nvim: Neovim, suite: Path) -> None:
    """A long word, a zero byte and a great many spaces come back in the result."""
    (suite.parent / "odd.txt").write_text("x" * 500_000 + "\0" + " " * 100_000 + "🎉", encoding="utf-8")
    nvim.lua("go_to('greeting')")
    nvim.command(f"RubricGrade {replay(suite)} answer={suite.parent / 'odd.txt'}")
    assert nvim.wait(RESULT).splitlines()[-1].startswith("  … ")


def test_the_names_of_many_cases_are_measured_once(nvim: Neovim) -> None:
    """Twice the cases are twice the work."""
    summary = (
        "local results = {} for number = 1, ... do "
        "table.insert(results, {eval_id = 'Fälle ' .. number, verdict = 'pass', score = 1}) end "
        "measured = 0 require('rubric.render').summary(results, 74) return measured"
    )
    nvim.lua(MEASURED)
    once, twice = nvim.lua(summary, 100), nvim.lua(summary, 200)
    nvim.lua(UNMEASURED)
    assert twice <= 2.5 * once
