"""Whether JavaScript can read a regular expression, and if not, why.

Without the flags `u` and `v` a pattern is read as leniently as in browsers and Node.js. The content of set notation,
which the flag `v` allows, is not checked.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache

from rubric_core.javascript_regex.child import code_units

FLAGS = "dgimsuvy"
"""The flags that an expression may have."""
SPACES = "".join((" \t\n\v\f\r\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff", *map(chr, range(0x2000, 0x200B))))
"""The characters that `\\s` matches and `trim` removes."""
_COUNT = r"\{([0-9]+)(?:(,)([0-9]*))?\}"
_GROUP = r"\((?!\?)|\(\?(?::|(?P<look>=|!|<=|<!)|<(?P<name>[^>]*)>|[ims]*(?:-[ims]*)?:)"
_NAME = r"(?:[^\W\d]|[$_\\])(?:[\w$\\{}‌‍])*\Z"
_CAPTURE = r"(?s:\\.)|\[(?:(?s:\\.)|[^\]\\])*\]|(?P<opening>\((?:(?!\?)|\?<(?![=!])(?:(?P<name>[^>]*)>)?))"
_DIGITS = r"[1-9][0-9]*"
_NAME_REFERENCE = r"k<([^>]*)>"
_UNICODE_ESCAPE = (
    r"[\^$\\.*+?()\[\]{}|/dDsSwWbBfnrtv]|c[A-Za-z]|0(?!\d)|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{0*(?:10[0-9A-Fa-f]{4}|[0-9A-Fa-f]{1,5})\}"
    r"|[pP]\{[\w=]+\}"
)
_OCTAL = r"[0-3][0-7]{0,2}|[4-7][0-7]?"
_HEX = frozenset("0123456789abcdefABCDEF")
_CONTROL = {"b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
Character = int | str
"""The code of a character, or the letter of the escape of a set, such as `d`."""
ClassItem = Character | tuple[int, int]
"""What is in brackets: a character, a set, or the codes at both ends of a range."""
compiled = cache(re.compile)
"""Compile an expression of Python when it is first used: most files need none of them."""


def flags_problem(flags: str) -> str | None:
    """Return why flags are invalid in JavaScript; None if they are valid."""
    unknown = next((flag for flag in flags if flag not in FLAGS), None)
    if unknown is not None:
        return f"there is no flag `{unknown}`"
    repeated = next((flag for flag in flags if flags.count(flag) > 1), None)
    if repeated is not None:
        return f"the flag `{repeated}` is given twice"
    return "`u` and `v` exclude each other" if "u" in flags and "v" in flags else None


def pattern_problem(pattern: str, flags: str = "") -> str | None:
    """Return why a pattern is invalid in JavaScript; None if it is valid."""
    try:
        Reader(pattern, flags).read()
    except _UnreadableError as error:
        return str(error)
    return None


def capture_names(pattern: str) -> Iterator[str | None]:
    """Yield the name of each capturing group in order; None for a group without a name."""
    for match in compiled(_CAPTURE).finditer(pattern):
        if match["opening"] is not None:
            yield match["name"]


class _UnreadableError(Exception):
    """The reason why a pattern cannot be read."""


class Reader:
    """Reads a pattern once, from left to right; a subclass handles the parts.

    Without the flags `u` and `v`, `pattern` has one character for each 16-bit unit. `captures` has the names of the
    capturing groups, if they are needed.
    """

    def __init__(self, pattern: str, flags: str) -> None:
        self.flags = flags
        self.is_strict = "u" in flags or "v" in flags
        self.pattern = pattern if self.is_strict else code_units(pattern)
        self.captures = list(capture_names(self.pattern)) if self.is_strict or "(?<" in self.pattern else []
        self.at = 0
        self._is_repeatable = False
        # For each open group, whether a quantifier may follow its end.
        self._open_groups: list[bool] = []

    # Hooks for the parts of a pattern.

    def character(self, character: Character) -> None:
        """Read a character or a set."""

    def sign(self, written: str) -> None:
        r"""Read `.`, `^`, `$`, `|`, `\b` or `\B`."""

    def reference(self, number: str) -> None:
        """Read a reference to a group."""

    def brackets(self, items: list[ClassItem], *, is_negated: bool) -> None:
        """Read a class."""

    def group(self, opening: str, name: str | None) -> None:
        """Read the start of a group."""

    def group_end(self) -> None:
        """Read the end of a group."""

    def quantifier(self, written: str, *, is_many: bool) -> None:
        """Read a quantifier; `is_many` means that it may repeat more than once."""

    def legacy(self, reason: str) -> None:
        """Read an escape that only browsers and Node.js know."""

    def check_range(self, first: int, last: int) -> None:
        """Refuse a range that is out of order."""
        if first > last:
            raise _UnreadableError("a range in brackets is out of order")

    def code_of(self, character: str) -> int:
        """Return the code of a literal character."""
        return ord(character)

    def read(self) -> None:
        """Read the pattern; raise the first reason why it cannot be read."""
        names = [name for name in self.captures if name is not None]
        if len(names) > len(set(names)) and "|" not in self.pattern:
            raise _UnreadableError("two groups have the same name")
        readers = {"\\": self._escape, "[": self._class, "(": self._open, ")": self._close, "{": self._brace}
        while self.at < len(self.pattern):
            character = self.pattern[self.at]
            if character in readers:
                readers[character]()
            elif character in "*+?":
                self._repeat(character, is_many=character != "?")
            elif self.is_strict and character in "]}":
                raise _UnreadableError(
                    f"with the flag `u` or `v` a `{character}` alone must be written as `\\{character}`"
                )
            else:
                self._plain(character)
        if self._open_groups:
            raise _UnreadableError("a group, `(`, is never closed")

    def _plain(self, character: str) -> None:
        self.at += 1
        self._is_repeatable = character not in "^$|"
        if character in ".^$|":
            self.sign(character)
        else:
            self.character(self.code_of(character))

    def _repeat(self, written: str, *, is_many: bool) -> None:
        if not self._is_repeatable:
            raise _UnreadableError(f"there is nothing that `{written}` could repeat")
        self.at += len(written)
        is_lazy = self.pattern.startswith("?", self.at)
        self.at += is_lazy
        self._is_repeatable = False
        self.quantifier(written + "?" * is_lazy, is_many=is_many)

    def _brace(self) -> None:
        count = compiled(_COUNT).match(self.pattern, self.at)
        if count is None:
            if self.is_strict:
                raise _UnreadableError("with the flag `u` or `v` a `{` alone must be written as `\\{`")
            self._plain("{")
            return
        low, comma, high = count.groups()
        # Python's int refuses thousands of digits, and Decimal does not.
        if high and Decimal(high) < Decimal(low):
            raise _UnreadableError(f"the numbers of `{count.group()}` are out of order")
        self._repeat(count.group(), is_many=(high or low) != "1" or bool(comma and not high))

    def _open(self) -> None:
        group = compiled(_GROUP).match(self.pattern, self.at)
        if group is None or group.group().startswith("(?-:"):
            raise _UnreadableError(f"there is no kind of group `{self.pattern[self.at : self.at + 4]}`")
        name, look = group["name"], group["look"]
        if name is not None and not compiled(_NAME).match(name):
            raise _UnreadableError(f"`{name}` cannot be the name of a group")
        self._open_groups.append(look is None or (look in "=!" and not self.is_strict))
        self.at, self._is_repeatable = group.end(), False
        self.group(group.group(), name)

    def _close(self) -> None:
        if not self._open_groups:
            raise _UnreadableError("a `)` has no `(` before it")
        self._is_repeatable = self._open_groups.pop()
        self.at += 1
        self.group_end()

    def _escape(self) -> None:
        letter = self.pattern[self.at + 1 : self.at + 2]
        digits = compiled(_DIGITS).match(self.pattern, self.at + 1)
        self._is_repeatable = letter not in "bB"
        if letter == "k" and (self.is_strict or any(self.captures)):
            named = compiled(_NAME_REFERENCE).match(self.pattern, self.at + 1)
            if named is None or named[1] not in self.captures:
                raise _UnreadableError("`\\k` names no group")
            self.at = named.end()
            self.reference(str(self.captures.index(named[1]) + 1))
        elif digits and (not self.is_strict or Decimal(digits.group()) <= len(self.captures)):
            self.at = digits.end()
            self.reference(digits.group())
        elif letter and letter in "bB":
            self.at += 2
            self.sign(f"\\{letter}")
        else:
            self.character(self._escaped(is_in_class=False))

    def _escaped(self, *, is_in_class: bool) -> Character:
        """Read an escape, and return the code of its character or the letter of its set."""
        letter = self.pattern[self.at + 1 : self.at + 2]
        if not letter:
            raise _UnreadableError("it ends with a backslash")
        strict = compiled(_UNICODE_ESCAPE).match(self.pattern, self.at + 1) if self.is_strict else None
        is_refused = strict is None or (is_in_class and letter == "B")
        if self.is_strict and is_refused and not (is_in_class and letter == "-"):
            raise _UnreadableError(f"with the flag `u` or `v` there is no `\\{letter}`")
        self.at += 2
        if strict is not None and letter in "pP":
            self.at = strict.end()
            return letter
        if letter in "dDsSwW":
            return letter
        if letter in "xu":
            return self._coded(letter)
        if letter == "c":
            return self._control(is_in_class=is_in_class)
        if letter == "0" or (is_in_class and letter in "123456789"):
            return self._octal(letter)
        return _CONTROL[letter] if letter in _CONTROL else self.code_of(letter)

    def _coded(self, letter: str) -> int:
        """Return the character of `x` or `u` with digits behind it; without digits, the letter itself."""
        if letter == "u" and self.is_strict and self.pattern.startswith("{", self.at):
            start, self.at = self.at + 1, self.pattern.index("}", self.at) + 1
            return int(self.pattern[start : self.at - 1], 16)
        code = self._hexadecimal(2 if letter == "x" else 4)
        if code is not None and self.is_strict and 0xD800 <= code <= 0xDBFF and self.pattern.startswith("\\u", self.at):  # noqa: PLR2004 - the first of a pair.
            before, self.at = self.at, self.at + 2
            second = self._hexadecimal(4)
            if second is not None and 0xDC00 <= second <= 0xDFFF:  # noqa: PLR2004 - the second of a pair.
                return 0x10000 + ((code - 0xD800) << 10) + (second - 0xDC00)
            self.at = before
        return ord(letter) if code is None else code

    def _hexadecimal(self, count: int) -> int | None:
        digits = self.pattern[self.at : self.at + count]
        if len(digits) < count or not _HEX.issuperset(digits):
            return None
        self.at += count
        return int(digits, 16)

    def _control(self, *, is_in_class: bool) -> int:
        letter = self.pattern[self.at : self.at + 1]
        is_letter = letter.isascii() and letter.isalpha()
        if not is_letter:
            self.legacy("\\c without a letter is not translated")
        if is_letter or (is_in_class and letter in set("0123456789_")):
            self.at += 1
            return ord(letter) % 32
        # A backslash that starts no escape is a plain character.
        self.at -= 1
        return ord("\\")

    def _octal(self, digit: str) -> int:
        """Return the code of up to three digits of base 8, or an 8 or 9 itself."""
        if digit != "0" or self.pattern[self.at : self.at + 1].isdecimal():
            self.legacy("Octal escapes are not translated")
        digits = compiled(_OCTAL).match(self.pattern, self.at - 1)
        if digits is None:
            return ord(digit)
        self.at = digits.end()
        return int(digits.group(), 8)

    def _class(self) -> None:
        if "v" in self.flags:
            self._skip_sets()
            return
        self.at += 1
        is_negated = self.pattern.startswith("^", self.at)
        self.at += is_negated
        items: list[ClassItem] = []
        while not self.pattern.startswith("]", self.at):
            first = self._class_character()
            if not self.pattern.startswith("-", self.at) or self.pattern.startswith("-]", self.at):
                items.append(first)
                continue
            self.at += 1
            last = self._class_character()
            if isinstance(first, int) and isinstance(last, int):
                self.check_range(first, last)
                items.append((first, last))
            elif self.is_strict:
                raise _UnreadableError("a range in brackets starts or ends with a set such as `\\d`")
            else:
                items += (first, ord("-"), last)
        self.at, self._is_repeatable = self.at + 1, True
        self.brackets(items, is_negated=is_negated)

    def _class_character(self) -> Character:
        if self.at >= len(self.pattern):
            raise _UnreadableError("a class, `[`, is never closed")
        character = self.pattern[self.at]
        if character == "\\":
            return self._escaped(is_in_class=True)
        self.at += 1
        return self.code_of(character)

    def _skip_sets(self) -> None:
        depth = 0
        while self.at < len(self.pattern):
            character = self.pattern[self.at]
            self.at += 2 if character == "\\" else 1
            depth += (character == "[") - (character == "]")
            if depth == 0:
                self._is_repeatable = True
                return
        raise _UnreadableError("a class, `[`, is never closed")
