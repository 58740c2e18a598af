"""Hovering in tests: `$0` in a text is the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from steps import cut_cursor

from rubric_core.analysis.check import analyse
from rubric_core.assist.hover import hover

if TYPE_CHECKING:
    from rubric_core.assist.hover import Hover


def hover_at(marked: str, path: str = "a.eval.yaml") -> tuple[str, Hover | None]:
    """Return a text without its cursor, and what is said there."""
    text, at = cut_cursor(marked)
    return text, hover(analyse(text, path=path), at)


def said_at(marked: str, path: str = "a.eval.yaml") -> str:
    """Return what is said at the cursor as plain text, or nothing."""
    _, found = hover_at(marked, path)
    return found.plain if found is not None else ""


def under(marked: str, path: str = "a.eval.yaml") -> str:
    """Return the stretch of the text that a hover is about."""
    text, found = hover_at(marked, path)
    assert found is not None, "Nothing is said."
    return text[found.span.start : found.span.end]
