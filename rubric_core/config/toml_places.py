"""The spans of the keys and values of a TOML text.

The standard parser returns values without places. This scanner finds the places in a text that the parser has
accepted, so it never has to validate the text.
"""

import re
from typing import NamedTuple

from rubric_core.config.toml_reader import loads
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

Path = tuple[str | int, ...]
"""Keys from the top of the file, with the place in the list where a list is passed through."""

_BLANK = lazily(r"(?:[ \t\r\n\ufeff]|#[^\n]*)*")
_SPACE = lazily(r"[ \t]*")
_KEY = lazily(r"""[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*'""")
_STRING = lazily(r'''"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\]|\\.)*"|'[^']*\'''', re.DOTALL)
_BARE = lazily(r"[^,\]}#\r\n]*[^,\]}#\r\n \t]")


class TomlPlace(NamedTuple):
    """The spans of a key and of its value. An item of a list has no key, so both are the item."""

    key: Span
    value: Span


class Segment(NamedTuple):
    """One part of a dotted key."""

    name: str
    span: Span


def find_places(text: str) -> dict[Path, TomlPlace]:
    """Return the place of every key and list item of a valid TOML text."""
    scanner = _Scanner(text)
    scanner.scan()
    return scanner.places


def place_of(places: dict[Path, TomlPlace], path: Path) -> TomlPlace:
    """Return the place of a path, or of its nearest ancestor that has one."""
    for length in range(len(path), 0, -1):
        place = places.get(path[:length])
        if place is not None:
            return place
    return TomlPlace(Span(0, 0), Span(0, 0))


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.places: dict[Path, TomlPlace] = {}
        self.lengths: dict[Path, int] = {}
        """How many tables each list of tables holds so far."""

    def scan(self) -> None:
        table: Path = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._assignment(table)
            self._skip(_BLANK)

    def _skip(self, pattern: re.Pattern[str]) -> Span:
        match = pattern.match(self.text, self.at)
        start = self.at
        self.at = match.end() if match else start
        return Span(start, self.at)

    def _header(self) -> Path:
        brackets = 2 if self.text.startswith("[[", self.at) else 1
        self.at += brackets
        path: Path = ()
        for segment in self._dotted_key():
            # A header passes through the last table of a list of tables.
            path = (*self._newest(path), segment.name)
            self.places.setdefault(path, TomlPlace(segment.span, segment.span))
        self.at += brackets
        if brackets == 1:
            return self._newest(path)
        self.lengths[path] = self.lengths.get(path, 0) + 1
        item = self._newest(path)
        self.places[item] = TomlPlace(segment.span, segment.span)
        return item

    def _newest(self, path: Path) -> Path:
        return (*path, self.lengths[path] - 1) if path in self.lengths else path

    def _assignment(self, table: Path) -> None:
        path = table
        for segment in self._dotted_key():
            path = (*path, segment.name)
            self.places.setdefault(path, TomlPlace(segment.span, segment.span))
        key = segment.span
        self.at += 1
        self._skip(_SPACE)
        value = self._value(path)
        self.places[path] = TomlPlace(key, value)

    def _dotted_key(self) -> list[Segment]:
        segments: list[Segment] = []
        while True:
            self._skip(_SPACE)
            span = self._skip(_KEY)
            raw = self.text[span.start : span.end]
            name = str(loads(f"key = {raw}")["key"]) if raw[0] in "\"'" else raw
            segments.append(Segment(name, span))
            self._skip(_SPACE)
            if not self.text.startswith(".", self.at):
                return segments
            self.at += 1

    def _value(self, path: Path) -> Span:
        start = self.at
        first = self.text[start]
        if first == "[":
            self._list(path)
        elif first == "{":
            self._inline_table(path)
        else:
            self._skip(_STRING if first in "\"'" else _BARE)
        return Span(start, self.at)

    def _list(self, path: Path) -> None:
        self.at += 1
        index = 0
        self._skip(_BLANK)
        while self.text[self.at] != "]":
            item = (*path, index)
            span = self._value(item)
            self.places[item] = TomlPlace(span, span)
            index += 1
            self._skip_comma()
        self.at += 1

    def _inline_table(self, path: Path) -> None:
        self.at += 1
        self._skip(_BLANK)
        while self.text[self.at] != "}":
            self._assignment(path)
            self._skip_comma()
        self.at += 1

    def _skip_comma(self) -> None:
        self._skip(_BLANK)
        if self.text[self.at] == ",":
            self.at += 1
            self._skip(_BLANK)
