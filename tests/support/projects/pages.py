"""Pages of the documentation, taken apart: fenced blocks, tables, headings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_ROW = re.compile(r"^\|(.*)\|$", re.MULTILINE)
_RULE = re.compile(r"[-:| ]+")
_CELL = re.compile(r"(?<!\\)\|")
_HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """A fenced block with its language."""

    language: str
    text: str


def page(name: str) -> str:
    """Return the text of a page: `README.md`, or one of the folder of documentation."""
    return (ROOT / name if name == "README.md" else DOCS / name).read_text(encoding="utf-8")


def blocks(name: str, *languages: str) -> list[Block]:
    """Return the fenced blocks of a page in these languages, in their order."""
    found = (Block(language, text) for language, text in _FENCE.findall(page(name)))
    return [block for block in found if block.language in languages]


def table(name: str, head: str) -> list[list[str]]:
    """Return the rows of the table whose first row is `head`, cell by cell, without the head."""
    _, _, rest = page(name).partition(f"{head}\n")
    assert rest, f"{name} has no table {head}"
    lines = rest.split("\n\n", 1)[0].splitlines()
    rows = [[cell.strip() for cell in _CELL.split(row)] for row in _ROW.findall("\n".join(lines))]
    return [row for row in rows if not all(_RULE.fullmatch(cell) for cell in row)]


def words(cell: str) -> list[str]:
    """Return the words that a cell sets in code."""
    return re.findall(r"`([^`]+)`", cell)


def anchors(text: str) -> set[str]:
    """Return the names under which the headings of a page can be linked."""
    plain = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in _HEADING.findall(re.sub(_FENCE, "", text)))
    return {heading.replace(" ", "-") for heading in plain}
