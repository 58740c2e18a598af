"""Grading tests of AgentV 4 and 5 from the editor: every case of a test, and its grades where its criteria are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from grading_session import Session

if TYPE_CHECKING:
    from pathlib import Path

FIVE = """\
prompts:
  - {id: plain, raw: "{{ question }}"}
  - {id: short, raw: "Briefly: {{ question }}"}
tests:
  - id: capital
    vars: {question: What is the capital of France?}
    assert:
      - It names Paris
      - type: llm-rubric
        value:
          - {id: tone, outcome: It is friendly, required: false}
  - id: sum
    vars: {question: 2 + 2?}
    assert: [{type: contains, value: "4"}]
"""
PLAIN, SHORT = "capital__prompt_plain", "capital__prompt_short"
ANSWERS = {PLAIN: "Paris, my friend", SHORT: "Paris", "sum__prompt_plain": "4", "sum__prompt_short": "5"}


def _judged(rubric: str, *, friendly: bool) -> dict[str, Any]:
    """Return what a judge says of both rubrics of a test."""
    tone = {"id": "tone", "satisfied": friendly, "reasoning": "So it is."}
    return {"evaluators": {"rubric": {"checks": [{"id": "rubric-1", "satisfied": True}]}, rubric: {"checks": [tone]}}}


JUDGED = {PLAIN: _judged("llm-rubric", friendly=True), SHORT: _judged("llm-rubric", friendly=False)}


@pytest.fixture
def five(tmp_path: Path) -> Session:
    """Return an editor with a suite of AgentV 5, and recorded answers by the ids of the cases."""
    (tmp_path / "a.answers.json").write_text(json.dumps(ANSWERS), encoding="utf-8")
    return Session(tmp_path, text=FIVE)


def _verdicts(answer: dict[str, Any]) -> dict[str, str | None]:
    return {each["eval_id"]: each["verdict"] for each in answer["results"]}


def test_each_case_of_a_test_is_graded_at_the_cursor(five: Session) -> None:
    """With the answers that are recorded by the ids of the cases."""
    answer = five.run("gradeCase", position={"line": 5, "character": 4}, judge=five.replay(JUDGED))
    assert _verdicts(answer) == {PLAIN: "pass", SHORT: "fail"}
    assert {each["candidate_answer"] for each in answer["results"]} == {ANSWERS[PLAIN], ANSWERS[SHORT]}
    told = [case for each in five.client.wait_for("rubric/graded", 3) for case in each["cases"]]
    assert {(case["caseId"], case["testId"], case["range"]["start"]["line"]) for case in told} == {
        (PLAIN, "capital", 4),
        (SHORT, "capital", 4),
    }


@pytest.mark.parametrize("case_id", [PLAIN, SHORT])
def test_one_case_of_a_test_is_graded_by_its_own_id(five: Session, case_id: str) -> None:
    """The id of the test means all of them."""
    assert list(_verdicts(five.run("gradeCase", caseId=case_id, judge=five.replay(JUDGED)))) == [case_id]
    assert len(five.run("gradeCase", caseId="capital", judge=five.replay(JUDGED))["results"]) == 2


def test_a_file_is_graded_with_all_its_cases(five: Session) -> None:
    """Or with those that are named, by either id."""
    judge = five.replay(JUDGED)
    verdicts = {PLAIN: "pass", SHORT: "fail", "sum__prompt_plain": "pass", "sum__prompt_short": "fail"}
    assert _verdicts(five.run("gradeFile", judge=judge)) == verdicts
    assert five.client.of("rubric/graded")[-1]["total"] == len(verdicts)
    assert list(_verdicts(five.run("gradeFile", caseIds=["sum", PLAIN], judge=judge))) == [
        PLAIN,
        "sum__prompt_plain",
        "sum__prompt_short",
    ]
    assert five.run("gradeFile", caseIds=["gone"])["message"] == "There is no case gone in this file."
    assert five.run("gradeCase", caseId="gone")["message"] == "There is no case gone in this file."


def test_a_file_that_is_not_open_is_graded_case_by_case(five: Session) -> None:
    """As it is on the disk."""
    five.client.notify("textDocument/didClose", {"textDocument": {"uri": five.uri}})
    answer = five.run("gradeCase", caseId=SHORT, judge=five.replay(JUDGED))
    assert _verdicts(answer) == {SHORT: "fail"}


def test_an_answer_is_that_to_each_case_unless_they_are_named(five: Session) -> None:
    """Whoever tries one answer means the test."""
    answer = five.run("gradeCase", caseId="sum", answer="It is 4.")
    assert _verdicts(answer) == {"sum__prompt_plain": "pass", "sum__prompt_short": "pass"}
    answer = five.run("gradeCase", caseId="sum", answer="x", answers={"sum__prompt_short": "4"})
    assert _verdicts(answer) == {"sum__prompt_plain": "pass", "sum__prompt_short": "pass"}


def test_a_criterion_in_the_value_of_an_assertion_is_graded(five: Session) -> None:
    """In each case of the test; nothing else is asked."""
    answer = five.run("gradeCriterion", position={"line": 10, "character": 14}, judge=five.replay(JUDGED))
    assert [(each["partial"], [one["id"] for one in each["criteria"]]) for each in answer["results"]] == [
        (True, ["tone"]),
        (True, ["tone"]),
    ]
    answer = five.run("gradeCriterion", position={"line": 7, "character": 10}, judge=five.replay(JUDGED))
    assert [one["evaluator"] for each in answer["results"] for one in each["criteria"]] == ["rubric", "rubric"]


def test_the_last_grades_of_a_test_are_at_it(five: Session) -> None:
    """The lens counts its cases; a finding names the case; the hint tells what both said."""
    five.run("gradeFile", judge=five.replay(JUDGED))
    lenses = five.client.request("textDocument/codeLens", {"textDocument": {"uri": five.uri}})
    verdicts = [each["command"] for each in lenses if each["command"]["command"] == "rubric.showReport"]
    assert [each["title"].partition(",")[0] for each in verdicts] == ["1 of 2 pass", "1 of 2 pass"]
    assert verdicts[0]["arguments"][0]["caseId"] in {PLAIN, SHORT}
    grade = next(each["command"] for each in lenses if each["command"]["command"] == "rubric.gradeCase")
    assert (grade["title"], grade["arguments"]) == ("Grade", [{"uri": five.uri, "caseId": "capital"}])
    (found,) = five.found()
    assert found["message"] == f"{SHORT}, tone: judged not met: So it is."
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 20, "character": 0}}
    hints = five.client.request("textDocument/inlayHint", {"textDocument": {"uri": five.uri}, "range": everything})
    assert "met / not met" in [each["label"] for each in hints]
    hover = five.client.request(
        "textDocument/hover", {"textDocument": {"uri": five.uri}, "position": {"line": 4, "character": 9}}
    )
    assert f"Last graded {PLAIN}: pass 1" in hover["contents"]["value"]


def test_cases_that_a_test_no_longer_is_are_forgotten(five: Session) -> None:
    """A prompt less, and the test graded again, is one case with the id of the test."""
    judge = five.replay({**JUDGED, "capital": JUDGED[PLAIN]})
    five.run("gradeCase", caseId="capital", judge=judge)
    line = {"start": {"line": 2, "character": 0}, "end": {"line": 3, "character": 0}}
    five.client.change({"range": line, "text": ""}, 2, five.uri)
    five.run("gradeCase", caseId="capital", answer="Paris", judge=judge)
    lenses = five.client.request("textDocument/codeLens", {"textDocument": {"uri": five.uri}})
    (title,) = [each["command"]["title"] for each in lenses if each["command"]["command"] == "rubric.showReport"]
    assert title.startswith("pass 1,")


def test_grades_of_cases_last_longer_than_the_server(five: Session, tmp_path: Path) -> None:
    """What was graded before is at the test again."""
    five.run("gradeFile", judge=five.replay(JUDGED))
    again = Session(tmp_path, text=FIVE)

    def titles() -> list[str] | None:
        lenses = again.client.request("textDocument/codeLens", {"textDocument": {"uri": again.uri}})
        return [each["command"]["title"] for each in lenses if " of 2 pass" in each["command"]["title"]] or None

    assert len(again.client.until(titles)) == 2


def test_grades_of_cases_that_a_test_no_longer_is_do_not_last(five: Session, tmp_path: Path) -> None:
    """A prompt has another id since then, and only the other case is what it was."""
    five.run("gradeFile", judge=five.replay(JUDGED))
    again = Session(tmp_path, text=FIVE.replace("id: short", "id: brief"))

    def titles() -> list[str] | None:
        lenses = again.client.request("textDocument/codeLens", {"textDocument": {"uri": again.uri}})
        commands = [each["command"] for each in lenses]
        return [each["title"] for each in commands if each["command"] == "rubric.showReport"] or None

    assert [each.partition(",")[0] for each in again.client.until(titles)] == ["pass 1", "pass 1"]


def test_the_prompts_of_each_case_are_shown(five: Session) -> None:
    """One after the other, and by case."""
    shown = five.run("previewPrompt", position={"line": 5, "character": 4})
    assert shown["caseId"] == "capital"
    assert [(each["caseId"], len(each["prompts"])) for each in shown["tests"]] == [(PLAIN, 2), (SHORT, 2)]
    assert len(shown["prompts"]) == 4
    assert f"# {SHORT}: llm-rubric" in shown["markdown"]
    one = five.run("previewPrompt", caseId=PLAIN)
    assert (one["caseId"], len(one["prompts"]), one["markdown"].startswith("# rubric\n")) == (PLAIN, 2, True)


MANY = """\
prompts: ["{{ question }}"]
scenarios:
  - config:
      - {vars: {language: French}}
      - {vars: {language: German}}
    tests:
      - id: greet
        vars: {question: "Say hi in {{ language }}"}
        assert: [{type: contains, value: "{{ language }}"}]
