"""Which cases, criteria and runs a command names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from grading_session import BAD, GOOD, Session

if TYPE_CHECKING:
    from pathlib import Path

TWO_EVALUATORS = """\
evalcases:
  - id: a
    expected_outcome: It is short
    input: Say hi
    execution:
      evaluators:
        - {name: style, type: rubric, rubrics: [It greets, It is brief]}
        - {name: facts, type: rubric, rubrics: [It is true, It is cited]}
"""


@pytest.fixture
def evaluators(tmp_path: Path) -> Session:
    """Return an editor with a case whose two evaluators have criteria of the same ids."""
    session = Session(tmp_path)
    session.client.change({"text": TWO_EVALUATORS}, 2, session.uri)
    return session


@pytest.mark.parametrize(
    ("about", "asked"),
    [
        ({"position": {"line": 6, "character": 50}}, [("style", "It greets")]),
        ({"position": {"line": 7, "character": 50}}, [("facts", "It is true")]),
        ({"caseId": "a", "criterionId": "rubric-2", "evaluator": "facts"}, [("facts", "It is cited")]),
        ({"caseId": "a", "criterionId": "rubric-2"}, [("style", "It is brief"), ("facts", "It is cited")]),
    ],
)
def test_the_criterion_at_the_cursor_is_that_of_its_evaluator(
    evaluators: Session, about: dict[str, Any], asked: list[tuple[str, str]]
) -> None:
    """An id alone is graded wherever it is."""
    number = evaluators.begin("gradeCriterion", answer="Hi", judge="manual", **about)
    found = []
    for count in range(1, len(asked) + 1):
        question = evaluators.client.wait_for("rubric/judge", count)[-1]
        (criterion,) = question["criteria"]
        found.append((question["evaluator"], criterion["expectedOutcome"]))
        checks = {"checks": [{"id": criterion["id"], "satisfied": True}]}
        evaluators.client.reply("rubric/judge", {"judgement": checks})
    (result,) = evaluators.client.awaited(number)["results"]
    assert found == asked
    assert result["error"] is None


@pytest.mark.parametrize(
    ("command", "about", "words"),
    [
        (
            "gradeCriterion",
            {"caseId": "a", "criterionId": "no"},
            "no criterion no in this case; it has rubric-1, ",
        ),
        ("gradeCriterion", {"caseId": "a", "criterionId": "rubric-1", "evaluator": "x"}, "no criterion rubric-1"),
        ("gradeFile", {"caseIds": ["a", "no"]}, "no case no in this file"),
    ],
)
def test_what_is_not_there_is_refused(evaluators: Session, command: str, about: dict[str, Any], words: str) -> None:
    """Nobody is asked, and no run is kept."""
    assert words in evaluators.run(command, answer="Hi", judge="manual", **about)["message"]
    assert evaluators.client.of("rubric/judge") == []
    assert evaluators.run("showReport") is None


@pytest.mark.parametrize(
    ("about", "runs"),
    [
        ({}, (2, 3)),
        ({"after": 2}, (1, 2)),
        ({"before": 1}, (1, 3)),
        ({"before": 3, "after": 1}, (3, 1)),
        ({"before": 3}, "There is no grading after run 3; grade again to compare."),
        ({"before": 99}, "There is no run 99 with results; the latest is run 3."),
        ({"after": 1}, "There is no grading before run 1; grade again to compare."),
    ],
)
def test_the_runs_that_are_compared(tmp_path: Path, about: dict[str, int], runs: tuple[int, int] | str) -> None:
    """The latest one and the one before it, unless others are named."""
    session = Session(tmp_path)
    for judgement in (GOOD, BAD, GOOD):
        session.run("gradeCase", caseId="short", answer="Hi", judge=session.replay({"short": judgement}))
    compared = session.run("compare", **about)
    assert (compared["message"] if isinstance(runs, str) else (compared["before"], compared["after"])) == runs


def test_an_address_that_somebody_wrote_by_hand_is_that_of_the_open_file(tmp_path: Path) -> None:
    """A path behind `file://` as it is, with characters that mean something in an address."""
    folder = tmp_path / "50% done #1?"
    folder.mkdir()
    session = Session(folder)
    by_hand = session.client.ask(
        "workspace/executeCommand",
        {
            "command": "rubric.gradeCase",
            "arguments": [
                {
                    "uri": f"file://{session.file}",
                    "caseId": "short",
                    "answer": "Hi",
                    "judge": session.replay({"short": GOOD}),
                }
            ],
        },
    )
    assert [each["eval_id"] for each in session.client.awaited(by_hand)["results"]] == ["short"]
