"""Texts between commas."""

from rubric_core.javascript_regex import SPACES
from rubric_core.text.patterns import lazily

_FIELD = lazily(r'"((?:\\["\\]|""|[^"])*)"|([^,]+)')
_ESCAPED = lazily(r'\\(["\\])|"(")')


def separated(text: str) -> list[str]:
    """Return the texts between commas; one between double quotes may have commas. Raises ValueError."""
    texts: list[str] = []
    place = 0
    while (place := len(text) - len(text[place:].lstrip(f"{SPACES},"))) < len(text):
        field = _FIELD.match(text, place)
        if field is None or (text[place] == '"' and field[1] is None):
            raise ValueError("`value` has a double quote that never closes.")
        place = field.end()
        if field[1] is None:
            texts.append(field[2].strip(SPACES))
            continue
        texts.append(_ESCAPED.sub(lambda match: match[1] or match[2], field[1]))
        rest = text[place:].lstrip(SPACES)
        if rest and not rest.startswith(","):
            raise ValueError("`value` has text behind a double quote; write a comma there.")
    return texts
