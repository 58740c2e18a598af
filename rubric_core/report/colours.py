"""Colours of the terminal report, and when to use them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Paint = Callable[[str, str], str]

STYLES = {
    "error": "1;31",
    "warning": "1;33",
    "hint": "1;36",
    "strong": "1",
    "gutter": "1;34",
    "related": "1;34",
    "help": "1;32",
    "faint": "2",
    "added": "32",
    "removed": "31",
}


def plain(_style: str, text: str) -> str:
    """Return the text as it is."""
    return text


def ansi(style: str, text: str) -> str:
    """Return the text in the colour of a style."""
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m" if text else ""


def wants_colour(environment: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Tell whether to write colours: NO_COLOR wins, then FORCE_COLOR, then whether a person looks at a terminal."""
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return environment["FORCE_COLOR"] != "0"
    return is_terminal and environment.get("TERM") != "dumb"
