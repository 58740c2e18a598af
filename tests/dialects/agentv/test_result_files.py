"""Result files of AgentV where results are named: `rubric compare`, `rank` and `report` read them beside ours."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from sample_results import PASSED

from rubric_core.report.formats import RESULT_FORMATS
from rubric_core.scoring.grades import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

BASELINE = (
    '{"timestamp": "2026-02-20T21:40:12.230Z", "test_id": "port", "suite": "dataset", "score": 0.7999999999999999,'
    ' "target": "default", "assertions": [{"text": "Names the port", "passed": true}]}\n'
    '{"test_id": "backup", "score": 1, "target": "default", "scores": [{"name": "quality", "type": "llm-rubric",'
    ' "pass": true, "score": 1, "reason": "Good."}], "execution_status": "ok", "result_dir": "backup"}\n'
    "\n"
    '{"test_id": "broken", "score": 0, "target": "default", "error": "Exited with 1"}\n'
)


@pytest.fixture
def files(folder: Path) -> Path:
    """Write a baseline of AgentV, and our results of the same tests."""
    (folder / "suite.baseline.jsonl").write_text(BASELINE, encoding="utf-8")
    ours = [
        replace(PASSED, score=Fraction(4, 5), dialect="agentv-5"),
        replace(PASSED, eval_id="backup", verdict=Verdict.FAIL, score=Fraction(1, 2), dialect="agentv-5"),
        replace(PASSED, eval_id="broken", dialect="agentv-5"),
    ]
    (folder / "ours.jsonl").write_text(RESULT_FORMATS["jsonl"].render(ours), encoding="utf-8")
    return folder


@pytest.mark.usefixtures("files")
def test_a_baseline_is_compared_with_ours(rubric: Callable[..., Result]) -> None:
    """By test id, with scores as written; what AgentV could not run is an error and no zero."""
    value = json.loads(rubric("compare", "suite.baseline.jsonl", "ours.jsonl", "--format", "json").stdout)
    port, backup, broken = value["cases"]
    assert (port["before"]["score_exact"], port["before"]["verdict"]) == ("7999999999999999/10000000000000000", "fail")
    assert (port["change_exact"], port["flip"]) == ("1/10000000000000000", "better")
    assert (backup["before"]["verdict"], backup["flip"]) == ("pass", "worse")
    assert broken["before"] == {"score": None, "score_exact": None, "verdict": None, "error": "Exited with 1"}
    assert (value["only_before"], value["only_after"]) == ([], [])


@pytest.mark.usefixtures("files")
def test_ours_are_compared_with_a_baseline(rubric: Callable[..., Result]) -> None:
    """In either order; a verdict that is an error now is a regression."""
    result = rubric("compare", "ours.jsonl", "suite.baseline.jsonl", "--fail-on-regression")
    assert result.exit_code == 1
    assert "Verdicts that got worse: 2" in result.stdout


@pytest.mark.usefixtures("files")
def test_the_target_distinguishes_tests_where_no_file_does(rubric: Callable[..., Result], folder: Path) -> None:
    """A matrix has each test once for each target; ours has a target too."""
    rows = [
        '{"test_id": "port", "score": 1, "target": "small"}\n',
        '{"test_id": "port", "score": 0.5, "target": "large"}\n',
    ]
    (folder / "matrix.baseline.jsonl").write_text("".join(rows), encoding="utf-8")
    ours = RESULT_FORMATS["jsonl"].render([replace(PASSED, target="large")])
    (folder / "large.jsonl").write_text(ours, encoding="utf-8")
    value = json.loads(rubric("compare", "matrix.baseline.jsonl", "large.jsonl", "--format", "json").stdout)
    assert [(each["eval_id"], each["change_exact"]) for each in value["cases"]] == [("port (large)", "1/2")]
    assert value["only_before"] == ["port (small)"]


@pytest.mark.usefixtures("files")
def test_a_baseline_is_ranked_and_reported(rubric: Callable[..., Result]) -> None:
    """Whatever reads results reads these."""
    assert "1=     backup" in rubric("rank", "suite.baseline.jsonl", "ours.jsonl").stdout
    shown = rubric("report", "suite.baseline.jsonl", "--format", "text").stdout
    assert "+ Names the port" in shown
    assert "3 cases: 1 pass, 1 fail, 1 error" in shown


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ('{"test_id": "a"}', "This is no result of AgentV: `score` is missing; it must be a number."),
        ('{"test_id": "a", "score": 1.5}', "This is no result of AgentV: `score` must be from 0 to 1, not 1.5."),
        ('{"test_id": "a", "score": NaN}', "This is not JSON: NaN is not a number that JSON has."),
        ('{"test_id": "a", ', "This is not JSON: Expecting property name enclosed in double quotes at column 18."),
        (
            '{"id": "a", "input": "b"}',
            "This is no result of `rubric grade`: `eval_id` is missing; it must be a string.",
        ),
    ],
)
@pytest.mark.usefixtures("files")
def test_a_broken_line_is_named(rubric: Callable[..., Result], folder: Path, line: str, reason: str) -> None:
    """With its file and number; nothing is compared without it."""
    (folder / "broken.baseline.jsonl").write_text(f"{BASELINE}{line}\n", encoding="utf-8")
    result = rubric("compare", "broken.baseline.jsonl", "ours.jsonl")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"rubric: broken.baseline.jsonl:5: {reason}\n"


def test_results_are_no_suites(rubric: Callable[..., Result], files: Path) -> None:
    """Neither AgentV's nor ours, though both have `assertions`: a folder is checked without a word about them."""
    (files / "suite.eval.baseline.jsonl").write_text(BASELINE, encoding="utf-8")
    result = rubric("check", ".")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "No eval files found.\n")
