"""From a regular expression that JavaScript can read to one of Python that matches the same texts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from rubric_core.javascript_regex.characters import (
    CLASSES,
    LINE_ENDS,
    WORDS,
    Others,
    Ranges,
    class_of,
    class_of_items,
    escaped,
)
from rubric_core.javascript_regex.child import code_units
from rubric_core.javascript_regex.syntax import COUNT, capture_names, compiled

_CONTROLS = {"n": "\n", "r": "\r", "t": "\t", "v": "\v", "f": "\f"}
_HEX = frozenset("0123456789abcdefABCDEF")
_NAME = re.compile(r"<([^>]*)>")
# Characters that Python takes for equal to others where case does not count, and JavaScript does not: with and without
# the flag `u`. They are replaced by characters that texts do not contain.
_UNEQUAL = ("\u0130\u0131", "\u0130\u0131\u017f\u212a\u1e9e")
_FIRST_STAND_IN = 0xF8F0


class UntranslatableRegex(Exception):  # noqa: N818 - reads as a sentence where it is caught.
    """Python cannot express the pattern; the message says what of it."""


class Translation(NamedTuple):
    """A pattern of Python with its flags.

    `is_anchored` means that it matches at the start only, and `in_code_units` that it is for a text of UTF-16 units.
    `changed` has the characters that are replaced in the text before.
    """

    pattern: str
    flags: int
    is_anchored: bool
    in_code_units: bool
    changed: dict[int, int]


def translated(pattern: str, flags: str = "") -> Translation:
    """Translate a pattern in which `pattern_problem` finds nothing. Raises UntranslatableRegex."""
    if "v" in flags:
        raise UntranslatableRegex("The flag v is not translated; write u")
    is_unicode = "u" in flags
    changed: dict[int, int] = {}
    if "i" in flags:
        unequal = _UNEQUAL[0] if is_unicode else _UNEQUAL[1]
        changed = {ord(char): _FIRST_STAND_IN + place for place, char in enumerate(unequal)}
    source = pattern.translate(changed)
    if not is_unicode:
        source = code_units(source)
    python = _Translator(source, flags).pattern()
    return Translation(python, re.IGNORECASE if "i" in flags else 0, "y" in flags, not is_unicode, changed)


class _Group(NamedTuple):
    """A group that is open: its number where it captures, where its translation starts, and what may follow it."""

    number: int | None
    start: int
    is_lookahead: bool = False
    is_lookbehind: bool = False


class _Translator:
    """Reads a pattern from left to right, and writes the one of Python."""

    def __init__(self, source: str, flags: str) -> None:
        self.source = source
        self.flags = flags
        self.is_unicode = "u" in flags
        self.at = 0
        self.written: list[str] = []
        self.open: list[_Group] = []
        self.names, self.groups = self._survey()
        self.number = 0
        self.closed: set[int] = set()
        # Groups that are in what is repeated: JavaScript forgets them with each repetition, and Python does not.
        self.repeated: set[int] = set()
        self.referred: set[int] = set()
        # Where the last piece starts that a quantifier can be behind; None where there is none.
        self.piece: int | None = None

    def pattern(self) -> str:
        while self.at < len(self.source):
            char = self.source[self.at]
            self.at += 1
            step = _STEPS.get(char)
            if step is None:
                self._literal(ord(char))
            else:
                step(self)
        if self.repeated & self.referred:
            raise UntranslatableRegex("A reference to a group inside of what is repeated cannot be translated")
        return "".join(self.written)

    def _survey(self) -> tuple[dict[str, int], int]:
        """Return the numbers of the groups with names, and how many groups capture."""
        names: dict[str, int] = {}
        number = 0
        for number, name in enumerate(capture_names(self.source), start=1):
            if name in names:
                raise UntranslatableRegex(f"Two groups with the name {name} cannot be translated")
            if name is not None:
                names[name] = number
        return names, number

    def _write(self, piece: str, *, can_repeat: bool = True) -> None:
        self.piece = len(self.written) if can_repeat else None
        self.written.append(piece)

    def _literal(self, code: int) -> None:
        self._write(escaped(code))

    def dot(self) -> None:
        self._write("(?s:.)" if "s" in self.flags else class_of(LINE_ENDS, negated=True))

    def start(self) -> None:
        self._write(f"(?:\\A|(?<={class_of(LINE_ENDS)}))" if "m" in self.flags else "\\A", can_repeat=False)

    def stop(self) -> None:
        self._write(f"(?={class_of(LINE_ENDS)}|\\Z)" if "m" in self.flags else "\\Z", can_repeat=False)

    def alternative(self) -> None:
        self._write("|", can_repeat=False)

    def open_(self) -> None:
        rest = self.source[self.at :]
        start = len(self.written)
        for opening in ("?:", "?=", "?!", "?<=", "?<!"):
            if rest.startswith(opening):
                self.at += len(opening)
                is_behind = opening.startswith("?<")
                self.open.append(_Group(None, start, opening in {"?=", "?!"}, is_behind))
                self._write(f"({opening}", can_repeat=False)
                return
        if rest.startswith("?"):
            name = _NAME.match(rest, 1)
            if name is None:
                raise UntranslatableRegex("A group that starts like this cannot be translated")
            self.at += name.end()
        self.number += 1
        self.open.append(_Group(self.number, start))
        self._write("(", can_repeat=False)

    def close_(self) -> None:
        group = self.open.pop()
        self.written.append(")")
        if group.number is not None:
            self.closed.add(group.number)
        can_repeat = not group.is_lookbehind and not (group.is_lookahead and self.is_unicode)
        self.piece = group.start if can_repeat else None

    def brace(self) -> None:
        count = compiled(COUNT).match(self.source, self.at - 1)
        if count is None:
            self._literal(ord("{"))
            return
        self.at = count.end()
        low, comma, high = count.groups()
        self.quantify(f"{{{low}{comma or ''}{high or ''}}}", is_many=(high or low) != "1" or bool(comma and not high))

    def quantify(self, quantifier: str, *, is_many: bool = True) -> None:
        assert self.piece is not None  # noqa: S101 - the pattern was read before.
        if self.source.startswith("?", self.at):
            self.at += 1
            quantifier += "?"
        if is_many:
            text = "".join(self.written[: self.piece])
            before = _captures(text)
            self.repeated |= set(range(before + 1, self.number + 1)) - ({before + 1} if self._is_capture() else set())
        # A group of its own keeps two quantifiers apart, and one from what Python would read it as.
        self.written[self.piece :] = [f"(?:{''.join(self.written[self.piece :])})", quantifier]
        self.piece = None

    def _is_capture(self) -> bool:
        assert self.piece is not None  # noqa: S101 - callers check this.
        return self.written[self.piece] == "("

    def escape(self) -> None:
        char = self._next()
        if char in "bB":
            self._write("(?a:\\b)" if char == "b" else "(?!(?a:\\b))", can_repeat=False)
        elif char in "123456789":
            self.at -= 1
            digits = re.match(r"[0-9]+", self.source[self.at :])
            assert digits is not None  # noqa: S101 - there is one.
            self.at += len(digits[0])
            self._refer(int(digits[0]))
        elif char == "k" and (self.names or self.is_unicode):
            name = _NAME.match(self.source, self.at)
            assert name is not None  # noqa: S101 - the pattern was read before.
            self.at = name.end()
            self._refer(self.names[name[1]])
        else:
            meaning = self._character(char)
            if isinstance(meaning, int):
                self._literal(meaning)
            else:
                self._write(class_of_items([meaning]))

    def _refer(self, number: int) -> None:
        """Write a reference: JavaScript matches nothing where the group did not take part, and Python fails."""
        if number > self.groups:
            raise UntranslatableRegex(f"\\{number} names no group, and is no character that can be translated")
        if number not in self.closed:
            raise UntranslatableRegex(f"\\{number} stands before the end of its group, which cannot be translated")
        self.referred.add(number)
        self._write(f"(?:(?({number})\\{number}|))")

    def _next(self) -> str:
        self.at += 1
        return self.source[self.at - 1]

    def _character(self, char: str, *, in_class: bool = False) -> int | Ranges | Others:
        """Return the character, or the class of characters, that an escape means."""
        if char.lower() in CLASSES:
            ranges = self._words() if char.lower() == "w" else CLASSES[char.lower()]
            return ranges if char.islower() else Others(ranges)
        if char in _CONTROLS:
            return ord(_CONTROLS[char])
        if char == "0":
            if self.source[self.at : self.at + 1].isdecimal():
                raise UntranslatableRegex("Octal escapes are not translated")
            return 0
        if char == "c":
            letter = self.source[self.at : self.at + 1]
            if not (letter.isascii() and letter.isalpha()):
                raise UntranslatableRegex("\\c without a letter is not translated")
            self.at += 1
            return ord(letter) % 32
        if char in "xu":
            code = self._coded(char)
            if code is not None:
                return code
        if char in "pP" and self.is_unicode:
            raise UntranslatableRegex(f"Properties of characters, \\{char}, are not translated")
        if in_class and char in "123456789":
            raise UntranslatableRegex("Octal escapes are not translated")
        return ord(char)

    def _words(self) -> Ranges:
        return (*WORDS, (0x17F, 0x17F), (0x212A, 0x212A)) if {"i", "u"} <= set(self.flags) else WORDS

    def _coded(self, char: str) -> int | None:
        """Return the character of `x` and `u` with digits behind them; None where there are none, so it is a letter."""
        if char == "u" and self.is_unicode and self.source.startswith("{", self.at):
            end = self.source.find("}", self.at)
            digits = self.source[self.at + 1 : end]
            self.at = end + 1
            return int(digits, 16)
        code = self._hexadecimal(2 if char == "x" else 4)
        if code is None or not self.is_unicode or not 0xD800 <= code <= 0xDBFF:  # noqa: PLR2004 - the first of a pair.
            return code
        before = self.at
        if self.source.startswith("\\u", self.at):
            self.at += 2
            second = self._hexadecimal(4)
            if second is not None and 0xDC00 <= second <= 0xDFFF:  # noqa: PLR2004 - the second of a pair.
                return 0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00)
        self.at = before
        return code

    def _hexadecimal(self, count: int) -> int | None:
        digits = self.source[self.at : self.at + count]
        if len(digits) < count or not _HEX.issuperset(digits):
            return None
        self.at += count
        return int(digits, 16)

    def class_(self) -> None:
        negated = self.source.startswith("^", self.at)
        self.at += negated
        items: list[int | Ranges | Others] = []
        while not self.source.startswith("]", self.at):
            item = self._class_item()
            is_range = self.source.startswith("-", self.at) and not self.source.startswith("-]", self.at)
            if not is_range:
                items.append(item)
                continue
            self.at += 1
            other = self._class_item()
            if isinstance(item, int) and isinstance(other, int):
                if item > other:  # Only where the first was replaced: `pattern_problem` compares the others.
                    raise UntranslatableRegex("A range from U+0130, U+0131 or U+017F is not translated with the flag i")
                items.append(((item, other),))
            else:
                items += (item, ord("-"), other)
        self.at += 1
        self._write(class_of_items(items, negated=negated))

    def _class_item(self) -> int | Ranges | Others:
        char = self._next()
        if char != "\\":
            return ord(char)
        char = self._next()
        return ord("\b") if char == "b" else self._character(char, in_class=True)


def _captures(written: str) -> int:
    """Return how many capturing groups a translation opens; what it does not mean so is escaped."""
    return len(re.findall(r"\((?!\?)", written))


_STEPS: dict[str, Callable[[_Translator], None]] = {
    "\\": _Translator.escape,
    "^": _Translator.start,
    "$": _Translator.stop,
    ".": _Translator.dot,
    "|": _Translator.alternative,
    "(": _Translator.open_,
    ")": _Translator.close_,
    "[": _Translator.class_,
    "{": _Translator.brace,
    "*": lambda self: self.quantify("*"),
    "+": lambda self: self.quantify("+"),
    "?": lambda self: self.quantify("?", is_many=False),
}
"""What each character of the syntax does; any other is a literal."""
