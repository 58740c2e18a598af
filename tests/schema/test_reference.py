"""The field reference of the documentation."""

from __future__ import annotations

from pathlib import Path

from rubric_core.schema.records import RECORDS
from rubric_core.schema.reference import render_field_reference

PAGE = Path(__file__).parents[2] / "docs" / "fields.md"


def test_the_page_in_the_documentation_is_up_to_date() -> None:
    """The page is made from the table and never edited by hand."""
    assert PAGE.read_text(encoding="utf-8") == render_field_reference(), f"{PAGE.name} is stale: run `make docs`."


def test_every_key_of_the_table_is_on_the_page() -> None:
    """Nothing that a file may hold is left out."""
    page = render_field_reference()
    missing = [key for record in RECORDS.values() for key in record.by_key if f"`{key}`" not in page]
    assert missing == []


def test_a_row_tells_type_default_and_other_names() -> None:
    """A reader sees at once what a key accepts and what happens without it."""
    page = render_field_reference()
    assert "| `weight` | a number | 1.0 | How much this criterion counts beside the others of its list. |" in page
    assert "Deprecated name: `description`." in page
    assert "`code` for `code_judge`" in page
