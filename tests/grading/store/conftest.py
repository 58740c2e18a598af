"""What the tests of the store share: a project with a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rubric_core.grading.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in a folder that is the root of a project."""
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def store(project: Path) -> Iterator[Store]:
    """Open a new store in the project."""
    with Store.open(Store.at(project)) as opened:
        yield opened
