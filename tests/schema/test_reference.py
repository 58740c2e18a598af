"""The field reference of the documentation."""

from __future__ import annotations

from pathlib import Path

from rubric_core.schema.records import RECORDS

PAGE = (Path(__file__).parents[2] / "docs" / "fields.md").read_text(encoding="utf-8")


def test_every_key_of_the_table_is_on_the_page() -> None:
    """Nothing that a file may hold is left out."""
    missing = [key for record in RECORDS.values() for key in record.by_key if f"`{key}`" not in PAGE]
    assert missing == []


def test_a_row_tells_type_default_and_other_names() -> None:
    """A reader sees at once what a key accepts and what happens without it."""
    assert "| `weight` | a number | 1.0 | How much this criterion counts beside the others of its list. |" in PAGE
    assert "Deprecated name: `description`." in PAGE
    assert "`code` for `code_judge`" in PAGE
