"""`rubric.listTests`: one entry for each case that is graded, at the place of the test that it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from grading_session import TEXT, Session

if TYPE_CHECKING:
    from pathlib import Path

FIVE = """\
prompts:
  - {id: plain, raw: "{{ question }}"}
  - {id: short, raw: "Briefly: {{ question }}"}
tests:
  - id: capital
    vars: {question: What is the capital of France?}
    assert: [It names Paris]
  - {id: sum, vars: {question: 2 + 2?}, assert: [It says 4]}
"""
SCENARIOS = """\
prompts: ["{{ question }}"]
scenarios:
  - config:
      - {vars: {language: French}}
      - {vars: {language: German}}
    tests:
      - {id: greet, vars: {question: "Say hi in {{ language }}"}, assert: ["It is {{ language }}"]}
"""


def _listed(session: Session) -> list[tuple[str, str, int]]:
    tests = session.run("listTests")["tests"]
    return [(each["caseId"], each["testId"], each["selectionRange"]["start"]["line"]) for each in tests]


def test_the_cases_of_a_plain_suite_are_its_tests(tmp_path: Path) -> None:
    """Each once, with the place of its id and of all of it."""
    session = Session(tmp_path)
    answer = session.run("listTests")
    assert [each["caseId"] for each in answer["tests"]] == ["short", "plain"]
    first = answer["tests"][0]
    assert (answer["version"], first["testId"]) == (1, "short")
    assert first["selectionRange"] == {"start": {"line": 1, "character": 8}, "end": {"line": 1, "character": 13}}
    assert (first["range"]["start"]["line"], first["range"]["end"]["line"]) == (1, 6)


def test_a_test_is_listed_once_for_each_prompt(tmp_path: Path) -> None:
    """Several entries at one place, with the ids that recordings and results have."""
    assert _listed(Session(tmp_path, text=FIVE)) == [
        ("capital__prompt_plain", "capital", 4),
        ("capital__prompt_short", "capital", 4),
        ("sum__prompt_plain", "sum", 7),
        ("sum__prompt_short", "sum", 7),
    ]


def test_a_test_of_a_scenario_is_at_its_place(tmp_path: Path) -> None:
    """However many settings it has; all of its cases are made of it."""
    listed = _listed(Session(tmp_path, text=SCENARIOS))
    assert {(test_id, line) for _, test_id, line in listed} == {("greet", 6)}


def test_an_edit_changes_the_list(tmp_path: Path) -> None:
    """A prompt less makes tests of their own ids."""
    session = Session(tmp_path, text=FIVE)
    line = {"start": {"line": 2, "character": 0}, "end": {"line": 3, "character": 0}}
    session.client.change({"range": line, "text": ""}, 2, session.uri)
    assert _listed(session) == [("capital", "capital", 3), ("sum", "sum", 6)]
    assert session.run("listTests")["version"] == 2


@pytest.mark.parametrize("text", ["", "tests:\n", "prompts: [", "prompts: [a, b]\ntests: [{id: a, vars: {q: []}}]\n"])
def test_a_text_that_has_no_tests_yet_has_none(tmp_path: Path, text: str) -> None:
    """Whoever types has no error."""
    assert Session(tmp_path, text=text).run("listTests") == {"version": 1, "tests": []}


def test_a_file_that_is_not_open_is_an_error(tmp_path: Path) -> None:
    """A sentence says so."""
    session = Session(tmp_path)
    answer: dict[str, Any] = session.run("listTests", uri=(tmp_path / "other.eval.yaml").as_uri())
    assert answer["message"] == "The file is not open."


def test_a_text_that_was_never_saved_is_listed(tmp_path: Path) -> None:
    """It has no file, and refers to none."""
    session = Session(tmp_path)
    session.client.open(FIVE, "untitled:Untitled-1")
    tests = session.run("listTests", uri="untitled:Untitled-1")["tests"]
    assert [each["caseId"] for each in tests][:2] == ["capital__prompt_plain", "capital__prompt_short"]


def test_an_untrusted_workspace_may_list(tmp_path: Path) -> None:
    """Nothing is run or sent for it."""
    session = Session(tmp_path, initializationOptions={"trusted": False})
    assert len(session.run("listTests")["tests"]) == TEXT.count("  - id:")
