"""The examples of migrations: the sections of the pages in tests/dialects/*/migration."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from rubric_core.migration.registry import PAIRS

_PAGES = Path(__file__).parents[2] / "dialects"
_TEXT = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LISTED = re.compile(r"^- (\d+: \w+: .*)$", re.MULTILINE)


class Example(NamedTuple):
    """One section of a page."""

    source: str
    target: str
    name: str
    before: str
    after: str
    lists: list[str]


def read_examples() -> list[Example]:
    """Return the examples of all pages."""
    found: list[Example] = []
    for path in sorted(_PAGES.glob("*/migration/*-to-*.md")):
        source, target = (f"agentv-{name}" if name.isdigit() else name for name in path.stem.split("-to-"))
        if (source, target) not in PAIRS:
            continue
        for section in path.read_text(encoding="utf-8").split("\n## ")[1:]:
            before, after = _TEXT.findall(section)
            lists = _LISTED.findall(_TEXT.sub("", section))
            found.append(Example(source, target, section.partition("\n")[0], before, after, lists))
    return found
