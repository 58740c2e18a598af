"""Grading in Visual Studio Code: by lens and Test Explorer, with a person, a model of ours, a model of the editor."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from browser import HasText
from model_server import ModelServer
from vscode import copy_examples, eventually, processes_of_server

if TYPE_CHECKING:
    from pathlib import Path

    from vscode import Workbench

pytestmark = pytest.mark.slow

SUITE = """\
evalcases:
  - id: lost-parcel
    expected_outcome: Says what happens next
    input_messages: [{role: user, content: Where is my parcel?}]
    rubrics:
      - Stays polite
      - id: next-step
        weight: 2.0
        required_min_score: 5
        score_ranges:
          0: Nothing about what happens next
          4: Says what happens next
          8: Says what happens next and when
  - id: thanks
    expected_outcome: Answers in kind
    input_messages: [{role: user, content: Thank you!}]
    rubrics:
      - Stays polite
"""
ANSWERS = {"lost-parcel": "It comes on Monday.", "thanks": "You are welcome."}
PASSING = json.dumps({"checks": [{"id": "rubric-1", "satisfied": True}, {"id": "next-step", "score": 9}]})
FAILING = json.dumps(
    {
        "checks": [
            {"id": "rubric-1", "satisfied": True},
            {"id": "next-step", "score": 2, "reasoning": "No day is named."},
        ]
    }
)
ONE = json.dumps({"checks": [{"id": "rubric-1", "satisfied": True}]})
RUNNING = ".testing-run-glyph.codicon-loading"


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """An eval file with two cases and their answers."""
    file = tmp_path / "parcels.eval.yaml"
    file.write_text(SUITE)
    (tmp_path / "parcels.answers.json").write_text(json.dumps(ANSWERS))
    return file


def _judge_in(folder: Path, url: str, key: str = "any") -> None:
    (folder / "rubric.toml").write_text(
        'judge = "scripted"\n'
        f'[judges.scripted]\nprovider = "openai"\nmodel = "scripted"\nbase_url = "{url}"\napi_key = "{key}"\n'
    )


def _open(workbench: Workbench, suite: Path) -> None:
    workbench.open(suite.parent, suite)
    workbench.wait(".codelens-decoration a", "Grade")


def test_a_person_grades_a_case_from_its_lens(workbench: Workbench, suite: Path) -> None:
    """One criterion after the other, with bands, a way back and a reason; then verdict, hints, gutter and Problems."""
    _open(workbench, suite)
    workbench.lens("Grade")
    title = workbench.question("lost-parcel: rubric-1")
    assert "1/2" in title
    workbench.wait_for_text(".editor-group-container .view-lines", "Answer to judge", "It comes on Monday.")
    workbench.pick("Met")
    workbench.question("lost-parcel: next-step", "2/2")
    assert any("8" in row and "Says what happens next and when" in row for row in workbench.choices())
    workbench.screenshot("manual-judge")
    workbench.picture("manual-judge", 340, 0, 610, 560)
    workbench.page.locator(".quick-input-widget .quick-input-titlebar .codicon-quick-input-back").first().click()
    workbench.question("lost-parcel: rubric-1", "1/2")
    workbench.pick("Met")
    workbench.question("lost-parcel: next-step", "2/2")
    workbench.pick("2")
    workbench.question("all decided")
    workbench.pick("Keep")
    workbench.notification("lost-parcel: fail")
    workbench.wait(".testing-run-glyph.codicon-testing-failed-icon, .codicon-testing-failed-icon")
    workbench.wait(".codelens-decoration a", "fail")
    workbench.screenshot("graded-case")
    workbench.command("Problems: Focus on Problems View")
    workbench.wait_for_text(".markers-panel .monaco-list-row", "next-step", "gate-failed")


def test_a_crash_while_a_person_judges_leaves_the_way_free(workbench: Workbench, suite: Path) -> None:
    """The question goes with the server that asked it, a message says what to do, and the next grading asks again."""
    _open(workbench, suite)
    workbench.lens("Grade")
    workbench.question("lost-parcel: rubric-1")
    eventually(lambda: len(processes_of_server(workbench.server)) == 1, "The end of the server of the window before")
    os.kill(*processes_of_server(workbench.server), signal.SIGKILL)
    workbench.notification("The server restarted during grading. Grade again.")
    workbench.wait(".quick-input-widget", gone=True)
    workbench.wait(".codelens-decoration a", "Grade")
    workbench.lens("Grade")
    workbench.question("lost-parcel: rubric-1")
    workbench.pick("Met")
    workbench.question("lost-parcel: next-step")


def test_a_model_grades_a_file_with_a_key_from_the_secret_storage(workbench: Workbench, suite: Path) -> None:
    """The key is asked for once by name, kept by the editor, and goes to the judge alone."""
    with ModelServer(lambda asked: ONE if "Thank you!" in asked.prompt else PASSING) as model:
        _judge_in(suite.parent, model.base_url, "${{ SCRIPTED_KEY }}")
        _open(workbench, suite)
        workbench.lens("Grade all")
        workbench.answer_notification("The variable SCRIPTED_KEY", "Set Secret")
        workbench.type_into("Value of SCRIPTED_KEY", "key-from-the-editor")
        workbench.wait(".statusbar-item", "Stored the secret SCRIPTED_KEY")
        workbench.lens("Grade all")
        workbench.notification("2 cases: 2 passed.")
        assert [each.request.headers["authorization"] for each in model.asked] == ["Bearer key-from-the-editor"] * 2
    workbench.answer_notification("2 cases: 2 passed.", "Show Report")
    report = workbench.page.frameLocator("iframe.webview").last().frameLocator("iframe#active-frame")
    report.locator("body").filter(HasText("lost-parcel")).first().waitFor()


def test_a_model_of_the_editor_grades(workbench: Workbench, suite: Path) -> None:
    """It is picked in the status bar. A reply that is no judgement is sent back with what is wrong with it."""
    (suite.parent / "scripted-model.json").write_text(json.dumps(["Looks fine to me!", PASSING]))
    _open(workbench, suite)
    workbench.page.locator(".statusbar-item").filter(HasText("Judge")).first().click()
    workbench.question("Choose a judge")
    workbench.screenshot("judge-picker")
    workbench.pick("Scripted One")
    workbench.wait(".statusbar-item", "Scripted One")
    workbench.lens("Grade")
    workbench.notification("lost-parcel: pass")
    log = [json.loads(line) for line in (suite.parent / "scripted-model.log").read_text().splitlines()]
    assert len(log) == 2
    assert "It comes on Monday." in log[0]["asked"][0]
    assert log[1]["asked"][1] == "Looks fine to me!"


def test_cases_run_in_the_test_explorer(workbench: Workbench, suite: Path) -> None:
    """File and cases are listed; a run shows the last result at each, and the message of what failed."""
    with ModelServer(lambda asked: ONE if "Thank you!" in asked.prompt else FAILING) as model:
        _judge_in(suite.parent, model.base_url)
        _open(workbench, suite)
        workbench.command("Testing: Focus on Test Explorer View")
        workbench.wait(".test-explorer .monaco-list-row", "parcels.eval.yaml")
        workbench.command("Test: Run All Tests")
        workbench.wait(".test-explorer .codicon-testing-failed-icon")
        workbench.expand_test("parcels.eval.yaml", "lost-parcel")
        workbench.wait(".test-explorer .codicon-testing-passed-icon")
        assert len(model.asked) == 2
        workbench.wait(".codelens-decoration a", "fail 0.4666")
        workbench.wait_for_text(".view-line", "next-step", "2 of 10")
        workbench.picture("test-explorer", 48, 36, 960, 450)
    workbench.answer_notification("2 cases: 1 passed", "Show Report")
    report = workbench.page.frameLocator("iframe.webview").last().frameLocator("iframe#active-frame")
    report.locator("body").filter(HasText("No day is named.")).first().waitFor()
    report.getByText("No day is named.").first().scrollIntoViewIfNeeded()
    workbench.picture("report", 353, 36, 925, 690)


SEVERAL = """\
prompts:
  - {id: plain, raw: "{{ question }}"}
  - {id: short, raw: "Briefly: {{ question }}"}
