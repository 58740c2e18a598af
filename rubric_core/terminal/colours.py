"""Styles of the reports for people, when to use colours, and what a report is drawn on."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

Paint = Callable[[str, str], str]

STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "hint": "bold cyan",
    "strong": "bold",
    "gutter": "bold blue",
    "related": "bold blue",
    "help": "bold green",
    "faint": "dim",
    "added": "green",
    "removed": "red",
}
"""What each style looks like, in the words of rich."""


class Page(NamedTuple):
    """What a report is drawn on: the columns of a terminal, or None where lines may have any length."""

    width: int | None = None
    has_colours: bool = False
    encoding: str | None = "utf-8"

    @property
    def paint(self) -> Paint:
        """Return the function that puts a style on a text."""
        return ansi if self.has_colours else plain


PIPE = Page()


def plain(_style: str, text: str) -> str:
    """Return the text as it is."""
    return text


def ansi(style: str, text: str) -> str:
    """Return the text in the colour of a style."""
    from rich.color import ColorSystem  # noqa: PLC0415 - whoever writes no colours need not wait for it.
    from rich.style import Style  # noqa: PLC0415 - the same.

    return Style.parse(STYLES[style]).render(text, color_system=ColorSystem.STANDARD)


def wants_colour(environment: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Return whether to write colours: NO_COLOR wins, then FORCE_COLOR, then whether the output is a terminal."""
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return environment["FORCE_COLOR"] != "0"
    return is_terminal and environment.get("TERM") != "dumb"
