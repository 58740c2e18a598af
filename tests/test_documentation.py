"""The documentation says what is true."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "scripts"))

import docs  # noqa: E402 - a script of the project, found through the line above.


def test_no_generated_page_is_stale() -> None:
    """Rule pages, field reference, configuration and JSON Schema are what `make docs` writes."""
    assert [path.name for path in docs.stale_pages()] == [], "Run `make docs`."


@pytest.mark.parametrize(
    "page", sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").rglob("*.md")), ids=lambda page: page.name
)
def test_every_link_to_a_file_of_the_project_leads_somewhere(page: Path) -> None:
    """A relative link names a file that exists."""
    links = re.findall(r"\]\((?!https?:|#|mailto:)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