tests:
  - id: capital
    vars: {question: What is the capital of France?}
    assert:
      - {type: contains, value: Paris}
"""


def test_each_case_of_a_test_has_an_entry_and_a_result(workbench: Workbench, tmp_path: Path) -> None:
    """A test of AgentV 5 with two prompts: both cases are listed, and its lens grades both with their own answers."""
    file = tmp_path / "capitals.eval.yaml"
    file.write_text(SEVERAL)
    answers = {"capital__prompt_plain": "It is Paris.", "capital__prompt_short": "Lyon"}
    (tmp_path / "capitals.answers.json").write_text(json.dumps(answers))
    _open(workbench, file)
    workbench.command("Testing: Focus on Test Explorer View")
    workbench.expand_test("capitals.eval.yaml", "capital__prompt_plain")
    workbench.wait(".test-explorer .monaco-list-row", "capital__prompt_short")
    workbench.lens("Grade")
    workbench.notification("2 cases: 1 passed, 1 did not pass.")
    workbench.wait(".test-explorer .codicon-testing-passed-icon")
    workbench.wait(".test-explorer .codicon-testing-failed-icon")
    workbench.wait(".codelens-decoration a", "1 of 2 pass")


def test_several_files_are_reported_in_one_message(workbench: Workbench, suite: Path) -> None:
    """A file that cannot be graded does not keep the others from it."""
    (suite.parent / "broken.eval.yaml").write_text("evalcases: [\n")
    (suite.parent / "more.eval.yaml").write_text(SUITE)
    (suite.parent / "more.answers.json").write_text(json.dumps(ANSWERS))
    with ModelServer(lambda asked: ONE if "Thank you!" in asked.prompt else PASSING) as model:
        _judge_in(suite.parent, model.base_url)
        _open(workbench, suite)
        workbench.command("Testing: Focus on Test Explorer View")
        workbench.wait(".test-explorer .monaco-list-row", "broken.eval.yaml")
        workbench.wait(".test-explorer .monaco-list-row", "more.eval.yaml")
        workbench.command("Test: Run All Tests")
        workbench.notification("4 cases: 4 passed.")
        assert len(workbench.texts(".notifications-toasts .notification-list-item")) <= 2


def test_cancelling_closes_the_call_and_nothing_stale_is_shown(workbench: Workbench, suite: Path) -> None:
    """Grade, edit meanwhile, cancel: the call to the model is closed, the edit is there, and grading works again."""
    with ModelServer(lambda asked: model.hang() if asked.number == 1 else PASSING) as model:
        _judge_in(suite.parent, model.base_url)
        _open(workbench, suite)
        workbench.lens("Grade")
        model.wait_until(lambda model: len(model.asked) == 1)
        workbench.go_to(3, 46)
        workbench.keyboard.type(" and when")
        assert "and when" in workbench.save(suite)
        item = workbench.page.locator(".notifications-toasts .notification-list-item").filter(
            HasText("Grading lost-parcel")
        )
        item.first().locator(".monaco-button").filter(HasText("Cancel")).first().click()
        model.wait_until(lambda model: model.closed_early == 1)
        workbench.notification("stopped before a case was judged")
        assert not any("pass" in lens for lens in workbench.texts(".codelens-decoration"))
        workbench.lens("Grade")
        workbench.notification("lost-parcel: pass")


def test_a_run_can_be_stopped_in_the_test_explorer(workbench: Workbench, suite: Path) -> None:
    """Stopping a run ends the call to the model and leaves other files; what a lens began can be stopped as well."""
    (suite.parent / "more.eval.yaml").write_text(SUITE)
    (suite.parent / "more.answers.json").write_text(json.dumps(ANSWERS))
    with ModelServer(lambda _asked: model.hang()) as model:
        _judge_in(suite.parent, model.base_url)
        _open(workbench, suite)
        workbench.command("Test: Run All Tests")
        model.wait_until(lambda model: len(model.asked) == 2)
        workbench.command("Test: Cancel Test Run")
        model.wait_until(lambda model: model.closed_early == 2)
        workbench.notification("stopped before a case was judged")
        assert workbench.page.locator(".notifications-toasts .notification-list-item").count() == 1
        assert len(model.asked) == 2
        workbench.lens("Grade")
        model.wait_until(lambda model: len(model.asked) == 3)
        workbench.command("Test: Cancel Test Run")
        model.wait_until(lambda model: model.closed_early == 3)


def test_a_criterion_that_looks_like_html_stays_text_in_the_report(workbench: Workbench, suite: Path) -> None:
    """The page has the colours of the editor and a strict policy; nothing of a text becomes a part of it."""
    (suite.parent / ".vscode").mkdir()
    (suite.parent / ".vscode" / "settings.json").write_text('{"workbench.colorTheme": "Default Dark Modern"}')
    attack = "<img src=x onerror=document.title='owned'>"
    suite.write_text(SUITE.replace("- Stays polite", f'- "{attack}"', 1))
    with ModelServer(lambda _asked: FAILING) as model:
        _judge_in(suite.parent, model.base_url)
        _open(workbench, suite)
        workbench.lens("Grade")
        workbench.notification("lost-parcel: fail")
    workbench.answer_notification("lost-parcel: fail", "Show Report")
    report = workbench.page.frameLocator("iframe.webview").last().frameLocator("iframe#active-frame")
    report.locator("body").filter(HasText("<img src=x onerror=")).first().waitFor()
    assert report.locator("img").count() == 0
    assert report.locator("script").count() == 0
    policy = report.locator("meta[http-equiv='Content-Security-Policy']").first().getAttribute("content")
    assert policy.startswith("default-src 'none'")
    assert "owned" not in workbench.page.title()
    assert report.locator("html").evaluate("(html) => getComputedStyle(html).colorScheme") == "dark"


def test_the_history_of_a_skill_is_a_chart_in_the_report(workbench: Workbench, tmp_path: Path) -> None:
    """Each grading adds a point; who has the report open sees it at once."""
    suite, answers, judgements = copy_examples(
        tmp_path, "scorecard.eval.yaml", "scorecard.answers.json", "judgements.json"
    )
    (tmp_path / "rubric.toml").write_text('judge = "replay:judgements.json"\n')
    _open(workbench, suite)
    workbench.lens("Grade")
    workbench.answer_notification("lost-parcel: pass", "Show Report")
    report = workbench.page.frameLocator("iframe.webview").last().frameLocator("iframe#active-frame")
    report.locator("body").filter(HasText("support-mail")).first().waitFor()
    points = report.locator("svg.chart")
    before = points.count()
    judgements.write_text(judgements.read_text().replace('"score": 9', '"score": 6'))
    answers.write_text(answers.read_text().replace("sorry", "so sorry"))
    workbench.lens("Grade")
    workbench.wait(".tab", "Rubric report: run 2")
    report.locator("body").filter(HasText("1 earlier")).first().waitFor()
    assert points.count() >= before > 0


def _grade_without_an_answer(workbench: Workbench) -> None:
    """Press the lens of a case without an answer, and wait until the editor asks for one."""
    workbench.lens("Grade")
    workbench.question("Where is the answer to lost-parcel?")


def _type_an_answer(workbench: Workbench, text: str) -> None:
    workbench.pick("Type it")
    workbench.type_into("Answer to lost-parcel", text)


def test_an_answer_can_be_given_where_none_is_recorded(workbench: Workbench, suite: Path) -> None:
    """Without a recorded answer and without a target, the editor asks where the answer is."""
    (suite.parent / "parcels.answers.json").unlink()
    with ModelServer(lambda _asked: PASSING) as model:
        _judge_in(suite.parent, model.base_url)
        _open(workbench, suite)
        _grade_without_an_answer(workbench)
        workbench.screenshot("answer")
        _type_an_answer(workbench, "On Monday, at noon.")
        workbench.notification("lost-parcel: pass")
        assert "On Monday, at noon." in model.asked[0].prompt


def _wait_for_nothing_left(workbench: Workbench) -> None:
    """Wait until there is neither a question nor a message on the screen, nor the progress of a grading or a run."""
    workbench.wait(".quick-input-widget", gone=True)
    workbench.wait(".notifications-toasts .notification-list-item", gone=True)
    # A message that was not answered goes from the screen after a while, but not from the bell.
    workbench.wait("#status\\.notifications .codicon-bell-dot", gone=True)
    workbench.wait(RUNNING, gone=True)


def test_whoever_gives_no_answer_sees_nothing_and_can_grade_again(workbench: Workbench, suite: Path) -> None:
    """Nothing is graded, whether the question is left, the box to type in, or the grading is cancelled meanwhile."""
    (suite.parent / "parcels.answers.json").unlink()
    with ModelServer(lambda _asked: PASSING) as model:
        _judge_in(suite.parent, model.base_url)
        _open(workbench, suite)
        _grade_without_an_answer(workbench)
        workbench.wait(RUNNING)
        workbench.press("Escape")
        _wait_for_nothing_left(workbench)
        _grade_without_an_answer(workbench)
        workbench.pick("Type it")
        workbench.question("Answer to lost-parcel")
        workbench.keyboard.type("On Mon")
        workbench.press("Escape")
        _wait_for_nothing_left(workbench)
        _grade_without_an_answer(workbench)
        workbench.answer_notification("Grading lost-parcel", "Cancel")
        _wait_for_nothing_left(workbench)
        assert not model.asked
        assert not any("pass" in lens for lens in workbench.texts(".codelens-decoration"))
        _grade_without_an_answer(workbench)
        _type_an_answer(workbench, "On Monday, at noon.")
        workbench.notification("lost-parcel: pass")
        assert len(model.asked) == 1


def test_whoever_gives_no_answer_ends_a_run_of_the_test_explorer(workbench: Workbench, suite: Path) -> None:
    """No case is left running, and the next run asks again."""
    (suite.parent / "parcels.answers.json").unlink()
    _open(workbench, suite)
    workbench.wait(".testing-run-glyph")
    workbench.go_to(3, 5)
    for _ in range(2):
        workbench.command("Test: Run Test at Cursor")
        workbench.question("Where is the answer to lost-parcel?")
        workbench.wait(RUNNING)
        workbench.press("Escape")
        _wait_for_nothing_left(workbench)


def test_an_answer_without_text_is_not_graded(workbench: Workbench, suite: Path) -> None:
    """A message says why nothing happened."""
    (suite.parent / "parcels.answers.json").unlink()
    with ModelServer(lambda _asked: PASSING) as model:
        _judge_in(suite.parent, model.base_url)
        _open(workbench, suite)
        _grade_without_an_answer(workbench)
        _type_an_answer(workbench, " ")
        workbench.notification("The answer is empty. Nothing was graded.")
        assert not model.asked


def _grade_on_the_command_line(suite: Path, judgement: str) -> None:
    """Grade the first case in a process of its own, as a person does in a terminal."""
    (suite.parent / "judgements.json").write_text(json.dumps({"lost-parcel": json.loads(judgement)}))
    command = [sys.executable, "-m", "rubric_core", "grade", suite.name, "--case", "lost-parcel"]
    done = subprocess.run(
        [*command, "--judge", "replay:judgements.json"], cwd=suite.parent, check=False, capture_output=True, text=True
    )
    assert "lost-parcel" in done.stdout, done.stderr


def test_what_is_graded_on_the_command_line_is_seen_in_the_open_file(workbench: Workbench, suite: Path) -> None:
    """The lens shows the verdict of the first run, which makes the store, and that of each one after it."""
    _open(workbench, suite)
    _grade_on_the_command_line(suite, FAILING)
    workbench.wait(".codelens-decoration a", "fail")
    _grade_on_the_command_line(suite, PASSING)
    workbench.wait(".codelens-decoration a", "pass")
    workbench.wait(".codelens-decoration a", "fail", gone=True)


def test_the_prompt_can_be_read_before_anything_is_sent(workbench: Workbench, suite: Path) -> None:
    """The preview is beside the file."""
    _open(workbench, suite)
    workbench.lens("Preview prompt")
    workbench.wait(".tab.active", "Prompt for lost-parcel")
