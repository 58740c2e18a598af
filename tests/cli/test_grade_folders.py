"""`rubric grade` on a folder: only eval files are graded, and what they may not mean is reported."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from projects import numbered_answers, numbered_cases

if TYPE_CHECKING:
    from pathlib import Path

MET = {f"case-{place:02}": {"checks": [{"id": "rubric-1", "satisfied": True}]} for place in range(2)}


@pytest.fixture
def project(folder: Path) -> Path:
    """Return a folder with two cases, their answers and their recorded judgements."""
    (folder / "a.eval.yaml").write_text(numbered_cases(2, "rubrics: [It is right]"), encoding="utf-8")
    (folder / "a.answers.json").write_text(json.dumps(numbered_answers(2)), encoding="utf-8")
    (folder / "judgements.json").write_text(json.dumps(MET), encoding="utf-8")
    return folder


def test_other_files_of_a_folder_are_left_alone(rubric: Any, project: Path) -> None:
    """A dataset beside the evals is not sent to anybody, and a report of results is not graded in turn."""
    (project / "train.jsonl").write_text('{"input": "translate this", "output": "x"}\n', encoding="utf-8")
    (project / "ci.yaml").write_text("tests:\n  - {name: a, run: b}\n", encoding="utf-8")
    for _ in range(2):
        graded = rubric("grade", ".", "--judge", "replay:judgements.json", "--format", "jsonl", "--output", "r.jsonl")
        assert graded.exit_code == 0
        lines = (project / "r.jsonl").read_text(encoding="utf-8").splitlines()
        assert [json.loads(line)["eval_id"] for line in lines] == ["case-00", "case-01"]


def test_a_file_that_is_none_is_refused_by_name(rubric: Any, project: Path) -> None:
    """Nothing in it is sent to a judge."""
    (project / "train.jsonl").write_text('{"input": "translate this", "output": "x"}\n', encoding="utf-8")
    refused = rubric("grade", "train.jsonl", "--judge", "replay:judgements.json")
    assert refused.exit_code == 2
    assert "not an eval file" in refused.stderr


def test_warnings_are_pointed_out(rubric: Any, project: Path) -> None:
    """A misspelt key has no effect on the grade, which is what its author must know."""
    text = (project / "a.eval.yaml").read_text(encoding="utf-8")
    (project / "a.eval.yaml").write_text(text.replace("rubrics:", "rubrcs: [x], rubrics:", 1), encoding="utf-8")
    told = rubric("grade", ".", "--judge", "replay:judgements.json").stderr
    assert "There are warnings about case-00; see `rubric check a.eval.yaml`." in told


def test_an_unknown_target_is_reported_before_anything_else(rubric: Any, project: Path) -> None:
    """Not as a missing terminal for the person who would judge."""
    del project
    refused = rubric("grade", ".", "--target", "nope")
    assert refused.exit_code == 2
    assert "There is no target nope" in refused.stderr
