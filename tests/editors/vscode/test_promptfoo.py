"""A promptfoo configuration in Visual Studio Code: checked, explained, completed, fixed and graded."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from dialect_suites import MISSING

if TYPE_CHECKING:
    from pathlib import Path

    from vscode import Workbench

pytestmark = [pytest.mark.slow, pytest.mark.skipif("promptfoo" in MISSING, reason="promptfoo was removed")]

CONFIG = """\
prompts: ["Answer in one word: {{ question }}"]
providers: [echo]
tests:
  - description: Capital
    vars: {question: What is the capital of France?}
    asserts:
      - {type: contains, value: Paris, weight: 3}
      - {type: word-count, value: {max: 1}}
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A configuration with a misspelt key, and a recorded answer of two words."""
    file = tmp_path / "promptfooconfig.yaml"
    file.write_text(CONFIG)
    (tmp_path / "promptfooconfig.answers.json").write_text(json.dumps({"Capital": "It's Paris!"}))
    return file


def test_a_misspelt_key_is_fixed_and_the_test_graded(workbench: Workbench, config: Path) -> None:
    """With promptfoo the test passes unasserted; here it is an error with a fix, and then the answer fails."""
    workbench.open(config.parent, config)
    workbench.wait(".squiggly-error")
    workbench.command("Problems: Focus on Problems View")
    workbench.wait_for_text(".markers-panel .monaco-list-row", "asserts", "RB003")
    workbench.screenshot("promptfoo-problems")
    workbench.go_to(6, 6)
    workbench.quick_fix("assert")
    workbench.wait(".squiggly-error", gone=True)
    assert workbench.save(config) == CONFIG.replace("asserts:", "assert:")
    workbench.lens("Grade")
    workbench.notification("Capital: fail")
    workbench.wait(".codelens-decoration a", "fail 0.75")
    workbench.screenshot("promptfoo-graded")


def test_a_type_and_a_variable_are_explained_and_completed(workbench: Workbench, config: Path) -> None:
    """A hover says what promptfoo does with the type; variables of the tests are offered between the braces."""
    config.write_text(CONFIG.replace("asserts:", "assert:"))
    workbench.open(config.parent, config)
    workbench.wait(".codelens-decoration a", "Grade")
    assert "75 %" in workbench.hover(7, 44)
    workbench.press("Escape")
    workbench.go_to(1, 34)
    workbench.press("Control+Space")
    workbench.wait(".suggest-widget.visible .monaco-list-row")
    assert "question" in workbench.texts(".suggest-widget .monaco-list-row .label-name")
    workbench.screenshot("promptfoo-completion")
