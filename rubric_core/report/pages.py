"""A page of Markdown as a terminal shows it: headings stand out, code is set in, nothing else changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.terminal.colours import plain
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.terminal.colours import Paint

_FENCE = "```"
_HEADING = lazily(r"#{1,6} (?P<title>.*)")
_CODE = lazily(r"`(?P<code>[^`]+)`")


def render_page(markdown: str, paint: Paint = plain) -> str:
    """Return a page of Markdown for a terminal."""
    return "".join(f"{line}\n" for line in _lines(markdown.strip(), paint))


def _lines(markdown: str, paint: Paint) -> Iterator[str]:
    in_code = False
    for line in markdown.split("\n"):
        heading = _HEADING.fullmatch(line)
        if line.lstrip().startswith(_FENCE):
            in_code = not in_code
        elif in_code:
            yield f"    {line}".rstrip()
        elif heading:
            yield paint("strong", heading["title"])
        else:
            yield _CODE.sub(lambda found: paint("hint", found["code"]), line) if paint is not plain else line
