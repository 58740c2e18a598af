"""`rubric grade` on suites of AgentV 5."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pages import blocks

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    Rubric = Callable[..., Result]

EXAMPLES = Path(__file__).parents[3] / "examples"
DIFFERENT = """\
prompts: ["{{ input }}"]
tests:
  - id: refund
    vars: {input: "May I return it?"}
    assert:
      - type: llm-rubric
        value:
          - {id: polite, outcome: Is polite, weight: 1}
          - {id: period, outcome: Names the period of 30 days, weight: 9}
"""


@pytest.fixture
def refund(folder: Path) -> Path:
    """Return a test of AgentV 5 that AgentV would let pass."""
    (folder / "refund.eval.yaml").write_text(DIFFERENT, encoding="utf-8")
    (folder / "refund.answers.json").write_text('{"refund": "Within 30 days."}', encoding="utf-8")
    said = {"checks": [{"id": "polite", "satisfied": False}, {"id": "period", "satisfied": True}]}
    (folder / "said.json").write_text(json.dumps({"refund": said}), encoding="utf-8")
    return folder


def results(ran: Result) -> list[dict[str, Any]]:
    """Return the results that were printed as lines of JSON."""
    return [json.loads(line) for line in ran.stdout.splitlines()]


@pytest.mark.parametrize("written", ["80", "-0.1", "x", "nan"])
def test_a_threshold_is_a_share(rubric: Rubric, dialects: Path, written: str) -> None:
    """From 0 to 1."""
    assert dialects.is_dir()
    ran = rubric("grade", "agentv-5.eval.yaml", f"--threshold={written}")
    assert ran.exit_code == 2
    assert f"{written} is not a number from 0 to 1." in ran.output


def test_a_threshold_is_another_grading_for_a_resumed_run(rubric: Rubric, folder: Path) -> None:
    """The verdict of an earlier one is not taken over."""
    shutil.copytree(EXAMPLES / "offline", folder, dirs_exist_ok=True)
    assert rubric("grade", "release-notes.eval.yaml", "--quiet").exit_code == 0
    assert rubric("grade", "release-notes.eval.yaml", "--quiet", "--resume", "--threshold", "0.9").exit_code == 1
    again = rubric("grade", "release-notes.eval.yaml", "--resume", "--threshold", "0.9")
    assert "2 results taken over" in again.output


def test_what_agentv_would_say_is_in_the_report_and_in_the_result(rubric: Rubric, refund: Path) -> None:
    """A failed gate fails the test here, and the assertion alone there: as the page about differences shows."""
    assert refund.is_dir()
    ran = rubric("grade", "refund.eval.yaml", "--judge", "replay:said.json", "--quiet")
    assert ran.exit_code == 1
    assert "AgentV: 0.9, pass" in ran.stdout
    (result,) = results(
        rubric("grade", "refund.eval.yaml", "--judge", "replay:said.json", "--quiet", "--format", "jsonl")
    )
    (shown,) = (json.loads(block.text) for block in blocks("differences.md", "json"))
    assert {name: result[name] for name in shown} == shown
    assert DIFFERENT in [block.text for block in blocks("differences.md", "yaml")]


def test_assertions_without_a_judge_need_none(rubric: Rubric, folder: Path) -> None:
    """Nobody is asked, and what the answer does not carry is said."""
    shutil.copytree(EXAMPLES / "offline", folder, dirs_exist_ok=True)
    answers = {"markdown": "# 2.4\n\n- Added: x", "json": "{}"}
    (folder / "release-notes.answers.json").write_text(json.dumps(answers), encoding="utf-8")
    ran = rubric("grade", "release-notes.eval.yaml")
    assert "Plan: 2 cases; nothing to ask." in ran.output
    assert "not run: latency" in ran.output
    assert ran.exit_code == 1
