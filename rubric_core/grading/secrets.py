"""Secrets: recognising them, and redacting them from everything that is shown or stored."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote, quote_plus, unquote

from rubric_core.terminal.display import ELLIPSIS, fitted
from rubric_core.text.patterns import lazily
from rubric_core.text.writing import without_surrogates

SHORTEST_SECRET = 6
"""A shorter value would be found in innocent text everywhere."""

_PLACEHOLDERS = frozenset({"ollama", "lm-studio", "lmstudio", "not-needed", "no-key", "sk-no-key-required", "EMPTY"})
"""What people write where a local server wants a key and checks none. Redacting these would spoil innocent text."""

_SECRET_NAME = lazily(
    r"(?:^|_)(?:keys?|secrets|authorization)(?:_|$)"
    # The last word of a name, or what is joined to one: `PGPASSWORD`, `OPENAIKEY`, but no `monkey` and no `compass`.
    r"|(?:apikey|token|secret|password|passwd|passphrase|credentials?)(?:_|$)"
    r"|(?<!mon)(?<!tur)(?<!don)(?<!hot)(?<!hoc)(?<!whis)(?<!joc)key$"
    r"|(?:^|_)(?:pass|pat)$|_pwd$",
    re.IGNORECASE,
)
NAMING_WORDS = (
    "file|filename|path|dir|folder|name|url|uri|host|hostname|endpoint|model|deployment|target|version|region"
)
"""Words of the names of variables that name something."""

_PLAIN_NAME = lazily(rf"_(?:{NAMING_WORDS})$", re.IGNORECASE)
"""Names of what is no secret, whatever is before: `KEY_FILE`, `TOKEN_URL`."""

_ADDRESS = lazily(r"[A-Za-z][A-Za-z0-9+.-]*://(?:([^\s/?#]*)@)?[^\s?#@]*(?:\?([^\s#]*))?")
_SIGNATURES = frozenset({"sig", "signature", "code"})
"""Parameters of addresses that are secrets without saying so."""

_PLACE = lazily(r"\A(?:[~.\w-]*[/\\])*[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{1,10}(?::\d+)?\Z")
"""A file with its ending, or a host."""

_WORD_START = lazily(r"(?<=[a-z0-9])(?=[A-Z])|[-. ]")

_SCHEME = lazily(r"\A(?:bearer|basic|token)\s+", re.IGNORECASE)
"""What is before the secret in a header."""

_JSON_ESCAPE = lazily(r"\\u([0-9a-fA-F]{4})")

_LINE_BREAK = lazily(r"\r?\n|\\n")
"""Where a line ends; a variable in one line has its line breaks as escapes."""

_QUOTED_WIDTH = 300
_MOST_QUOTED = 4_000

_LONG = 16
_SHORTEST_CORE = 8
"""The least characters of a base64 text that are no chance."""


def names_secret(name: str) -> bool:
    """Return whether a setting or a variable of this name holds a secret: `api_key`, `GITHUB_TOKEN`, `PGPASSWORD`."""
    words = _WORD_START.sub("_", name)
    return _SECRET_NAME.search(words) is not None and _PLAIN_NAME.search(words) is None


def names_place(value: str) -> bool:
    """Return whether a value is the name of a file or a host, or an address."""
    return _PLACE.search(value) is not None or _ADDRESS.match(value) is not None


def address_secrets(text: str) -> Iterator[str]:
    """Return the passwords and keys in the addresses of a text: before an `@`, and in parameters named like secrets."""
    for address in _ADDRESS.finditer(text):
        user, colon, password = (address[1] or "").partition(":")
        if colon and not is_secret(password):
            # Too short to be found alone.
            yield f"{user}:{password}@"
        elif colon or looks_random(user):
            yield from {password or user, unquote(password or user)}
        for parameter in (address[2] or "").split("&"):
            name, _, value = parameter.partition("=")
            if names_secret(name) or name.lower() in _SIGNATURES:
                yield from {value, unquote(value)}


def is_secret(value: str) -> bool:
    """Return whether a value can be a secret: it is long enough and not a known placeholder."""
    return len(value.strip()) >= SHORTEST_SECRET and value.strip() not in _PLACEHOLDERS


def named_secrets(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Return the values of a table with names of secrets, at any depth, each with its name."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from named_secrets(value)
        elif names_secret(name):
            # A password of digits only is a number in YAML.
            yield name, str(value)


def looks_random(value: str) -> bool:
    """Return whether a value is probably not a word: it is long, or mixes letters with digits."""
    return len(value) >= _LONG or _mixes(value)


def looks_like_key(value: str) -> bool:
    """Return whether a value is probably a key: long, letters with digits, no spaces, not a file, host or address."""
    return len(value) >= _LONG and _mixes(value) and not any(map(str.isspace, value)) and not names_place(value)


def _mixes(value: str) -> bool:
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))


class Redactor:
    """Replaces every known secret in a text by `[secret NAME]`, also as it is in JSON, in an address and in base64."""

    def __init__(self, secrets: Mapping[str, str] | Iterable[tuple[str, str]] = ()) -> None:
        self._forms: dict[str, str] = {}
        for name, value in secrets.items() if isinstance(secrets, Mapping) else secrets:
            bare = _SCHEME.sub("", value.strip())
            for part in (bare, *_lines(bare)) if is_secret(bare) else ():
                for form in _forms(part):
                    self._forms.setdefault(form, name)

    @classmethod
    def together(cls, redactors: Iterable[Redactor]) -> Redactor:
        """Return a redactor for the secrets of all these redactors."""
        together = cls()
        for redactor in redactors:
            together._forms |= redactor._forms  # noqa: SLF001 - of the same class.
        return together

    def redact(self, text: str) -> str:
        """Return a text without the secrets; JSON escapes are decoded if they hide one."""
        shown = self._redacted(text)
        if "\\u" not in shown:
            return shown
        plain = without_surrogates(_JSON_ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), shown))
        redacted = self._redacted(plain)
        return shown if redacted == plain else redacted

    def _redacted(self, text: str) -> str:
        pieces: list[str] = []
        end = 0
        for start, stop, name in self._spans(text):
            pieces += (text[end:start], f"[secret {name}]")
            end = stop
        return "".join((*pieces, text[end:]))

    def redact_json(self, value: Any) -> Any:
        """Return a value of plain data without the secrets in its texts and keys."""
        if isinstance(value, str):
            return self.redact(value)
        if isinstance(value, dict):
            return {self.redact_json(key): self.redact_json(member) for key, member in value.items()}
        if isinstance(value, list | tuple):
            return [self.redact_json(member) for member in value]
        return value

    def _spans(self, text: str) -> list[tuple[int, int, str]]:
        """Return the spans of secrets in order; overlapping ones are joined, with the name of the longest."""
        spans = [(at, at + len(form), name) for form, name in self._forms.items() for at in _occurrences(text, form)]
        joined: list[tuple[int, int, str]] = []
        for start, stop, name in sorted(spans, key=lambda span: (span[0], -span[1])):
            if not joined or start >= joined[-1][1]:
                joined.append((start, stop, name))
            elif stop > joined[-1][1]:
                first = joined[-1]
                longest = name if stop - start > first[1] - first[0] else first[2]
                joined[-1] = (first[0], stop, longest)
        return joined


NO_SECRETS = Redactor()


def quote_for_message(text: str, redactor: Redactor) -> str:
    """Return the start of a text in one line, without secrets; it is cut between words, to leave no half of one."""
    line = fitted(redactor.redact(text[:_MOST_QUOTED]), _QUOTED_WIDTH)
    if not line.endswith(ELLIPSIS):
        return line
    return f"{line.removesuffix(ELLIPSIS).rpartition(' ')[0]} {ELLIPSIS}".lstrip()


def _occurrences(text: str, form: str) -> Iterator[int]:
    at = text.find(form)
    while at != -1:
        yield at
        at = text.find(form, at + 1)


def _lines(value: str) -> Iterator[str]:
    """Yield the lines of a key of several lines that are long enough to be found alone, but not those that frame it."""
    lines = [line.strip() for line in _LINE_BREAK.split(value)]
    if len(lines) > 1:
        yield from (line for line in lines if len(line) >= _LONG and not line.startswith("-----"))


def _forms(value: str) -> Iterable[str]:
    encoded = value.encode("utf-8", "surrogatepass")
    percent = quote(encoded, safe="")
    yield value
    for ascii_only in (True, False):
        once = json.dumps(value, ensure_ascii=ascii_only)[1:-1]
        # A reply that quotes JSON has it in a JSON text of its own.
        yield from (once, json.dumps(once)[1:-1])
    yield from (percent, re.sub("%..", lambda code: code[0].lower(), percent), quote(encoded), quote_plus(encoded))
    for alphabet in (base64.b64encode, base64.urlsafe_b64encode):
        whole = alphabet(encoded).decode()
        yield from (whole, whole.rstrip("="))
        yield from (core for core in _cores(encoded, alphabet) if len(core) >= _SHORTEST_CORE)


def _cores(value: bytes, alphabet: Callable[[bytes], bytes]) -> Iterator[str]:
    """Yield a value as it is in the base64 of a longer text, without characters that depend on its neighbours."""
    for shift in range(3):
        text = alphabet(bytes(shift) + value).decode().rstrip("=")
        partial = (shift + len(value)) % 3 != 0
        yield text[(0, 2, 3)[shift] : len(text) - partial]
