"""Lists of tests that a configuration of promptfoo names are checked in their own text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rubric_core.analysis.check import Checked, analyse, check_text
from rubric_core.analysis.recognition import explain_dialect
from rubric_core.files.project import DiskProject

if TYPE_CHECKING:
    from pathlib import Path

TESTS = "- vars: {text: Hello}\n  asert:\n    - type: contains\n      value: a\n"
CONFIG = 'prompts: ["{{{{ text }}}}"]\nproviders: [echo]\ntests: {}\n'


def checked(path: Path) -> Checked:
    """Return what a check of a file finds, with the files around it."""
    return check_text(path.read_text(encoding="utf-8"), path=str(path), project=DiskProject(path, root=path.parents[1]))


@pytest.mark.parametrize("named", ["file://cases/a.yaml", "cases/a.yaml", "[file://cases/*.yaml]", "./cases/a.yaml"])
def test_a_list_that_a_configuration_names_is_one_of_promptfoo(tmp_path: Path, named: str) -> None:
    """By its path or by a pattern, from the folder of the configuration on."""
    (tmp_path / "cases").mkdir()
    path = tmp_path / "cases" / "a.yaml"
    path.write_text(TESTS, encoding="utf-8")
    assert not checked(path).ours
    (tmp_path / "promptfooconfig.yaml").write_text(CONFIG.format(named), encoding="utf-8")
    found = checked(path)
    assert found.dialect.name == "promptfoo"
    assert [problem.message for problem in found.problems] == ["`asert` is not a key of a test; did you mean `assert`?"]
    analysis = analyse(TESTS, path=str(path), project=DiskProject(path, root=tmp_path))
    analysis.refresh()
    assert explain_dialect(analysis).why == "because ../promptfooconfig.yaml names it"


def test_other_lists_are_left_alone(tmp_path: Path) -> None:
    """Those that no configuration names, and those of other things."""
    (tmp_path / "cases").mkdir()
    path = tmp_path / "cases" / "a.yaml"
    (tmp_path / "promptfooconfig.yaml").write_text(CONFIG.format("file://cases/a.yaml"), encoding="utf-8")
    path.write_text("- name: deploy\n  run: tests\n", encoding="utf-8")
    assert not checked(path).ours
    other = path.with_name("b.yaml")
    other.write_text(TESTS, encoding="utf-8")
    assert not checked(other).ours
