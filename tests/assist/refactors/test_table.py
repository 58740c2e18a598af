"""The table of refactors, and the page that explains them."""

from __future__ import annotations

from pathlib import Path

from rubric_core.assist.refactors.registry import REFACTORS

PAGE = Path(__file__).parents[3] / "docs" / "code-actions.md"


def test_the_page_explains_every_refactor_in_the_order_of_the_menu() -> None:
    """Whoever adds one says there where it is offered and what it does."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    explained = [line.split("`")[1] for line in lines if line.startswith("| `")]
    assert explained == [refactor.name for refactor in REFACTORS]
