"""Grading tests of promptfoo from the editor: they have no ids, so that their place or their description names them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from grading_session import Session

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """\
# rubric: dialect=promptfoo
prompts: ["{{ q }}"]
providers: [echo]
tests:
  - vars: {q: [a, b]}
    assert: [{type: contains, value: a}]
  - description: Says hello
    vars: {q: c}
    assert:
      - {type: contains, value: hello}

  - description: Says hello
    vars: {q: d}
    assert: [{type: equals, value: hello}]
scenarios:
  - config: [vars: {q: e}]
    tests:
      - assert: [{type: contains, value: e}]
"""
ANSWERS = {"test-1__q_a": "a", "test-1__q_b": "b", "Says-hello": "hello!", "Says-hello-2": "hello!"}
FIRST, SECOND, THIRD, SCENARIO = 4, 6, 11, 17


@pytest.fixture
def session(tmp_path: Path) -> Session:
    """Return an editor with a configuration, and recorded answers."""
    (tmp_path / "a.answers.json").write_text(json.dumps({**ANSWERS, "scenario-1-1-1": "e"}), encoding="utf-8")
    return Session(tmp_path, text=TEXT)


def _verdicts(answer: dict[str, Any]) -> dict[str, str | None]:
    return {each["eval_id"]: each["verdict"] or each["error"] for each in answer["results"]}


def _at(line: int, character: int = 6) -> dict[str, int]:
    return {"line": line, "character": character}


@pytest.mark.parametrize(
    ("line", "verdicts"),
    [
        (FIRST, {"test-1__q_a": "pass", "test-1__q_b": "fail"}),
        (FIRST + 1, {"test-1__q_a": "pass", "test-1__q_b": "fail"}),
        (SECOND, {"Says-hello": "pass"}),
        (SECOND + 3, {"Says-hello": "pass"}),
        (THIRD, {"Says-hello-2": "fail"}),
        (SCENARIO, {"scenario-1-1-1": "pass"}),
    ],
)
def test_the_test_at_the_cursor_is_graded(session: Session, line: int, verdicts: dict[str, str]) -> None:
    """With all cases that it makes, by the ids that the command line gives them."""
    assert _verdicts(session.run("gradeCase", position=_at(line, 8))) == verdicts


def test_a_test_behind_a_file_with_tests_is_graded(tmp_path: Path) -> None:
    """Its number is known only when that file is read."""
    (tmp_path / "more.yaml").write_text("- vars: {q: x}\n- vars: {q: y}\n", encoding="utf-8")
    session = Session(tmp_path, text=TEXT.replace("tests:\n", "tests:\n  - file://more.yaml\n", 1))
    answer = session.run("gradeCase", position=_at(FIRST + 1, 8), answer="a")
    assert _verdicts(answer) == {"test-3__q_a": "pass", "test-3__q_b": "pass"}


def test_each_test_has_its_lenses(session: Session) -> None:
    """At the description or the first key; the last verdict is beside them."""
    session.run("gradeFile")
    lenses = session.client.request("textDocument/codeLens", {"textDocument": {"uri": session.uri}})
    found = [
        (each["range"]["start"]["line"], each["command"]["title"].partition(",")[0], each["command"]["arguments"][0])
        for each in lenses
        if each["command"]["command"] in {"rubric.gradeCase", "rubric.showReport"}
    ]
    assert [(line, title, argument.get("caseId")) for line, title, argument in found] == [
        (FIRST, "Grade", "test-1"),
        (SECOND, "Grade", "Says-hello"),
        (THIRD, "Grade", "Says-hello-2"),
        (FIRST, "1 of 2 pass", found[3][2]["caseId"]),
        (SECOND, "pass 1", "Says-hello"),
        (THIRD, "fail 0", "Says-hello-2"),
    ]
    for line, title, argument in found:
        if title == "Grade":
            answer = session.run("gradeCase", caseId=argument["caseId"])
            assert {each["test_id"] for each in answer["results"]} == {argument["caseId"]}, line


def test_the_client_is_notified_where_a_test_is(session: Session) -> None:
    """The notification has the place, as the list of tests has it."""
    session.run("gradeCase", position=_at(SECOND))
    told = [case for each in session.client.wait_for("rubric/graded", 2) for case in each["cases"]]
    assert [(case["testId"], case["range"]["start"]["line"]) for case in told] == [("Says-hello", SECOND)]
    tests = session.run("listTests")["tests"]
    assert [(each["caseId"], each["selectionRange"]["start"]["line"]) for each in tests] == [
        ("test-1__q_a", FIRST),
        ("test-1__q_b", FIRST),
        ("Says-hello", SECOND),
        ("Says-hello-2", THIRD),
        ("scenario-1-1-1", SCENARIO),
    ]


def test_what_is_no_test_is_said(session: Session) -> None:
    """Above the tests there is none."""
    failure = session.run("gradeCase", position=_at(1))
    assert failure["message"] == "No eval case at the cursor. Move it into a case and try again."


def test_tests_without_ids_are_listed_by_description_and_place(tmp_path: Path) -> None:
    """Each case is at its test, which has no id to point to."""
    text = (
        "# rubric: dialect=promptfoo\n"
        "prompts: ['{{ q }}']\n"
        "providers: [echo]\n"
        "tests:\n"
        "  - vars: {q: [a, b]}\n"
        "    assert: [{type: is-json}]\n"
        "  - description: Says hello\n"
        "    vars: {q: c}\n"
        "    assert: [{type: is-json}]\n"
    )
    tests = Session(tmp_path, text=text).run("listTests")["tests"]
    assert [(each["caseId"], each["testId"], each["range"]["start"]["line"]) for each in tests] == [
        ("test-1__q_a", "test-1", 4),
        ("test-1__q_b", "test-1", 4),
        ("Says-hello", "Says-hello", 6),
    ]


def test_a_configuration_of_promptfoo_is_graded_whole_or_by_the_id_of_a_case(tmp_path: Path) -> None:
    """Its tests have no ids in the text, so they are called by description and place."""
    text = (
        "# rubric: dialect=promptfoo\n"
        "prompts: ['{{ q }}']\n"
        "providers: [echo]\n"
        "tests:\n"
        "  - vars: {q: a}\n"
        "    assert: [{type: contains, value: Hi}]\n"
        "  - description: Says hello\n"
        "    vars: {q: b}\n"
        "    assert: [{type: not-contains, value: Hi}]\n"
    )
    (tmp_path / "a.answers.json").write_text(json.dumps({"test-1": "Hi", "Says-hello": "Hi"}), encoding="utf-8")
    session = Session(tmp_path, text=text)
    assert _verdicts(session.run("gradeFile")) == {"test-1": "pass", "Says-hello": "fail"}
    assert _verdicts(session.run("gradeCase", caseId="Says-hello")) == {"Says-hello": "fail"}
    at_the_cursor = session.run("gradeCase", position={"line": 7, "character": 6})
    assert _verdicts(at_the_cursor) == {"Says-hello": "fail"}
