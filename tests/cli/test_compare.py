"""`rubric compare`: did a change help?"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from sample_results import ERROR, GATE_FAILED, PASSED
from stored_results import keep_run

from rubric_core.report.formats import RESULT_FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

BETTER = [PASSED, replace(PASSED, eval_id="second")]
WORSE = [replace(GATE_FAILED, eval_id="port"), replace(PASSED, eval_id="second")]


@pytest.fixture
def files(folder: Path) -> None:
    """Write two gradings of the same two cases."""
    (folder / "better.jsonl").write_text(RESULT_FORMATS["jsonl"].render(BETTER), encoding="utf-8")
    (folder / "worse.json").write_text(RESULT_FORMATS["json"].render(WORSE), encoding="utf-8")


@pytest.mark.usefixtures("files")
def test_flips_are_reported(rubric: Callable[..., Result]) -> None:
    """Files of either format; the status is 0 whatever changed."""
    result = rubric("compare", "better.jsonl", "worse.json")
    assert result.exit_code == 0
    assert "Verdicts that got worse: 1\n  port  pass → fail, 1 → 0.3333… (1/3) (-0.6667)\n" in result.stdout


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("before", "after", "status"),
    [("better.jsonl", "worse.json", 1), ("worse.json", "better.jsonl", 0), ("worse.json", "worse.json", 0)],
)
def test_a_regression_fails_on_request(rubric: Callable[..., Result], before: str, after: str, status: int) -> None:
    """Only a verdict that got worse does."""
    assert rubric("compare", before, after, "--fail-on-regression").exit_code == status


def test_a_verdict_that_became_an_error_is_a_regression(rubric: Callable[..., Result]) -> None:
    """A broken judge must not let a change through."""
    keep_run([PASSED])
    keep_run([replace(ERROR, eval_id="port")])
    assert rubric("compare", "previous", "latest", "--fail-on-regression").exit_code == 1


def test_runs_of_the_store_are_compared(rubric: Callable[..., Result], folder: Path) -> None:
    """By number and by name, also with a file."""
    keep_run(WORSE)
    keep_run(BETTER)
    (folder / "worse.jsonl").write_text(RESULT_FORMATS["jsonl"].render(WORSE), encoding="utf-8")
    first = rubric("compare", "previous", "latest").stdout
    assert first.startswith("before  run 1\nafter   run 2\n")
    assert rubric("compare", "1", "2").stdout == first
    assert rubric("compare", "worse.jsonl", "2").stdout == first.replace("run 1", "worse.jsonl", 1)


@pytest.mark.usefixtures("files")
def test_json_and_markdown_go_to_standard_output_or_to_a_file(rubric: Callable[..., Result], folder: Path) -> None:
    """For machines and for pull requests."""
    value = json.loads(rubric("compare", "better.jsonl", "worse.json", "--format", "json").stdout)
    assert (value["before"], value["regressions"]) == ("better.jsonl", ["port"])
    result = rubric("compare", "better.jsonl", "worse.json", "--format", "markdown", "--output", "out.md")
    assert result.stdout == ""
    assert (folder / "out.md").read_text(encoding="utf-8").startswith("## Rubric comparison\n")


@pytest.mark.usefixtures("files")
def test_a_file_that_is_not_there_is_named(rubric: Callable[..., Result]) -> None:
    """With status 2."""
    result = rubric("compare", "better.jsonl", "nowhere.jsonl")
    assert (result.exit_code, result.stderr) == (2, "rubric: nowhere.jsonl: The file does not exist.\n")
