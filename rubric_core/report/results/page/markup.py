"""Building HTML so that text can never act: whatever is not made by `element` is escaped."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from rubric_core.terminal.columns import visible
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Iterable

# Control characters, halves of pairs, and the characters that turn the direction of what follows them. Marks and
# joiners of scripts that need them stay.
_UNSHOWABLE = lazily(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
_VOID = frozenset({"meta", "input"})


class Markup(str):
    """A text that is HTML already."""

    __slots__ = ()


Content = str | Markup | None


def element(name: str, /, *content: Content, **attributes: str | None) -> Markup:
    """Return an element. Content that is None is left out, and so is an attribute.

    Python's own words take a trailing underscore (`class_`), and other underscores stand for hyphens.
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_escaped(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID:
        return Markup(f"<{name}{given}>")
    return Markup(f"<{name}{given}>{joined(content)}</{name}>")


def joined(content: Iterable[Content]) -> Markup:
    """Return pieces one after the other, text escaped."""
    return Markup("".join(each if isinstance(each, Markup) else _escaped(each or "") for each in content))


def prose(name: str, text: str, class_: str = "") -> Markup:
    """Return an element with text of others: its lines stay lines, and its direction is that of its own script."""
    return element(name, text.strip("\r\n"), class_=f"prose {class_}".rstrip(), dir="auto")


def _escaped(text: str) -> str:
    return escape(_UNSHOWABLE.sub(lambda found: visible(found[0]), text))
