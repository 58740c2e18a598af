"""What happens around a grading while it goes on: typing, stopping, opening the file again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from grading_session import BAD, GOOD, TEXT, Session

from rubric_core.grading.store.store import Store

if TYPE_CHECKING:
    from pathlib import Path

WITHOUT_CRITERIA = TEXT.replace("    rubrics: [It greets]\n", "")
PROPOSAL = {
    "criteria": [
        {"id": f"point-{number}", "expected_outcome": f"It makes point number {number}", "required": False}
        for number in range(3)
    ]
}
SCORECARDS = """\
evalcases:
  - id: first
    expected_outcome: Answers the mail
    input: Where is my parcel?
    scorecard: {skill: support}
  - id: second
    expected_outcome: Answers the mail
    input: Where is my parcel?
    scorecard: {skill: support}
"""
# A letter in the outcome of the case `short`, which is none of its criteria.
LETTER = {"range": {"start": {"line": 2, "character": 30}, "end": {"line": 2, "character": 30}}, "text": "x"}


def reopen(session: Session, text: str, version: int) -> None:
    """Open the file again with another text, as an editor does that reads it anew."""
    session.client.notify("textDocument/didClose", {"textDocument": {"uri": session.uri}})
    session.client.open(text, session.uri, version)
    session.client.work()


def dimensions(question: dict[str, Any], score: int) -> dict[str, Any]:
    """Return a judgement that gives every dimension of a scorecard the same score."""
    names = [each["name"] for each in question["scorecard"]["dimensions"]]
    return {"judgement": {"dimensions": {name: {"score": score} for name in names}, "red_flags": [], "bonuses": []}}


@pytest.mark.parametrize("command", ["gradeCase", "gradeFile"])
def test_a_letter_elsewhere_in_the_case_leaves_what_is_said_of_its_criteria(tmp_path: Path, command: str) -> None:
    """It is the text of the criterion that counts."""
    session = Session(tmp_path)
    one, many = {"caseId": "short", "answer": "Hi"}, {"caseIds": ["short"], "answers": {"short": "Hi"}}
    session.begin(command, judge="manual", **(one if command == "gradeCase" else many))
    session.client.wait_for("rubric/judge")
    session.client.change(LETTER, 2, session.uri)
    session.client.reply("rubric/judge", {"judgement": BAD})
    session.client.wait_for("rubric/graded")
    assert [each["code"] for each in session.found()] == ["gate-failed"]


def test_a_changed_criterion_of_a_file_that_is_graded_has_nothing_said_of_it(tmp_path: Path) -> None:
    """Not even where the case has another change besides."""
    session = Session(tmp_path)
    session.begin("gradeFile", judge="manual", caseIds=["short"], answers={"short": "Hi"})
    session.client.wait_for("rubric/judge")
    session.client.change({"text": TEXT.replace("Rude", "Impolite")}, 2, session.uri)
    session.client.change(LETTER, 3, session.uri)
    session.client.reply("rubric/judge", {"judgement": BAD})
    session.client.wait_for("rubric/graded")
    assert session.found() == []


@pytest.mark.parametrize("way", ["request", "progress"])
def test_what_was_judged_until_a_stop_is_compared_with_history(tmp_path: Path, way: str) -> None:
    """However it was stopped, the run has ended, and a score that is far from the others is reported."""
    session = Session(tmp_path)
    reopen(session, SCORECARDS, 1)
    for count in range(1, 4):
        number = session.begin("gradeCase", caseId="first", answer="Hi", judge="manual")
        question = session.client.wait_for("rubric/judge", count)[-1]
        session.client.reply("rubric/judge", dimensions(question, 8))
        session.client.awaited(number)
    number = session.begin("gradeFile", judge="manual", answers={"first": "Hi", "second": "Hi"})
    question = session.client.wait_for("rubric/judge", 4)[-1]
    session.client.reply("rubric/judge", dimensions(question, 3))
    session.client.wait_for("rubric/judge", 5)
    if way == "request":
        session.client.notify("$/cancelRequest", {"id": number})
    else:
        token = session.client.of("window/workDoneProgress/create")[-1]["token"]
        session.client.notify("window/workDoneProgress/cancel", {"token": token})
    session.client.awaited(number)
    with Store.open(Store.at(tmp_path)) as store:
        # The client is answered at once, while the last call is still being ended.
        session.client.until(lambda: store.runs()[0].ended)
        session.client.until(lambda: _history_of_last(store))


def _history_of_last(store: Store) -> object:
    (result,) = store.results_of(store.runs()[0].id)
    return None if result.scorecard is None else result.scorecard.history


def test_criteria_are_not_written_into_a_text_that_was_opened_again(tmp_path: Path) -> None:
    """Its version may be the same as before, and its places others."""
    session = Session(tmp_path)
    reopen(session, WITHOUT_CRITERIA, 1)
    number = session.begin("generateRubrics", caseId="plain", judge="editor")
    session.client.wait_for("rubric/judge")
    reopen(session, "# A line more\n" + WITHOUT_CRITERIA, 1)
    session.client.reply("rubric/judge", {"text": json.dumps(PROPOSAL)})
    assert "The file changed" in session.client.awaited(number)["message"]
    assert session.client.of("workspace/applyEdit") == []


def test_a_grading_that_fails_is_not_reported_as_done(tmp_path: Path) -> None:
    """Neither in the progress nor in what the client is notified of the grading."""
    session = Session(tmp_path)
    refused = session.run("gradeCase", caseId="short", answer="Hi", judge="nobody")
    assert "no judge nobody" in refused["message"]
    assert session.client.wait_for("rubric/graded")[-1]["state"] == "failed"
    assert [each["value"].get("message") for each in session.client.of("$/progress")][-1] == "failed"
    assert (
        session.run("gradeCase", caseId="short", answer="Hi", judge=session.replay({"short": GOOD}))["stopped"] is False
    )
