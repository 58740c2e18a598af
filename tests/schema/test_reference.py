"""The field reference of the documentation."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rubric_core.dialects.registry import DIALECTS

if TYPE_CHECKING:
    from rubric_core.dialects.dialect import Dialect

DOCS = Path(__file__).parents[2] / "docs"


def _page(dialect: str) -> str:
    return (DOCS / "fields" / f"{dialect}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda each: each.name)
def test_every_key_and_type_of_a_dialect_is_on_its_page(dialect: Dialect) -> None:
    """Nothing that a file may hold is left out, and the index leads to the page."""
    page = _page(dialect.name)
    keys = [key for record in dialect.records.values() if record.doc for key in record.by_key]
    assert [key for key in (*keys, *dialect.types) if f"`{key}`" not in page] == []
    assert f"(fields/{dialect.name}.md)" in (DOCS / "fields.md").read_text(encoding="utf-8")


def test_a_row_shows_type_default_and_other_names() -> None:
    """A reader sees at once what a key accepts and what happens without it."""
    page = _page("agentv-2")
    assert "| `weight` | a number | 1.0 | How much this criterion counts beside the others of its list. |" in page
    assert "Deprecated name: `description`." in page
    assert "`code` for `code_judge`" in page
