"""Whether JavaScript can read a regular expression, and if not, why.

Without the flags `u` and `v` a pattern is read as browsers and Node.js do, which take much for plain characters. Sets
in the brackets of the flag `v` are not looked into.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from rubric_core.javascript_regex.child import code_units

FLAGS = "dgimsuvy"
"""The flags that an expression may have."""
SPACES = "".join((" \t\n\v\f\r\u00a0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff", *map(chr, range(0x2000, 0x200B))))
"""The characters that `\\s` matches and `trim` removes."""
COUNT = r"\{([0-9]+)(?:(,)([0-9]*))?\}"
_GROUP = r"\(\?(?::|(?P<look>=|!|<=|<!)|<(?P<name>[^>]*)>|[ims]*(?:-[ims]*)?:)"
_NAME = r"(?:[^\W\d]|[$_\\])(?:[\w$\\{}‌‍])*\Z"
_CAPTURE = r"(?s:\\.)|\[(?:(?s:\\.)|[^\]\\])*\]|(?P<opening>\((?:(?!\?)|\?<(?![=!])(?:(?P<name>[^>]*)>)?))"
_DIGITS = r"[1-9][0-9]*"
_NAME_REFERENCE = r"k<([^>]*)>"
_UNICODE_ESCAPE = (
    r"[\^$\\.*+?()\[\]{}|/dDsSwWbBfnrtv]|c[A-Za-z]|0(?!\d)|x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|u\{0*(?:10[0-9A-Fa-f]{4}|[0-9A-Fa-f]{1,5})\}"
    r"|[pP]\{[\w=]+\}"
)
_CLASS_ESCAPE = r"x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|u\{([0-9A-Fa-f]+)\}|c([A-Za-z0-9_])|([0-7]{1,2})|[pP]\{[^}]*\}"
_CONTROL = {"b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13}
_SETS = frozenset("dDsSwWpP")
compiled = cache(re.compile)
"""Compile an expression of Python when it is first used: most files need none of them."""


def flags_problem(flags: str) -> str | None:
    """Return why JavaScript does not take these flags; None where it does."""
    unknown = next((flag for flag in flags if flag not in FLAGS), None)
    if unknown is not None:
        return f"there is no flag `{unknown}`"
    repeated = next((flag for flag in flags if flags.count(flag) > 1), None)
    if repeated is not None:
        return f"the flag `{repeated}` is given twice"
    return "`u` and `v` exclude each other" if "u" in flags and "v" in flags else None


def pattern_problem(pattern: str, flags: str = "") -> str | None:
    """Return why JavaScript cannot read a pattern; None where it can."""
    try:
        _Reader(pattern, flags).read()
    except _UnreadableError as error:
        return str(error)
    return None


def capture_names(pattern: str) -> Iterator[str | None]:
    """Yield the name of each group that captures, in their order; None for one without a name."""
    for match in compiled(_CAPTURE).finditer(pattern):
        if match["opening"] is not None:
            yield match["name"]


class _UnreadableError(Exception):
    """The reason why a pattern cannot be read."""


@dataclass
class _Reader:
    """Reads a pattern once, from the left to the right; `repeatable` states whether a quantifier may follow."""

    pattern: str
    flags: str
    at: int = 0
    repeatable: bool = False
    # For each open group, whether a quantifier may follow its end.
    groups: list[bool] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.is_strict = "u" in self.flags or "v" in self.flags
        self.has_sets = "v" in self.flags
        if not self.is_strict:
            self.pattern = code_units(self.pattern)
        captures = list(capture_names(self.pattern)) if self.is_strict or "(?<" in self.pattern else []
        self.names = [name for name in captures if name is not None]
        self.captures = len(captures)

    def read(self) -> None:
        """Go through the pattern; raise the first reason why it cannot be read."""
        if len(self.names) > len(set(self.names)) and "|" not in self.pattern:
            raise _UnreadableError("two groups have the same name")
        readers = {"\\": self._escape, "[": self._class, "(": self._open, ")": self._close, "{": self._brace}
        while self.at < len(self.pattern):
            character = self.pattern[self.at]
            if character in readers:
                readers[character]()
            elif character in "*+?":
                self._repeat(1, f"`{character}`")
            elif self.is_strict and character in "]}":
                raise _UnreadableError(
                    f"with the flag `u` or `v` a `{character}` alone must be written as `\\{character}`"
                )
            else:
                self.repeatable = character not in "^$|"
                self.at += 1
        if self.groups:
            raise _UnreadableError("a group, `(`, is never closed")

    def _repeat(self, length: int, what: str) -> None:
        if not self.repeatable:
            raise _UnreadableError(f"there is nothing that {what} could repeat")
        self.at += length
        self.at += self.pattern.startswith("?", self.at)
        self.repeatable = False

    def _brace(self) -> None:
        count = compiled(COUNT).match(self.pattern, self.at)
        if count is None:
            if self.is_strict:
                raise _UnreadableError("with the flag `u` or `v` a `{` alone must be written as `\\{`")
            self.at, self.repeatable = self.at + 1, True
            return
        if count[3] and int(count[3]) < int(count[1]):
            raise _UnreadableError(f"the numbers of `{count.group()}` are out of order")
        self._repeat(len(count.group()), f"`{count.group()}`")

    def _open(self) -> None:
        if not self.pattern.startswith("(?", self.at):
            self.groups.append(True)
            self.at, self.repeatable = self.at + 1, False
            return
        group = compiled(_GROUP).match(self.pattern, self.at)
        if group is None or group.group().startswith("(?-:"):
            raise _UnreadableError(f"there is no kind of group `{self.pattern[self.at : self.at + 4]}`")
        if group["name"] is not None and not compiled(_NAME).match(group["name"]):
            raise _UnreadableError(f"`{group['name']}` cannot be the name of a group")
        look = group["look"]
        self.groups.append(look is None or (look in "=!" and not self.is_strict))
        self.at, self.repeatable = group.end(), False

    def _close(self) -> None:
        if not self.groups:
            raise _UnreadableError("a `)` has no `(` before it")
        self.repeatable = self.groups.pop()
        self.at += 1

    def _escape(self) -> None:
        escape = self.pattern[self.at + 1 : self.at + 2]
        if not escape:
            raise _UnreadableError("it ends with a backslash")
        length = 2
        if escape == "k" and (self.names or self.is_strict):
            named = compiled(_NAME_REFERENCE).match(self.pattern, self.at + 1)
            if named is None or named[1] not in self.names:
                raise _UnreadableError("`\\k` names no group")
            length = 1 + len(named.group())
        elif self.is_strict:
            length = self._strict_escape(is_in_class=False)
        self.repeatable = escape not in "bB"
        self.at += length

    def _strict_escape(self, *, is_in_class: bool) -> int:
        """Return the length of an escape; with the flag `u` only those of a list are legal."""
        digits = compiled(_DIGITS).match(self.pattern, self.at + 1)
        if digits and not is_in_class and int(digits.group()) <= self.captures:
            return 1 + len(digits.group())
        escape = compiled(_UNICODE_ESCAPE).match(self.pattern, self.at + 1)
        if is_in_class and self.pattern[self.at + 1 : self.at + 2] == "-":
            return 2
        if escape is None or (is_in_class and escape.group() == "B"):
            written = self.pattern[self.at : self.at + 2]
            raise _UnreadableError(f"with the flag `u` or `v` there is no `{written}`")
        return 1 + len(escape.group())

    def _class(self) -> None:
        if self.has_sets:
            self._skip_sets()
            return
        self.at += 1
        self.at += self.pattern.startswith("^", self.at)
        while not self.pattern.startswith("]", self.at):
            first = self._class_character()
            is_range = self.pattern.startswith("-", self.at) and not self.pattern.startswith("-]", self.at)
            if not is_range:
                continue
            self.at += 1
            last = self._class_character()
            if first is None or last is None:
                if self.is_strict:
                    raise _UnreadableError("a range in brackets starts or ends with a set such as `\\d`")
            elif first > last:
                raise _UnreadableError("a range in brackets is out of order")
        self.at, self.repeatable = self.at + 1, True

    def _class_character(self) -> int | None:
        """Read one character of a class and return its code; None where it is a set."""
        if self.at >= len(self.pattern):
            raise _UnreadableError("a class, `[`, is never closed")
        character = self.pattern[self.at]
        if character != "\\":
            self.at += 1
            return ord(character)
        escape = self.pattern[self.at + 1 : self.at + 2]
        if not escape:
            raise _UnreadableError("it ends with a backslash")
        if self.is_strict:
            self._strict_escape(is_in_class=True)
        return self._code_of_escape(escape)

    def _code_of_escape(self, escape: str) -> int | None:
        match = compiled(_CLASS_ESCAPE).match(self.pattern, self.at + 1)
        if match is not None and (self.is_strict or not match.group().startswith(("u{", "p{", "P{"))):
            self.at += 1 + len(match.group())
            number, group = next(((text, at) for at, text in enumerate(match.groups(), 1) if text), ("", 0))
            if group == 4:  # noqa: PLR2004 - a control character.
                return ord(number) % 32
            if group == 5:  # noqa: PLR2004 - digits of base 8.
                return self._octal(number)
            # Half of a character outside of the basic plane is compared with its other half only.
            code = int(number, 16) if number else None
            return None if code is not None and self.is_strict and 0xD800 <= code <= 0xDFFF else code  # noqa: PLR2004
        if escape == "c":
            # A backslash that starts nothing is a plain character.
            self.at += 1
            return ord("\\")
        self.at += 2
        is_set = escape in _SETS and (self.is_strict or escape not in "pP")
        return None if is_set else _CONTROL.get(escape, ord(escape))

    def _octal(self, digits: str) -> int:
        """Return the code of up to three digits of base 8, the third of which is read here."""
        third = self.pattern[self.at : self.at + 1]
        if digits[0] in "0123" and len(digits) == 2 and third in tuple("01234567"):  # noqa: PLR2004 - see above.
            self.at += 1
            return int(digits + third, 8)
        return int(digits, 8)

    def _skip_sets(self) -> None:
        depth = 0
        while self.at < len(self.pattern):
            character = self.pattern[self.at]
            self.at += 2 if character == "\\" else 1
            depth += (character == "[") - (character == "]")
            if depth == 0:
                self.repeatable = True
                return
        raise _UnreadableError("a class, `[`, is never closed")
