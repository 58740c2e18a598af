"""Scorecards of the configuration, for cases whose file cannot have the key."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from rubric_core.model.load import load

if TYPE_CHECKING:
    from pathlib import Path

CONFIG = """\
[scorecards.strict]
skill = "sql"
red_flags = ["Drops a table", {id = "slow", expected_outcome = "Scans all rows", deduction = 0.7}]
bonuses = ["Explains the plan"]
cases = ["sql-*"]

[scorecards.weighted.weights]
correctness = 0.4
completeness = 0.1
adherence = 0.1
actionability = 0.1
efficiency = 0.1
safety = 0.1
consistency = 0.1
"""
CASE = "  - {{id: {id}, input: Which?, expected_outcome: Names it, rubrics: [Names it]{more}}}\n"


def _write(tmp_path: Path, *cases: tuple[str, str]) -> Path:
    (tmp_path / "rubric.toml").write_text(CONFIG, encoding="utf-8")
    path = tmp_path / "a.eval.yaml"
    text = "evalcases:\n" + "".join(CASE.format(id=each, more=more) for each, more in cases)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_pattern_of_ids_says_which_cases_it_is_for(tmp_path: Path) -> None:
    """Numbers are those that are written, not the nearest binary fractions."""
    found, other = load(_write(tmp_path, ("sql-join", ""), ("port", ""))).cases
    assert other.scorecard is None
    assert found.scorecard is not None
    assert found.scorecard.skill == "sql"
    assert [flag.id for flag in found.scorecard.red_flags] == ["red-flag-1", "slow"]
    assert found.scorecard.red_flags[1].deduction == Decimal("0.7")


def test_a_case_names_one(tmp_path: Path) -> None:
    """The name is known, so that no problem is reported."""
    suite = load(_write(tmp_path, ("port", ", scorecard: weighted")))
    assert suite.problems == ()
    card = suite.cases[0].scorecard
    assert card is not None
    assert sum(card.weights.values()) == 1


def test_the_case_s_own_goes_before(tmp_path: Path) -> None:
    """What the eval file says counts more than the configuration."""
    (case,) = load(_write(tmp_path, ("sql-join", ", scorecard: {skill: own}"))).cases
    assert case.scorecard is not None
    assert case.scorecard.skill == "own"


@pytest.mark.parametrize("written", ["cases = 3", "weight = 1"])
def test_a_wrong_scorecard_is_reported(tmp_path: Path, written: str) -> None:
    """It is a problem of the configuration."""
    from rubric_core.files.configuration import load_config  # noqa: PLC0415 - only here.

    (tmp_path / "rubric.toml").write_text(f"[scorecards.strict]\n{written}\n", encoding="utf-8")
    assert [problem.code for problem in load_config(tmp_path, ()).problems] == ["RB903"]
