"""Files of cases that suites refer to, and templates of assertions: found in a walk and checked as what they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rubric_core.analysis.analysis import Analysis
from rubric_core.analysis.check import Checked, check_text
from rubric_core.analysis.explanations import explain_dialect
from rubric_core.files.project import DiskProject
from rubric_core.files.walk import find_files, may_be_ours
from rubric_core.syntax.document import Document

if TYPE_CHECKING:
    from pathlib import Path

RAW = "- id: a\n  input: Which port?\n  assert: [Names port 8080]\n"


def checked(folder: Path, name: str, text: str) -> Checked:
    """Check a text as a file found in a walk."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    (found,) = [each for each in find_files([folder]) if each.path == path]
    assert may_be_ours(str(found.path), text)
    return check_text(text, path=str(path), project=DiskProject(path))


def codes(found: Checked) -> list[str]:
    """Return the errors and warnings."""
    return [problem.code for problem in found.problems if problem.severity.value in {"error", "warning"}]


@pytest.mark.parametrize("name", ["suite.yaml", "SUITE.yml", "EVAL.yaml", "eval.YAML", "a.EVAL.yaml", "b.eval.yaml"])
def test_suites_are_found_by_their_names_in_any_case(tmp_path: Path, name: str) -> None:
    """With a list of tests in them."""
    assert checked(tmp_path, name, "tests:\n  - file://a.cases.yaml\n").ours


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.cases.yaml", RAW),
        ("a.cases.yaml", "- id: a\n  vars: {q: x}\n"),
        ("list.yaml", RAW),
        ("cases.jsonl", '{"id": "a", "input": "Which port?", "assert": ["Names port 8080"]}\n'),
        ("cases/port/case.yaml", "input: Which port?\nassert:\n  - Names port 8080\n"),
        ("cases/port/case.yaml", "# A comment\n---\nvars: {q: x}\nassert:\n  - Names port 8080\n"),
        (".agentv/templates/shared.yaml", "assert:\n  - Names port 8080\n  - {type: is-json}\n"),
    ],
)
def test_files_without_a_suite_are_checked_and_sound(tmp_path: Path, name: str, text: str) -> None:
    """A test in a file of tests may have `input`, one in a folder of its own needs no id."""
    found = checked(tmp_path, name, text)
    assert (found.ours, found.dialect.name, codes(found)) == (True, "agentv-5", [])


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("a.cases.yaml", f"{RAW}  asert: [x]\n", "RB003"),
        ("a.cases.yaml", "- input: Which port?\n  assert: [Names port 8080]\n", "RB005"),
        ("a.cases.yaml", f"{RAW}{RAW}", "RB203"),
        ("cases.jsonl", '{"id": "a", "input": "x", "assert": ["y"], "asert": []}\n', "RB003"),
        ("p/case.yaml", "input: x\nassert:\n  - {type: contains}\n", "RB005"),
        ("p/case.yaml", "input: x\nassert: [y]\ncriterias: z\n", "RB003"),
        (".agentv/templates/t.yaml", "assert:\n  - {type: contains}\n", "RB005"),
        (".agentv/templates/t.yaml", "assert:\n  - {type: llm-rubric, value: [{outcome: x, weight: -1}]}\n", "RB204"),
    ],
)
def test_their_mistakes_are_found(tmp_path: Path, name: str, text: str, code: str) -> None:
    """By the same rules."""
    assert codes(checked(tmp_path, name, text)) == [code]


@pytest.mark.needs("agentv-4")
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.baseline.jsonl", '{"test_id": "a", "score": 1, "assertions": [{"text": "x", "passed": true}]}\n'),
        ("case.yaml", "name: x\nassert: none of ours\n"),
        ("p/case.yaml", "tests: none of ours\n"),
        ("list.yaml", "- id: a\n  tests: x\n"),
        (".agentv/templates/t.yaml", "criteria: none of ours\n"),
    ],
)
def test_others_are_not_ours(tmp_path: Path, name: str, text: str) -> None:
    """Results, and files that only have such a name."""
    assert not checked(tmp_path, name, text).ours


