"""Placeholders are graded where placeholder-text (RB210) is off, and `rubric grade` says how many."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from click.testing import Result

    Rubric = Callable[..., Result]

TEXT = """\
evalcases:
  - id: a
    expected_outcome: TODO
    input_messages: [{role: user, content: TODO}, {role: assistant, content: ...}]
    rubrics:
      - "TBD: the port"
      - {id: depth, score_ranges: {0: ..., 5: Says much}}
    scorecard: {red_flags: [FIXME], bonuses: [Links]}
  - {id: b, expected_outcome: Names the port, input: Which port?, rubrics: [Lists every TODO comment]}
"""
TOLD = "placeholder-text (RB210) is off, so these are graded as written: 5 placeholder texts of 1 case."


@pytest.fixture(autouse=True)
def _answers(folder: Path) -> None:
    (folder / "a.answers.json").write_text(json.dumps({"a": "443", "b": "443"}), encoding="utf-8")
    (folder / "j.json").write_text("{}", encoding="utf-8")


@pytest.mark.parametrize(
    ("head", "config"),
    [
        ("# rubric: ignore-file[RB210]\n", ""),
        ("", 'ignore = ["RB210"]'),
        ("", 'severity = { placeholder-text = "off" }'),
    ],
)
def test_grading_says_how_many_placeholders_it_took(rubric: Rubric, folder: Path, head: str, config: str) -> None:
    """Once, on standard error."""
    (folder / "a.eval.yaml").write_text(head + TEXT, encoding="utf-8")
    (folder / "rubric.toml").write_text(config, encoding="utf-8")
    assert rubric("grade", "a.eval.yaml", "--judge", "replay:j.json").stderr.count(TOLD) == 1


def test_a_placeholder_that_stops_its_case_is_not_counted(rubric: Rubric, folder: Path) -> None:
    """It is an error of the case."""
    (folder / "a.eval.yaml").write_text(TEXT, encoding="utf-8")
    result = rubric("grade", "a.eval.yaml", "--judge", "replay:j.json")
    assert "graded as written" not in result.stderr
    assert "(RB210)" in result.stdout