tests:
  - id: sum
    vars: {question: 2 + 2?, form: ["4", "four"]}
    assert:
      - {type: icontains, value: "{{ form }}"}
"""


def test_lists_and_scenarios_make_cases_that_are_graded_at_their_test(tmp_path: Path) -> None:
    """Each with texts of its own; the list of tests has the ids that recordings need."""
    session = Session(tmp_path, text=MANY)
    listed = session.run("listTests")["tests"]
    by_test = {name: [each["caseId"] for each in listed if each["testId"] == name] for name in ("greet", "sum")}
    assert [len(ids) for ids in by_test.values()] == [2, 2]
    assert len({each["caseId"] for each in listed}) == len(listed)
    for name, line, answers in (("greet", 6, ["Say French", "No"]), ("sum", 11, ["It is 4", "It is 4"])):
        recorded = dict(zip(by_test[name], answers, strict=True))
        at = {"line": line, "character": 10}
        assert _verdicts(session.run("gradeCase", position=at, answers=recorded)) == dict(
            zip(by_test[name], ["pass", "fail"], strict=True)
        )
        told = [case for each in session.client.of("rubric/graded") for case in each["cases"] if case["testId"] == name]
        assert {case["range"]["start"]["line"] for case in told} == {line if name == "greet" else 10}


def test_the_report_has_every_case(five: Session) -> None:
    """Also where the lens of one of them asks for it."""
    five.run("gradeFile", judge=five.replay(JUDGED))
    for asked in (SHORT, "capital"):
        page = five.run("showReport", caseId=asked)
        assert all(case_id in page["html"] for case_id in ANSWERS)
    assert five.run("showReport", caseId="gone") is None


def test_a_case_of_several_without_an_answer_is_an_error_of_its_own(tmp_path: Path) -> None:
    """The others are graded; only a test that is one case asks for an answer."""
    session = Session(tmp_path, text=FIVE)
    answer = session.run("gradeCase", caseId="sum", answers={"sum__prompt_plain": "4"})
    assert _verdicts(answer) == {"sum__prompt_plain": "pass", "sum__prompt_short": None}
    assert "sum__prompt_short" in answer["results"][1]["error"]
    missing = session.run("gradeCase", caseId="sum__prompt_short")
    assert missing["data"] == {"reason": "no-answer", "caseId": "sum__prompt_short"}


def test_prompts_in_files_are_read_for_an_open_file(tmp_path: Path) -> None:
    """A case at the cursor and a whole file are what the command line makes of them, copies of a test among them."""
    (tmp_path / "p.md").write_text("Say {{ x }}!", encoding="utf-8")
    text = "prompts: file://p.md\ntests:\n  - {id: a, vars: {x: b}, assert: [{type: contains, value: '{{ x }}'}]}\n"
    copies = "  - {id: c, vars: {x: [d, e]}, assert: [{type: contains, value: '{{ x }}'}]}\n"
    session = Session(tmp_path, text=text + copies)
    (one,) = session.run("gradeCase", caseId="a", answer="b")["results"]
    answers = {"a": "b", "c__x_d": "d", "c__x_e": "d"}
    results = session.run("gradeFile", answers=answers)["results"]
    assert one["verdict"] == "pass"
    assert [(each["eval_id"], each["verdict"]) for each in results] == [
        ("a", "pass"),
        ("c__x_d", "pass"),
        ("c__x_e", "fail"),
    ]
