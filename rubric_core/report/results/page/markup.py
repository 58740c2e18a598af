"""Escape all values of a template. Signs and colours that sections share."""

from fractions import Fraction
from html import escape

from rubric_core.schema.scales import BORDERLINE_MARK, PASS_MARK
from rubric_core.terminal.display import visible
from rubric_core.text.patterns import lazily

# Control characters, lone surrogates, and the characters that change the direction of text. Marks and joiners of
# scripts that need them stay.
_UNSHOWABLE = lazily(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
# A verdict is shown by a sign and a word, never by its colour alone.
SIGNS = {"pass": "✓", "borderline": "≈", "fail": "✕", "error": "!", "partial": "◐", "no verdict": "–", "not run": "–"}  # noqa: RUF001 - a dash.


class Html(str):
    """A text that is HTML already."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


def content_of(value: object) -> object:
    """Return a value for a template: HTML unchanged, None as nothing, and anything else escaped."""
    return value if hasattr(value, "__html__") else Html("" if value is None else _escaped(str(value)))


def _escaped(text: str) -> str:
    return escape(_UNSHOWABLE.sub(lambda sign: visible(sign[0]), text))


def slug(state: str) -> str:
    """Return a state as the name of a class."""
    return state.replace(" ", "-")


def tone_of(value: Fraction, *, is_failed: bool) -> str:
    """Return the colour of a value from 0 to 1: that of the verdict it would have alone."""
    if is_failed or value < BORDERLINE_MARK:
        return "fail"
    return "pass" if value >= PASS_MARK else "borderline"
