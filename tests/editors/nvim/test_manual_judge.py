"""A person judges in Neovim: criterion by criterion, going back, skipping, stopping, with any picker."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from neovim_project import ANSWERS, write_project

if TYPE_CHECKING:
    from pathlib import Path

    from neovim import Neovim

pytestmark = pytest.mark.slow

RESULT = "return shown('result')"
KEEP = "keep this"
WITH_SCORECARD = """\
evalcases:
  - id: mail
    expected_outcome: Answers the mail
    input_messages: [{role: user, content: Where is my parcel?}]
    scorecard:
      red_flags: [{id: rude, expected_outcome: Is rude}]
      bonuses: [{id: link, expected_outcome: Links the manual}]
"""
FREE_FORM = """\
evalcases:
  - id: mail
    expected_outcome: Answers the mail
    input_messages: [{role: user, content: Where is my parcel?}]
"""


@pytest.fixture
def suite(nvim: Neovim, tmp_path: Path) -> Path:
    """Give an eval file that is open, with the cursor in its first case."""
    path = write_project(tmp_path)
    nvim.edit(path)
    nvim.lua("go_to('id: greeting')")
    return path


def can_wait(nvim: Neovim) -> bool:
    """Return whether this Neovim can wait for a person inside of the answer to a request."""
    return nvim.lua("return vim.fn.has('nvim-0.8') == 1")


def judge(nvim: Neovim, *script: str | bool, later: bool = False, command: str = "RubricGrade judge=manual") -> None:
    """Grade, and answer what is asked by a script."""
    nvim.lua("local script, later = ... answer_with(script, later)", script, later)
    nvim.command(command)


def prompts(nvim: Neovim) -> list[str]:
    """Return what the person was asked."""
    return nvim.lua("return vim.tbl_map(function(each) return each.prompt end, asked)")


@pytest.mark.parametrize("later", [False, True])
def test_each_criterion_is_decided_in_turn(nvim: Neovim, suite: Path, later: bool) -> None:  # noqa: FBT001 - a case.
    """The decisions and the reasons make the result, whether the picker answers at once or, from 0.8 on, later."""
    assert suite.exists()
    if later and not can_wait(nvim):
        judge(nvim, "met", later=later)
        assert "Neovim 0.7 needs a `vim.ui.select`" in nvim.wait(RESULT)
        return
    judge(nvim, "met", "It says Ada", "7", "", KEEP, later=later)
    shown = nvim.wait(RESULT)
    assert shown.startswith("greeting  pass 0.85")
    assert "names   met" in shown
    assert "It says Ada" in shown
    assert "warmth  7 of 10" in shown
    assert "judge manual" in shown
    assert nvim.lua("return shown('judge')") is None


def test_the_choices_show_the_bands_and_the_gates(nvim: Neovim, suite: Path) -> None:
    """Each score is with the band that it lies in, and the prompt with what failing does."""
    assert suite.exists()
    judge(nvim, "not met", "", "4  (0-4) Is cold", "", KEEP)
    nvim.wait(RESULT)
    first, _, second, *_ = nvim.lua("return asked")
    assert first["prompt"] == "names (1 of 2): Required: the case fails if this is not met."
    assert first["labels"] == ["met", "not met", "skip this case", "stop judging"]
    assert second["prompt"] == "warmth (2 of 2): Gate: the case fails if the score is below 5."
    assert second["labels"][:3] == ["10  (8-10) Is warm", "9  (8-10) Is warm", "8  (8-10) Is warm"]
    assert second["labels"][-3:] == ["← back", "skip this case", "stop judging"]


def test_the_case_is_shown_while_it_is_judged(nvim: Neovim, suite: Path) -> None:
    """The window above the choices has the criterion, the answer, the task and what is expected."""
    assert suite.exists()
    nvim.lua(
        "answer_with({'met', '', '9', '', 'keep this'}) seen = {} local select = vim.ui.select "
        "vim.ui.select = function(...) table.insert(seen, shown('judge')) select(...) end"
    )
    nvim.command("RubricGrade judge=manual")
    nvim.wait(RESULT)
    first, second, last = nvim.lua("return seen")
    assert "Criterion names, 1 of 2" in first
    assert ANSWERS["greeting"] in first
    assert "Hello 🎉, I am Ada" in first
    assert "Criterion warmth, 2 of 2" in second
    assert "names: met" in last
    assert "warmth: 9" in last


def test_going_back_keeps_what_was_decided(nvim: Neovim, suite: Path) -> None:
    """What was said before is marked, and the reason is there to be changed."""
    assert suite.exists()
    judge(nvim, "met", "It says Ada", "← back", "not met", "It does not", "10", "", "← back", "8", "", KEEP)
    shown = nvim.wait(RESULT)
    assert "names   not met" in shown
    assert "warmth  8 of 10" in shown
    again = nvim.lua("return asked")
    assert again[3]["labels"][0] == "met  (current)"
    assert again[4]["default"] == "It says Ada"


@pytest.mark.parametrize("way", ["stop judging", False])
def test_stopping_ends_the_grading(nvim: Neovim, suite: Path, way: str | bool) -> None:  # noqa: FBT001 - a case.
    """Leaving the choices is the same; what was judged by then is kept, the rest is not asked about."""
    assert suite.exists()
    command = "RubricGradeAll judge=manual"
    judge(nvim, "met", "", "9", "", KEEP, way, command=command)
    shown = nvim.wait("return shown('result') or shown('results')")
    assert "greeting  pass" in shown
    assert len(prompts(nvim)) == 6
    assert [text for _, text in nvim.lua("close_floats() return marks()")] == ["pass 0.95", "met", "9 of 10"]


# Pickers that wait for ever; each is asked what it was asked.
NEVER = "asked = {} vim.ui.select = function(_, how, done) table.insert(asked, {prompt = how.prompt, done = done}) end"
ASKED = "return vim.tbl_map(function(each) return each.prompt end, asked)"


def test_after_stopping_an_open_question_it_can_be_graded_again(nvim: Neovim, suite: Path) -> None:
    """The window goes, and what a picker says too late is ignored."""
    assert suite.exists()
    if not can_wait(nvim):
        return
    nvim.lua(NEVER)
    nvim.command("RubricGradeAll judge=manual")
    nvim.wait("return #asked == 1")
    assert nvim.lua("return shown('judge')") is not None
    nvim.command("RubricStop")
    nvim.wait("return not shown('judge')")
    nvim.lua("late = asked[1].done")
    judge(nvim, "met", "", "9", "", KEEP)
    assert nvim.wait(RESULT).startswith("greeting  pass 0.95")
    nvim.lua("late(nil)")
    assert len(prompts(nvim)) == 5


QUESTION = {
    "judge": "manual",
    "kind": "rubric",
    "form": {
        "title": "greeting · rubric",
        "sections": [{"title": "Answer to judge", "text": "Hello"}],
        "items": [
            {
                "kind": "criterion",
                "id": "names",
                "text": "Names",
                "gate": "",
                "choices": [{"value": True, "label": "met", "scoreRange": "", "meaning": ""}],
            }
        ],
    },
}


def test_a_question_that_comes_after_its_grading_was_stopped_is_not_asked(nvim: Neovim, suite: Path) -> None:
    """It may be under way at that moment; another grading may have begun by the time it comes."""
    assert suite.exists()
    if not can_wait(nvim):
        return
    nvim.lua(NEVER)
    nvim.lua(
        "local judge = require('rubric.judge') local ask = judge.on_judge judge.on_judge = "
        "function(err, question, context) last_grading = question.grading return ask(err, question, context) end"
    )
    nvim.command("RubricGrade judge=manual")
    nvim.wait("return #asked == 1")
    old = nvim.lua("return last_grading")
    nvim.command("RubricStop")
    nvim.command("RubricGrade judge=manual")
    nvim.wait("return #asked == 2")
    late = {**QUESTION, "caseId": "late", "grading": old}
    answered = nvim.lua("return require('rubric.judge').on_judge(nil, ..., {client_id = rubric_client().id})", late)
    assert answered == {"stopped": True}
    assert len(nvim.lua(ASKED)) == 2
    # Neither does the server's word that the old question needs no answer touch the new one.
    nvim.lua("require('rubric.judge').on_cancel(nil, {}, {client_id = rubric_client().id})")
    assert nvim.lua("return shown('judge')") is not None
    nvim.command("RubricStop")
    nvim.wait("return not shown('judge')")


def test_the_question_of_a_server_that_ends_goes(nvim: Neovim, suite: Path) -> None:
    """The next server can ask."""
    if not can_wait(nvim):
        return
    nvim.lua(NEVER)
    nvim.command("RubricGrade judge=manual")
    nvim.wait("return #asked == 1")
    nvim.lua("vim.lsp.stop_client(rubric_client().id, true)")
    nvim.wait("return told('the server stopped unexpectedly') and not shown('judge')")
    nvim.command("bwipeout")
    nvim.edit(suite)
    nvim.lua("go_to('id: greeting')")
    judge(nvim, "met", "", "9", "", KEEP)
    assert nvim.wait(RESULT).startswith("greeting  pass 0.95")
    assert "Error" not in nvim.messages()


@pytest.mark.parametrize("way", ["stop judging", False])
def test_stopping_is_followed_by_no_other_question(nvim: Neovim, suite: Path, way: str | bool) -> None:  # noqa: FBT001
    """Cases that wait for their turn are not asked about any more, however slowly the server takes them back."""
    assert suite.exists()
    if not can_wait(nvim):
        return
    nvim.lua("local script = ... answer_with({script}, true)", way)
    nvim.lua(
        "answered = {} local question = ... for number = 1, 3 do coroutine.wrap(function() "
        "local asked = vim.tbl_extend('force', question, {caseId = 'case ' .. number}) "
        "answered[number] = require('rubric.judge').on_judge(nil, asked, {client_id = 1}) end)() end",
        QUESTION,
    )
    assert nvim.wait("return #answered == 3 and answered") == [{"stopped": True}] * 3
    assert len(prompts(nvim)) == 1


LONG_ANSWER = "def add(a, b):\n    return a + b\n\n" + "\n".join(
    f"# line {number} of the answer" for number in range(60)
)


def test_the_whole_answer_can_be_read_as_it_is(nvim: Neovim, suite: Path) -> None:
    """Its indentation stays; what the window does not hold is counted, and read by a move that asks again."""
    (suite.parent / "long.md").write_text(LONG_ANSWER, encoding="utf-8")
    nvim.lua(
        """
        answer_with({'read on', 'read on', 'read from the start', 'met', '', '9', '', 'keep this'})
        seen = {}
        local select = vim.ui.select
        vim.ui.select = function(...)
          for _, window in ipairs(vim.api.nvim_list_wins()) do
            if vim.b[vim.api.nvim_win_get_buf(window)].rubric == 'judge' then
              vim.api.nvim_win_call(window, function()
                table.insert(seen, table.concat(vim.fn.getline(vim.fn.line('w0'), vim.fn.line('w$')), '\\n'))
              end)
            end
          end
          select(...)
        end
        vim.o.lines = 60
        """
    )
    nvim.command(f"RubricGrade judge=manual answer={suite.parent / 'long.md'}")
    nvim.wait(RESULT)
    nvim.lua("vim.o.lines = 24")
    seen = nvim.lua("return seen")
    labels = [each["labels"][2] for each in nvim.lua("return asked")[:3]]
    assert "  def add(a, b):\n      return a + b\n" in seen[0]
    shown = [line for page in seen[:3] for line in page.splitlines()]
    assert set(shown) >= {f"  {line}" for line in LONG_ANSWER.splitlines() if line}
    assert labels[0].startswith("read on: ")
    assert labels[0].endswith(" more lines below")
    assert labels[2] == "read from the start"
    assert seen[3] == seen[0]


def test_the_case_is_rendered_once_however_many_steps_there_are(nvim: Neovim, suite: Path) -> None:
    """Only what is asked changes from step to step; a window of another width shows all of it anew."""
    assert suite.exists()
    nvim.lua(
        """
        rendered = {}
        local render = require('rubric.render')
        unwatched = render.wrapped
        render.wrapped = function(text, ...)
          rendered[text] = (rendered[text] or 0) + 1
          return unwatched(text, ...)
        end
        """
    )
    for columns, count in ((80, 1), (60, 2)):
        script = ["met", "", "9", "", "← back", "8", "", KEEP]
        nvim.lua("rendered, answer = {}, ...", ANSWERS["greeting"])
        nvim.lua(
            "local script, columns = ... answer_with(script) local input = vim.ui.input "
            "vim.ui.input = function(...) vim.o.columns = columns input(...) end",
            script,
            columns,
        )
        nvim.command("RubricGrade judge=manual")
        nvim.wait("return not require('rubric').status():find('grading') and shown('result')")
        assert nvim.lua("return rendered[answer]") == count + 1  # The result shows the answer too.
        nvim.lua("close_floats() vim.o.columns = 80")
    nvim.lua("require('rubric.render').wrapped = unwatched")


def test_a_reason_that_is_not_utf_8_is_asked_for_again(nvim: Neovim, suite: Path) -> None:
    """The server could not read it, and would wait for ever."""
    assert suite.exists()
    nvim.lua("answer_with({'met', 'Gr\\252\\223e', 'Grüße', '9', '', 'keep this'})")
    nvim.command("RubricGrade judge=manual")
    assert "Grüße" in nvim.wait(RESULT)
    assert prompts(nvim)[1:3] == ["Why? (optional) ", "That is not UTF-8. Why? (optional) "]


def test_a_case_can_be_skipped(nvim: Neovim, suite: Path) -> None:
    """It has no result then, which is neither a pass nor a fail, and the next case is asked about."""
    assert suite.exists()
    judge(nvim, "skip this case", "met", "", KEEP, command="RubricGradeAll judge=manual")
    shown = nvim.wait("return shown('results')")
    assert shown.splitlines()[0] == "2 cases: 1 pass, 1 error"
    assert "skipped" in shown


def test_reasons_need_not_be_asked_for(nvim: Neovim, suite: Path) -> None:
    """The option `ask_reasons` leaves one question a criterion."""
    assert suite.exists()
    nvim.lua("require('rubric.options').current.ask_reasons = false")
    judge(nvim, "met", "6", KEEP)
    assert nvim.wait(RESULT).startswith("greeting  pass 0.8")


def test_a_scorecard_is_judged(nvim: Neovim, tmp_path: Path) -> None:
    """Seven dimensions from 1 to 10, then each red flag and each bonus."""
    nvim.lua("require('rubric.options').current.ask_reasons = false")
    nvim.edit(tmp_path / "card.eval.yaml", WITH_SCORECARD)
    nvim.lua("go_to('id: mail') vim.fn.setreg('r', 'It is on its way')")
    scores = ["8", "8", "8", "8", "8", "8", "8"]
    judge(nvim, *scores, "present", "not earned", KEEP, command="RubricGrade judge=manual answer=@r")
    shown = nvim.wait(RESULT)
    assert "card.eval.yaml:mail" in shown
    assert "8.00  composite" in shown
    assert "rude" in shown
    assert nvim.lua("return asked[1].labels[10]") == "1"


def test_an_answer_without_criteria_gets_a_number(nvim: Neovim, tmp_path: Path) -> None:
    """What is no number from 0 to 1 is asked for again; nothing typed offers the other choices."""
    nvim.lua("require('rubric.options').current.ask_reasons = false")
    nvim.edit(tmp_path / "free.eval.yaml", FREE_FORM)
    nvim.lua("go_to('id: mail') vim.fn.setreg('r', 'It is on its way')")
    script = ["7", "", "type a number", "0,75", KEEP]
    judge(nvim, *script, command="RubricGrade judge=manual answer=@r")
    assert nvim.wait(RESULT).startswith("mail  borderline 0.75")


def test_the_pickers_of_neovim_itself_are_enough(nvim: Neovim, suite: Path) -> None:
    """Without any plugin, numbers are typed at a list, and reasons at a prompt."""
    assert suite.exists()
    nvim.lua("package.loaded['vim.ui'] = nil vim.ui = require('vim.ui')")
    nvim.type(":RubricGrade judge=manual<CR>")
    for keys in ("1<CR>", "It says Ada<CR>", "2<CR>", "<CR>", "1<CR>"):
        _type_when_asked(nvim, keys)
    shown = nvim.wait(RESULT)
    assert shown.startswith("greeting  pass 0.95")
    assert "It says Ada" in shown


def _type_when_asked(nvim: Neovim, keys: str) -> None:
    """Type when Neovim waits for keys at a prompt."""
    nvim.wait_for_prompt()
    nvim.type(keys)


def test_a_function_can_judge_in_the_place_of_a_model(nvim: Neovim, suite: Path) -> None:
    """The option `editor_judge` gets the question; its reply is checked like that of any model."""
    assert suite.exists()
    nvim.lua(
        "require('rubric.options').current.editor_judge = function(question, done) questioned = question "
        'done([[{"checks": [{"id": "names", "satisfied": true}, {"id": "warmth", "score": 8}]}]]) end'
    )
    question = {"judge": "editor", "kind": "rubric", "caseId": "greeting", "evaluator": "rubric"}
    reply = nvim.lua("return require('rubric.judge').on_judge(nil, ...)", question)
    assert '"score": 8' in reply["text"]
    assert nvim.lua("return questioned.caseId") == "greeting"


@pytest.mark.parametrize("reply", ["'Gr\\252\\223e'", "{ judgement = { score = 0 / 0 } }", "{ text = '\\255' }"])
def test_a_reply_that_cannot_be_sent_skips_the_case(nvim: Neovim, suite: Path, reply: str) -> None:
    """The server could not read it, and would wait for ever."""
    assert suite.exists()
    nvim.lua(f"require('rubric.options').current.editor_judge = function(_, done) done({reply}) end")
    question = {"judge": "editor", "kind": "rubric", "caseId": "greeting", "evaluator": "rubric"}
    answered = nvim.lua("return require('rubric.judge').on_judge(nil, ...)", question)
    assert answered == {"skipped": True, "reason": "The reply of `editor_judge` is not UTF-8 text."}


def test_secrets_that_cannot_be_sent_are_left_out(nvim: Neovim, suite: Path) -> None:
    """The user reads which; the others reach the server."""
    assert suite.exists()
    nvim.lua("require('rubric.options').current.secrets = function() return { KEY = 'k', OTHER = '\\252' } end")
    assert nvim.lua("return require('rubric.judge').on_secrets(nil, { names = {} })") == {"KEY": "k"}
    assert nvim.lua("return notified") == ["Rubric: the value of `secrets` for OTHER is not UTF-8 text."]
