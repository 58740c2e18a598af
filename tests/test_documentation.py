"""The documentation says what is true."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from dialect_suites import MISSING

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
    # Pages that were made for a dialect go with it.
    checked = [link for link in links if not (MISSING and re.search(r"(?:fields|rules)/|^RB\d+\.md$", link))]
    assert [link for link in checked if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("name", ["architecture", "decisions"])
def test_every_module_that_a_page_names_exists(name: str) -> None:
    """A page that names a module by another name than it has now sends its reader astray; `X` is any dialect."""
    text = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w*/.-])((?:[\w-]+/)*[\w-]+\.py)\b", text))
    folders = ("rubric_core", "server", "tests", "scripts", "benchmarks")
    paths = [path.as_posix() for folder in folders for path in (ROOT / folder).rglob("*.py")]
    assert named
    patterns = {each: re.compile(".*/" + re.escape(each).replace("X/", "[^/]+/", 1) + r"\Z") for each in named}
    assert sorted(each for each, pattern in patterns.items() if not any(map(pattern.match, paths))) == []
