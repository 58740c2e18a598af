"""`rubric check FOLDER` checks the lists of tests that a configuration in it names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

CASE = '{"vars": {"text": "a"}, "assert": [{"type": "containz", "value": "a"}]}\n'


def test_a_check_of_a_folder_checks_its_lists(rubric: Any, folder: Path) -> None:
    """Those in YAML, JSON and JSON Lines, of a configuration without the name of one; others are not checked."""
    texts = {"cases.json": f"[{CASE}]", "cases.yaml": f"- {CASE}", "cases.jsonl": CASE, "sub/cases.json": f"[{CASE}]"}
    others = {"other.json": f"[{CASE}]", "other.yaml": f"- {CASE}", "other.jsonl": CASE}
    named = json.dumps([f"file://{name}" for name in texts])
    config = f'prompts: ["{{{{ text }}}}"]\nproviders: [echo]\ntests: {named}\n'
    (folder / "sub").mkdir()
    for name, text in {"smoke.yaml": config, **texts, **others}.items():
        (folder / name).write_text(text, encoding="utf-8")
    problems = json.loads(rubric("check", "--format", "json").stdout)
    assert {(Path(each["path"]).as_posix(), each["code"]) for each in problems} == {(name, "RB501") for name in texts}


TESTS = "- vars: {text: Hello}\n  asert:\n    - type: contains\n      value: a\n"
CONFIG = 'prompts: ["{{ text }}"]\nproviders: [echo]\ntests: file://tests/*.yaml\n'


@pytest.mark.parametrize("given", [".", "evals"])
def test_a_list_below_its_configuration_is_checked_without_a_repository(rubric: Any, folder: Path, given: str) -> None:
    """The folder that is checked is where the configuration is looked for, as a repository would be."""
    (folder / "evals" / "tests").mkdir(parents=True)
    (folder / "evals" / "promptfooconfig.yaml").write_text(CONFIG, encoding="utf-8")
    (folder / "evals" / "tests" / "a.yaml").write_text(TESTS, encoding="utf-8")
    (folder / "evals" / "tests" / "b.yaml").write_text(TESTS.replace("asert", "assert"), encoding="utf-8")
    (problem,) = json.loads(rubric("check", "--format", "json", "--select", "RB003", given).stdout)
    assert (Path(problem["path"]).as_posix(), problem["code"]) == ("evals/tests/a.yaml", "RB003")
    explained = rubric("check", "--explain-dialect", given).stdout
    assert "b.yaml: promptfoo because ../promptfooconfig.yaml names it" in explained