@pytest.mark.needs("agentv-4")
def test_the_files_around_indicate_the_dialect_of_a_case(tmp_path: Path) -> None:
    """A test with `input` and `assert` may be of either dialect."""
    (tmp_path / ".agentv").mkdir()
    (tmp_path / ".agentv" / "targets.yaml").write_text("targets: []\n")
    assert checked(tmp_path, "a.cases.yaml", RAW).dialect.name == "agentv-4"


FOUR = "tests:\n  - file://cases/a.cases.yaml\n  - {id: b, input: x, criteria: y, assertions: [z]}\n"


def _write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _dialect(root: Path, name: str) -> tuple[str, str]:
    path = root / name
    document = Document(
        path.read_text(encoding="utf-8"), json_lines=path.suffix == ".jsonl", is_one_case=path.stem == "case"
    )
    analysis = Analysis(document, path=str(path), project=DiskProject(path, root=root))
    analysis.refresh()
    reason = explain_dialect(analysis)
    assert reason.dialect is analysis.facts.suite.dialect
    return reason.dialect.name, reason.why


@pytest.mark.needs("agentv-4")
def test_a_file_of_cases_is_of_the_dialect_of_the_suite_that_names_it(tmp_path: Path) -> None:
    """Its own keys would tell another one."""
    _write(tmp_path, **{"x.eval.yaml": FOUR, "cases/a.cases.yaml": RAW})
    path = tmp_path / "cases/a.cases.yaml"
    assert _dialect(tmp_path, "cases/a.cases.yaml") == (
        "agentv-4",
        "because of the suite ../x.eval.yaml, which names this file",
    )
    assert [
        each.code for each in check_text(RAW, path=str(path), project=DiskProject(path, root=tmp_path)).problems
    ] == ["RB006"]


@pytest.mark.needs("agentv-4")
@pytest.mark.parametrize(
    ("suite", "reference", "name", "text"),
    [
        ("evals/suite.yaml", "../data/*.jsonl", "data/a.jsonl", '{"id": "a", "input": "x", "assertions": ["z"]}\n'),
        ("evals/a.eval.yaml", "../data", "data/port/case.yaml", "input: x\nassertions: [z]\nassert: [z]\n"),
        ("data/EVAL.yaml", "./list.yaml", "data/list.yaml", "- {id: a, input: x, assertions: [z]}\n"),
    ],
)
def test_patterns_and_folders_name_files_too(tmp_path: Path, suite: str, reference: str, name: str, text: str) -> None:
    """A suite is looked for beside the file, above it and in the folders next to it."""
    _write(tmp_path, **{suite: f'prompts: ["x"]\ntests: {reference}\n', name: text})
    dialect, why = _dialect(tmp_path, name)
    assert (dialect, "which names this file" in why) == ("agentv-5", True)


@pytest.mark.needs("agentv-4")
def test_a_file_that_no_suite_names_is_recognised_by_its_keys(tmp_path: Path) -> None:
    """So is one that has a suite of its own, and a comment goes before."""
    _write(
        tmp_path,
        **{"x.eval.yaml": FOUR, "cases/b.cases.yaml": RAW, "cases/a.cases.yaml": f"# rubric: dialect=agentv-5\n{RAW}"},
    )
    assert _dialect(tmp_path, "cases/b.cases.yaml")[0] == "agentv-5"
    assert _dialect(tmp_path, "cases/a.cases.yaml")[0] == "agentv-5"


@pytest.mark.needs("agentv-4")
def test_a_pinned_suite_pins_its_files(tmp_path: Path) -> None:
    """As a comment in the suite says."""
    _write(tmp_path, **{"x.eval.yaml": f"# rubric: dialect=agentv-5\n{FOUR}", "cases/a.cases.yaml": RAW})
    assert _dialect(tmp_path, "cases/a.cases.yaml")[0] == "agentv-5"
