"""The targets file: what it defines, where it is found, and which files references mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rubric_core.files.definition_files import places_of_target, read_targets
from rubric_core.files.project import DiskProject

if TYPE_CHECKING:
    from pathlib import Path

TARGETS = "targets:\n  - name: fast\n    judge_target: slow\n  - {name: 'slow', judge_target: fast}\n  - name: fast\n"


def test_each_target_has_the_place_of_its_name() -> None:
    """Of two with one name the first counts."""
    found = read_targets(TARGETS)
    assert found is not None
    assert {name: TARGETS[slice(*node.span)] for name, node in found.items()} == {"fast": "fast", "slow": "'slow'"}
    assert found["fast"].start == TARGETS.index("fast")


@pytest.mark.parametrize("text", ["", "targets: [\n", "targets: x\n", "- name: a\n", "other: []\n"])
def test_a_file_that_cannot_be_understood_has_no_targets(text: str) -> None:
    """Then nobody can know which there are."""
    assert read_targets(text) is None
    assert places_of_target(text, "a") == []


def test_a_target_is_named_where_it_is_defined_and_where_another_is_judged_by_it() -> None:
    """Other keys with the same text mean something else."""
    places = places_of_target(TARGETS + "    model: fast\n  - fast\n", "fast")
    assert [TARGETS[: node.start].count("\n") for node in places] == [1, 3, 4]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Give a workspace with a targets file at its top and a folder two levels below."""
    root = tmp_path / "root"
    (root / "a" / "b").mkdir(parents=True)
    (root / ".agentv").mkdir()
    (root / ".agentv/targets.yml").write_text(TARGETS, encoding="utf-8")
    (root / "a" / "x.md").write_text("x", encoding="utf-8")
    (tmp_path / "outside.md").write_text("x", encoding="utf-8")
    return root


def _around(root: Path) -> DiskProject:
    return DiskProject(root / "a" / "b" / "suite.eval.yaml", root=root)


def test_the_nearest_targets_file_above_counts(root: Path) -> None:
    """Up to the root of the workspace and no further."""
    assert _around(root).targets_file() == root / ".agentv/targets.yml"
    assert _around(root).targets == {"fast", "slow"}
    (root / "a" / ".agentv").mkdir()
    (root / "a" / ".agentv/targets.yaml").write_text("targets: []\n", encoding="utf-8")
    assert _around(root).targets_file() == root / "a" / ".agentv/targets.yaml"
    assert DiskProject(root / "a/b/suite.eval.yaml", root=root / "a/b").targets_file() is None


def test_a_reference_means_the_nearest_file_that_exists(root: Path) -> None:
    """From the eval file's folder upwards; a folder is no file, and nothing outside of the workspace is looked at."""
    around = _around(root)
    assert around.find("x.md") == str(root / "a" / "x.md")
    assert around.find("/a/x.md") == str(root / "a" / "x.md")
    assert around.find("../b") is None
    assert around.find("gone.md") is None
    assert around.find("../../../outside.md") is None
    (root / "a" / "b" / "x.md").symlink_to(root.parent / "outside.md")
    assert around.find("x.md") is None


@pytest.mark.parametrize("text", ["execution: {workers: 3}\n", "providers: file://gone.yaml\n", "# providers\n"])
def test_a_configuration_without_providers_says_nothing(root: Path, text: str) -> None:
    """Then the targets file alone counts."""
    (root / ".agentv/config.yaml").write_text(text, encoding="utf-8")
    assert _around(root).target_files() == (root / ".agentv/targets.yml",)
