"""Small parts that several sections of the page share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.report.results.page.markup import Markup, element, joined
from rubric_core.schema.scales import BORDERLINE_MARK, PASS_MARK

if TYPE_CHECKING:
    from collections.abc import Iterable
    from fractions import Fraction

# A verdict is told by a sign and a word, never by its colour alone.
_SIGNS = {"pass": "✓", "borderline": "≈", "fail": "✕", "error": "!", "partial": "◐", "no verdict": "–", "not run": "–"}  # noqa: RUF001 - a dash.


def slug(state: str) -> str:
    """Return a state as the name of a class."""
    return state.replace(" ", "-")


def state_badge(state: str) -> Markup:
    """Return a state as a badge."""
    sign = element("span", _SIGNS.get(state, ""), aria_hidden="true", class_="sign")
    return element("span", sign, state, class_=f"badge {slug(state)}")


def chips(words: Iterable[str | Markup]) -> Markup:
    """Return short remarks side by side."""
    return joined(word if isinstance(word, Markup) else element("span", word, class_="chip") for word in words)


def tone_of(value: Fraction, *, is_failed: bool) -> str:
    """Return the colour of a value from 0 to 1, which is that of the verdict it would have alone."""
    if is_failed or value < BORDERLINE_MARK:
        return "fail"
    return "pass" if value >= PASS_MARK else "borderline"
