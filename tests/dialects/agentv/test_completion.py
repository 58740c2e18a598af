"""Completion in the later dialects: keys, types and snippets of their own tables, variables, labels and paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from completions import accepted, labels_at
from dialect_suites import SUITES

from rubric_core.analysis.check import analyse
from rubric_core.assist.completion.snippets import snippets_of
from rubric_core.dialects.registry import BY_NAME
from rubric_core.files.project import DiskProject
from rubric_core.rules.problem import Severity

if TYPE_CHECKING:
    from pathlib import Path

_TYPE = "type: contains\n"
_ASSERTION = "      - type: contains\n"


@pytest.mark.parametrize("name", SUITES)
def test_types_are_those_of_the_dialect_without_old_ones(name: str) -> None:
    """What is read under an older name, or not read any more, is not recommended."""
    labels = labels_at(SUITES[name].replace(_TYPE, "type: $0\n"))
    assert tuple(labels) == BY_NAME[name].types


@pytest.mark.parametrize(
    ("name", "old", "proposed", "absent"),
    [
        ("agentv-4", "    depends_on: [web]\n", "expected_output", "assert"),
        ("agentv-5", "    depends_on: [web]\n", "provider", "threshold"),
        ("agentv-4", "        weight: 2\n", "negate", "value"),
        ("agentv-5", "        weight: 2\n", "temperature", "name"),
        ("agentv-4", "            weight: 3\n", "operator", "expected_outcome"),
        ("agentv-5", "            weight: 3\n", "operator", "description"),
    ],
)
def test_keys_are_those_of_the_record(name: str, old: str, proposed: str, absent: str) -> None:
    """A key that is no longer read, or never was, is not among them."""
    indent = old[: len(old) - len(old.lstrip())]
    labels = labels_at(SUITES[name].replace(old, f"{indent}$0\n", 1))
    assert proposed in labels
    assert absent not in labels


@pytest.mark.parametrize("name", SUITES)
def test_snippets_are_in_the_keys_of_the_dialect(name: str) -> None:
    """Each gives an assertion that the dialect has no error for."""
    marked = SUITES[name].replace(_ASSERTION, f"      - $0\n{_ASSERTION}")
    for snippet in snippets_of(BY_NAME[name]).items["evaluator"]:
        text = accepted(marked, snippet.name)
        problems = analyse(text, path="a.eval.yaml").problems()
        assert [each.code for each in problems if each.severity is Severity.ERROR] == [], snippet.name


@pytest.mark.parametrize("name", SUITES)
def test_an_empty_file_offers_a_suite_of_each_dialect(name: str) -> None:
    """It has no problem, and is of the dialect that its name says."""
    text = accepted("$0", f"eval suite ({BY_NAME[name].title})")
    analysis = analyse(text, path="a.eval.yaml")
    assert analysis.problems() == []
    assert analysis.facts.dialect.name == name


def test_paths_come_from_the_disk(tmp_path: Path) -> None:
    """Hidden files are left out, and nothing outside of the workspace is shown."""
    (tmp_path / "prompts").mkdir()
    (tmp_path / ".env").touch()
    (tmp_path / "a.md").touch()
    project = DiskProject(tmp_path / "x.eval.yaml", root=tmp_path)
    assert project.entries("") == ("a.md", "prompts/")
    assert project.entries("..") == ()
    assert project.entries("nowhere/") == ()
