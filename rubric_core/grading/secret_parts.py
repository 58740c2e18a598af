"""Secrets that are a part of a longer value: of a connection string, or of an address that is itself the key."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlsplit

from rubric_core.grading.secrets import is_secret, looks_random, names_secret
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Iterator

_QUOTED = r"'(?P<single>[^']*)'|\"(?P<double>[^\"]*)\""
_PAIRS = {
    ";": lazily(rf"(?:\A|;)\s*(?P<name>[A-Za-z][\w .-]*?)\s*=\s*(?:{_QUOTED}|(?P<bare>[^;]*))"),
    " ": lazily(rf"(?:\A|\s)(?P<name>[A-Za-z][\w.-]*)\s*=\s*(?:{_QUOTED}|(?P<bare>\S*))"),
}
"""How the pairs of a connection string are written, by what stands between them."""

_BETWEEN = lazily(r"[-._~:@]+")
_UUID = lazily(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_SHORTEST_MIXED = 10
_SHORTEST_PLAIN = 16


def pair_secrets(text: str) -> Iterator[str]:
    """Give the passwords of a connection string such as `Server=db;Password=...;`, by the names before them."""
    for pair in _PAIRS[";" if ";" in text else " "].finditer(text):
        value = next((each for each in pair.group("single", "double", "bare") if each), "").strip()
        if names_secret(pair["name"]) and is_secret(value) and looks_random(value):
            yield value


def random_parts(address: str) -> Iterator[str]:
    """Give the parts of an address's path and query that nobody makes up, such as the last one of a webhook."""
    try:
        parsed = urlsplit(address)
    except ValueError:
        return
    if parsed.scheme and parsed.netloc:
        for part in (*parsed.path.split("/"), *(value for _, value in parse_qsl(parsed.query))):
            if _is_random(unquote(part)):
                yield from {part, unquote(part)}


def _is_random(part: str) -> bool:
    """Return whether a part is hardly a name: those of models and versions have words between hyphens and dots."""
    return _UUID.fullmatch(part) is not None or any(map(_is_random_word, _BETWEEN.split(part)))


def _is_random_word(word: str) -> bool:
    has_digits, has_lower = any(map(str.isdigit, word)), any(map(str.islower, word))
    has_upper = any(map(str.isupper, word))
    is_mixed = has_digits and has_lower and has_upper and len(word) >= _SHORTEST_MIXED
    return is_mixed or (has_digits and (has_lower or has_upper) and len(word) >= _SHORTEST_PLAIN)
