"""Tests of one dialect. Those that need a second one are left out where that one is not there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from command_line import folder, rubric
from dialect_suites import MISSING

__all__ = ["folder", "rubric"]


@pytest.fixture
def dialects(folder: Path) -> Path:
    """Return a copy of the examples of the dialects, with their recordings."""
    shutil.copytree(Path(__file__).parents[2] / "examples" / "dialects", folder, dirs_exist_ok=True)
    return folder


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out tests whose parameters, or whose marker `needs`, name a dialect that is not in the registry."""
    here = [item for item in items if Path(__file__).parent in item.path.parents]
    left_out = [item for item in here if not MISSING.isdisjoint(_named(item))]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


def _named(item: pytest.Item) -> set[object]:
    callspec = getattr(item, "callspec", None)
    values = list(callspec.params.values()) if callspec else []
    values += [part for value in values if isinstance(value, tuple) for part in value]
    parameters = {value for value in values if isinstance(value, str)}
    return parameters.union(*(marker.args for marker in item.iter_markers("needs")))
