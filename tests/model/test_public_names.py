"""What `rubric_core` offers to Python."""

from __future__ import annotations

import pytest

import rubric_core


@pytest.mark.parametrize("name", ["CannotLoad", "grade", "load", "load_all", "load_targets"])
def test_what_is_imported_late_is_named_early(name: str) -> None:
    """Whoever looks with `dir`, or presses the tab key, finds it."""
    assert name in dir(rubric_core)
    assert getattr(rubric_core, name).__name__ == name


def test_what_is_not_there_is_an_attribute_error() -> None:
    """As for every module."""
    assert "__version__" in dir(rubric_core)
    with pytest.raises(AttributeError, match="has no attribute 'graade'"):
        _ = rubric_core.graade
