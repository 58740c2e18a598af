"""A test of AgentV 5 that is several cases, graded from Neovim: each case has its result, all are at the test."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from neovim import Neovim

pytestmark = pytest.mark.slow

SUITE = """\
prompts:
  - {id: plain, raw: "{{ question }}"}
  - {id: short, raw: "Briefly: {{ question }}"}
tests:
  - id: capital
    vars: {question: What is the capital of France?}
    assert:
      - {type: contains, value: Paris}
"""


@pytest.fixture
def suite(nvim: Neovim, tmp_path: Path) -> Path:
    """Give an eval file that is open, with answers that are recorded by the ids of the cases."""
    (tmp_path / ".git").mkdir()
    answers = {"capital__prompt_plain": "It is Paris.", "capital__prompt_short": "Lyon"}
    (tmp_path / "a.answers.json").write_text(json.dumps(answers), encoding="utf-8")
    path = tmp_path / "a.eval.yaml"
    path.write_text(SUITE, encoding="utf-8")
    nvim.edit(path)
    return path


@pytest.mark.usefixtures("suite")
def test_a_test_that_is_several_cases_shows_all_of_them(nvim: Neovim) -> None:
    """In a table, behind the id of the test, and again on request."""
    nvim.lua("go_to('id: capital')")
    nvim.command("RubricGrade")
    table = nvim.wait("return shown('results')")
    assert "capital__prompt_plain" in table
    assert "capital__prompt_short" in table
    marks = nvim.lua("close_floats() return marks()")
    assert sorted(text for _, text in marks) == ["capital__prompt_plain: pass 1", "capital__prompt_short: fail 0"]
    assert {line for line, _ in marks} == {SUITE.splitlines().index("  - id: capital")}
    nvim.command("RubricResult")
    assert nvim.wait("return shown('results')") == table


@pytest.mark.usefixtures("suite")
def test_one_case_is_graded_by_its_own_id(nvim: Neovim) -> None:
    """The other one is left alone."""
    nvim.command("RubricGrade case=capital__prompt_short")
    assert nvim.wait("return shown('result')").startswith("capital__prompt_short  fail 0")
