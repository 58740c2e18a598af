"""Lists of tests that a configuration of promptfoo names are checked in their own text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rubric_core.analysis.check import Checked, analyse, check_text
from rubric_core.analysis.explanations import explain_dialect
from rubric_core.files.project import DiskProject
from rubric_core.rules.problem import Severity

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
    said = [problem.message for problem in found.problems if problem.severity is Severity.ERROR]
    assert said == ["`asert` is not a key of a test; did you mean `assert`?"]
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


def test_each_line_of_json_lines_is_a_test(tmp_path: Path) -> None:
    """Whatever its keys are, and only where a configuration names the file."""
    (tmp_path / "cases").mkdir()
    path = tmp_path / "cases" / "a.jsonl"
    line = '{"vars": {"text": "Hello"}, "assert": [{"type": "contains", "value": "a"}]}\n'
    path.write_text(line + line.replace("assert", "asserts") + line.replace("contains", "containz"), encoding="utf-8")
    assert not checked(path).ours
    (tmp_path / "promptfooconfig.yaml").write_text(CONFIG.format("file://cases/a.jsonl"), encoding="utf-8")
    found = checked(path)
    said = [problem for problem in found.problems if problem.severity is Severity.ERROR]
    lines = [(each.code, found.text.count("\n", 0, each.span.start)) for each in said]
    assert lines == [("RB003", 1), ("RB501", 2)]


MORE = "- vars: {text: Hello}\n  prompts: [shrot]\n  assert: [{type: contains, value: '{{ word }}'}]\n"


def test_the_tests_of_a_list_get_what_the_configuration_gives(tmp_path: Path) -> None:
    """Its variables, labels and assertions."""
    (tmp_path / "cases").mkdir()
    path = tmp_path / "cases" / "a.yaml"
    path.write_text(MORE, encoding="utf-8")
    config = tmp_path / "promptfooconfig.yaml"
    prompts = 'prompts: [{label: short, raw: "{{ text }}"}]\nproviders: [echo]\ntests: cases/a.yaml\n'
    config.write_text(prompts, encoding="utf-8")
    assert {problem.code for problem in checked(path).problems} == {"RB811", "RB814"}
    config.write_text(f"{prompts}defaultTest: {{vars: {{word: Bonjour}}}}\n", encoding="utf-8")
    assert {problem.code for problem in checked(path).problems} == {"RB814"}


def test_nothing_is_known_of_what_two_configurations_give(tmp_path: Path) -> None:
    """One of them may define what the other one does not."""
    (tmp_path / "cases").mkdir()
    path = tmp_path / "cases" / "a.yaml"
    path.write_text(MORE, encoding="utf-8")
    for name in ("promptfooconfig.yaml", "promptfooconfig.dev.yaml"):
        (tmp_path / name).write_text(CONFIG.format("file://cases/a.yaml"), encoding="utf-8")
    assert checked(path).problems == ()


def test_a_list_under_a_key_is_refused(tmp_path: Path) -> None:
    """It has to be all of the file."""
    (tmp_path / "cases").mkdir()
    path = tmp_path / "cases" / "a.yaml"
    path.write_text("# Ports\ntests:\n  - vars: {text: Hello}\n    assert: [{type: is-json}]\n", encoding="utf-8")
    (tmp_path / "promptfooconfig.yaml").write_text(CONFIG.format("file://cases/a.yaml"), encoding="utf-8")
    (problem,) = checked(path).problems
    message = "A file of tests is refused with `tests` around its list; remove the key."
    assert (problem.code, problem.severity, problem.message) == ("RB801", Severity.ERROR, message)


def test_a_list_without_variables_is_one_of_promptfoo_too(tmp_path: Path) -> None:
    """By any key of a test that other lists hardly have."""
    (tmp_path / "cases").mkdir()
    path = tmp_path / "cases" / "a.yaml"
    path.write_text("- options: {assert: [{type: is-json}]}\n- threshold: 50\n", encoding="utf-8")
    (tmp_path / "promptfooconfig.yaml").write_text(CONFIG.format("file://cases/a.yaml"), encoding="utf-8")
    said = [problem.code for problem in checked(path).problems if problem.severity is Severity.ERROR]
    assert said == ["RB801", "RB718"]
