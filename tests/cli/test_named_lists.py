"""Files of tests that a configuration of promptfoo names, where a folder is checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

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
