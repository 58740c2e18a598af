"""Real configurations of promptfoo, migrated to AgentV 5 and back.

RUBRIC_CORPUS names the folder with the configurations, which are not part of the project.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from migrations import foreign_changes, migrated

from rubric_core.analysis.check import analyse, check_text
from rubric_core.migration.steps import Kind
from rubric_core.rules.problem import Problem, Severity
from rubric_core.text.lines import LineIndex

_FOLDER = os.environ.get("RUBRIC_CORPUS")
PATHS = sorted(Path(_FOLDER).glob("promptfoo/*.yaml")) if _FOLDER else []
pytestmark = pytest.mark.skipif(not PATHS, reason="RUBRIC_CORPUS does not name the folder of the corpora")
every_path = pytest.mark.parametrize("path", PATHS, ids=[path.name for path in PATHS])


def _problems(text: str, path: Path) -> list[Problem]:
    found = check_text(text, path=str(path), is_named=True).problems
    return [each for each in found if each.severity in {Severity.ERROR, Severity.WARNING}]


def _line(text: str, offset: int) -> str:
    return text.splitlines()[LineIndex(text).position(offset).line].strip(" -").partition(":")[2].strip()


@every_path
def test_whatever_gets_worse_is_listed(path: Path) -> None:
    """A new error or warning is at a line that is listed, or at a test that loses an assertion which is listed."""
    text = path.read_text(encoding="utf-8")
    found = migrated(text, "promptfoo", "agentv-5", str(path))
    listed = {_line(text, each.offset) for each in found.findings}
    before = {each.code for each in _problems(text, path)}
    new = [each for each in _problems(found.text, path) if each.code not in before]
    unexplained = [each for each in new if _line(found.text, each.span.start) not in listed]
    assert [each.message for each in unexplained if each.code != "RB703" or not found.has(Kind.NO)] == []


@every_path
def test_it_is_recognised_whatever_its_name_says(path: Path) -> None:
    """As AgentV 5, and as promptfoo when it comes back."""
    there = migrated(path.read_text(encoding="utf-8"), "promptfoo", "agentv-5", str(path)).text
    back = migrated(there, "agentv-5", "promptfoo", str(path)).text
    for text, name in ((there, "agentv-5"), (back, "promptfoo")):
        analysis = analyse(text, path=str(path), is_named=True)
        analysis.refresh()
        assert analysis.facts.dialect.name == name


@every_path
def test_it_comes_back_but_for_older_names(path: Path) -> None:
    """`targets` come back as `providers`, paths with `file://`, and numbers that are looked for in quotes."""
    text = path.read_text(encoding="utf-8")
    there = migrated(text, "promptfoo", "agentv-5", str(path)).text
    back = migrated(there, "agentv-5", "promptfoo", str(path)).text
    assert foreign_changes(text, back) == []


def test_nearly_all_come_back_byte_for_byte() -> None:
    """Nine of ten, with `targets` called `providers`."""
    same = 0
    for path in PATHS:
        text = path.read_text(encoding="utf-8")
        there = migrated(text, "promptfoo", "agentv-5", str(path)).text
        same += migrated(there, "agentv-5", "promptfoo", str(path)).text == text.replace("\ntargets:", "\nproviders:")
    assert same >= 0.9 * len(PATHS)
