"""Build HTML so that text can never act: whatever is not made by `element` is escaped. Parts that sections share."""

from collections.abc import Iterable
from fractions import Fraction
from html import escape

from rubric_core.schema.scales import BORDERLINE_MARK, PASS_MARK
from rubric_core.terminal.display import visible
from rubric_core.text.patterns import lazily

# Control characters, halves of pairs, and the characters that turn the direction of what follows them. Marks and
# joiners of scripts that need them stay.
_UNSHOWABLE = lazily(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)
# A verdict is shown by a sign and a word, never by its colour alone.
SIGNS = {"pass": "✓", "borderline": "≈", "fail": "✕", "error": "!", "partial": "◐", "no verdict": "–", "not run": "–"}  # noqa: RUF001 - a dash.
_VOID = frozenset({"meta", "input"})


class Html(str):
    """A text that is HTML already."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


Content = str | Html | None


def element(name: str, /, *content: Content, **attributes: str | None) -> Html:
    """Return an element without what is None. In names an underscore is a hyphen, and nothing at the end (`class_`)."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_escaped(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID:
        return Html(f"<{name}{given}>")
    return Html(f"<{name}{given}>{joined(content)}</{name}>")


def joined(content: Iterable[Content]) -> Html:
    """Return pieces one after the other, text escaped."""
    return Html("".join(part if isinstance(part, Html) else _escaped(part or "") for part in content))


def content_of(value: object) -> object:
    """Return what a template shows of a value: HTML as it is, nothing of None, and else a text, escaped."""
    return value if hasattr(value, "__html__") else Html("" if value is None else _escaped(str(value)))


def _escaped(text: str) -> str:
    return escape(_UNSHOWABLE.sub(lambda sign: visible(sign[0]), text))


def slug(state: str) -> str:
    """Return a state as the name of a class."""
    return state.replace(" ", "-")


def tone_of(value: Fraction, *, is_failed: bool) -> str:
    """Return the colour of a value from 0 to 1, which is that of the verdict it would have alone."""
    if is_failed or value < BORDERLINE_MARK:
        return "fail"
    return "pass" if value >= PASS_MARK else "borderline"
