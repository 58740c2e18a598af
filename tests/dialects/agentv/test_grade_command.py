"""`rubric grade` on suites of each dialect, from the files to the report and the exit status."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pages import blocks

from rubric_core.dialects.registry import BY_NAME

if TYPE_CHECKING:
    from collections.abc import Callable

    from click.testing import Result

    Rubric = Callable[..., Result]

EXAMPLES = Path(__file__).parents[2] / "examples"
AGENTV = [name for name, dialect in BY_NAME.items() if dialect.marks.whole is None]
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
def dialects(folder: Path) -> Path:
    """Return a copy of the examples of the dialects, with their recordings."""
    shutil.copytree(EXAMPLES / "dialects", folder, dirs_exist_ok=True)
    return folder


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


@pytest.mark.parametrize("name", AGENTV)
def test_an_example_of_each_dialect_is_graded_from_its_recordings(rubric: Rubric, dialects: Path, name: str) -> None:
    """The same cases, answers and judgements give the same scores."""
    assert dialects.is_dir()
    ran = rubric("grade", f"{name}.eval.yaml", "--judge", "replay:judgements.json", "--quiet", "--format", "jsonl")
    assert ran.exit_code == 0, ran.output
    assert [(each["eval_id"], each["score_exact"], each["verdict"]) for each in results(ran)] == [
        ("quicksort", "9/10", "pass"),
        ("stability", "1", "pass"),
    ]


def test_the_example_of_promptfoo_is_graded_from_its_recordings(rubric: Rubric, dialects: Path) -> None:
    """Without a key and a network; a threshold of the command line decides in place of the assertions."""
    assert dialects.is_dir()
    asked = ("promptfooconfig.yaml", "--judge", "replay:judgements.json", "--quiet", "--format", "jsonl")
    ran = rubric("grade", *asked)
    assert ran.exit_code == 0, ran.output
    assert [(each["eval_id"], each["score_exact"], each["verdict"]) for each in results(ran)] == [
        ("Explains-how-quicksort-works", "37/40", "pass"),
        ("Tells-whether-quicksort-is-stable", "1", "pass"),
    ]
    assert rubric("grade", *asked, "--threshold", "0.925").exit_code == 0
    assert rubric("grade", *asked, "--threshold", "0.93").exit_code == 1


PROMPTFOO_FLOATS = """\
prompts: ["{{ topic }}"]
providers: [echo]
tests:
  - vars: {topic: Greet Bob}
    threshold: 0.8
    assert:
      - {type: contains, value: Hello, weight: 0.1}
      - {type: contains, value: Bob, weight: 0.7}
      - {type: is-json, weight: 0.2}
"""


def test_what_promptfoo_would_say_stands_in_the_report_and_in_the_result(rubric: Rubric, folder: Path) -> None:
    """As the page about differences shows: the score is exactly 0.8, and promptfoo's floats are below it."""
    (folder / "promptfooconfig.yaml").write_text(PROMPTFOO_FLOATS, encoding="utf-8")
    (folder / "promptfooconfig.answers.json").write_text('{"test-1": "Hello Bob"}', encoding="utf-8")
    ran = rubric("grade", "promptfooconfig.yaml", "--quiet")
    assert ran.exit_code == 0, ran.output
    assert "promptfoo: 0.7999999999999999, fail" in ran.stdout
    assert PROMPTFOO_FLOATS in [block.text for block in blocks("differences.md", "yaml")]


@pytest.mark.parametrize(("threshold", "status"), [("0.9", 0), ("0.91", 1)])
@pytest.mark.parametrize("name", ["agentv-4", "agentv-5"])
def test_a_threshold_of_the_command_line_decides(
    rubric: Rubric,
    dialects: Path,
    name: str,
    threshold: str,
    status: int,
) -> None:
    """0.9 is exactly what `quicksort` has."""
    assert dialects.is_dir()
    asked = ("--judge", "replay:judgements.json", "--threshold", threshold, "--quiet", "--format", "jsonl")
    ran = rubric("grade", f"{name}.eval.yaml", *asked)
    assert ran.exit_code == status
    assert [str(each["threshold"]) for each in results(ran)] == [threshold] * 2


def test_a_threshold_has_no_effect_on_agentv_2(rubric: Rubric, dialects: Path) -> None:
    """Among other suites that is said; alone it is an error."""
    assert dialects.is_dir()
    alone = rubric("grade", "agentv-2.eval.yaml", "--judge", "replay:judgements.json", "--threshold", "0.9")
    assert alone.exit_code == 2
    assert "`--threshold` has no effect on AgentV 2, which has fixed thresholds" in alone.output
    files = ("agentv-2.eval.yaml", "agentv-5.eval.yaml")
    among = rubric("grade", *files, "--judge", "replay:judgements.json", "--threshold", "1")
    assert "--threshold has no effect on 2 cases of AgentV 2, which has fixed thresholds" in among.output
    assert among.exit_code == 1


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


def test_what_agentv_would_say_stands_in_the_report_and_in_the_result(rubric: Rubric, refund: Path) -> None:
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
