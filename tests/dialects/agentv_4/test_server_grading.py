"""Grading a test of AgentV 4 from the editor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from grading_session import Session

if TYPE_CHECKING:
    from pathlib import Path

FOUR = """\
tests:
  - id: greet
    input: Say hi
    assertions:
      - It greets
      - type: rubrics
        criteria:
          - {id: tone, outcome: It is friendly, required: false}
      - {type: contains, value: Hi}
"""


def _judged(rubric: str, *, friendly: bool) -> dict[str, Any]:
    """Return what a judge says of both rubrics of a test."""
    tone = {"id": "tone", "satisfied": friendly, "reasoning": "So it is."}
    return {"evaluators": {"rubric": {"checks": [{"id": "rubric-1", "satisfied": True}]}, rubric: {"checks": [tone]}}}


def _verdicts(answer: dict[str, Any]) -> dict[str, str | None]:
    return {each["eval_id"]: each["verdict"] for each in answer["results"]}


def test_a_test_of_agentv_4_is_graded_at_the_cursor(tmp_path: Path) -> None:
    """Its strings are one rubric; what needs no judge needs none."""
    session = Session(tmp_path, text=FOUR)
    judge = session.replay({"greet": _judged("rubrics", friendly=False)})
    answer = session.run("gradeCase", position={"line": 2, "character": 4}, answer="Hi", judge=judge)
    assert _verdicts(answer) == {"greet": "fail"}
    assert (answer["results"][0]["test_id"], answer["results"][0]["execution_status"]) == ("greet", "quality_failure")
    (found,) = session.found()
    assert (found["message"], found["range"]["start"]["line"]) == ("tone: judged not met: So it is.", 7)
