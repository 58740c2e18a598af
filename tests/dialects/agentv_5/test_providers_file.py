"""The providers file: what it defines, and the configurations that have providers or name such a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rubric_core.files.definition_files import read_targets
from rubric_core.files.project import DiskProject

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Give a workspace with a targets file at its top and a folder two levels below."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / ".agentv").mkdir()
    (tmp_path / ".agentv/targets.yml").write_text("targets: [{name: slow}, {name: fast}]\n", encoding="utf-8")
    return tmp_path


def _around(root: Path) -> DiskProject:
    return DiskProject(root / "a" / "b" / "suite.eval.yaml", root=root)


PROVIDERS = (
    "providers:\n  - {id: openai:gpt-5, label: fast}\n  - id: echo\n  - mock\n  - local: {config: {}}\n"
    "  - other: {label: named}\n"
)


def test_a_provider_is_called_by_its_label_or_else_by_its_id() -> None:
    """An id may also be alone, or be the key of all else."""
    assert list(read_targets(PROVIDERS) or ()) == ["fast", "echo", "mock", "local", "named"]


def test_providers_of_the_configuration_are_known(root: Path) -> None:
    """Beside those of the targets file, or alone."""
    (root / "a" / ".agentv").mkdir()
    (root / "a" / ".agentv/config.yaml").write_text(PROVIDERS, encoding="utf-8")
    around = _around(root)
    assert around.targets is not None
    assert around.targets >= {"fast", "slow", "echo", "named"}
    assert around.target_files() == (root / ".agentv/targets.yml", root / "a/.agentv/config.yaml")
    (root / ".agentv/targets.yml").unlink()
    assert _around(root).targets == {"fast", "echo", "mock", "local", "named"}
    assert _around(root).dialect == "agentv-5"


def test_a_configuration_may_name_a_file_with_providers(root: Path) -> None:
    """Its path is seen from the configuration."""
    (root / ".agentv/config.yaml").write_text("providers: file://../a/providers.yaml\n", encoding="utf-8")
    (root / "a/providers.yaml").write_text(PROVIDERS, encoding="utf-8")
    assert _around(root).target_files()[-1] == root / "a/providers.yaml"
    assert "named" in (_around(root).targets or ())
