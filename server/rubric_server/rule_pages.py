"""Where the page of a rule can be read: it comes with the package, so that a link to it works without a network."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_HERE = Path(__file__).resolve().parent
# An installed package has the pages beside it; in the project they are in the documentation.
_FOLDERS = (_HERE / "pages", _HERE.parents[1] / "docs" / "rules")


@cache
def page_uri(code: str) -> str | None:
    """Return the address of a rule's page; None where the pages were left out."""
    pages = (folder / f"{code}.md" for folder in _FOLDERS)
    return next((page.as_uri() for page in pages if page.is_file()), None)
