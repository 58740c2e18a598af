"""Translates a regular expression of JavaScript to one of Python that matches the same texts."""

import re
from decimal import Decimal
from typing import NamedTuple

from rubric_core.javascript_regex.syntax import SPACES, Character, ClassItem, Reader, capture_names

Ranges = tuple[tuple[int, int], ...]
_WORDS: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_LINE_ENDS: Ranges = ((0xA, 0xA), (0xD, 0xD), (0x2028, 0x2029))
_SETS: dict[str, Ranges] = {
    "d": ((0x30, 0x39),),
    "w": _WORDS,
    "s": tuple((ord(character), ord(character)) for character in sorted(SPACES)),
}
_LAST_UNIT = 0xFFFF
# Characters that Python, but not JavaScript, matches with others when case is ignored: with and without the flag `u`.
# They are replaced by characters that texts do not contain.
_UNEQUAL = ("\u0130\u0131", "\u0130\u0131\u017f\u212a\u1e9e")
_FIRST_STAND_IN = 0xF8F0


class UnusableRegex(Exception):  # noqa: N818 - reads as a sentence where it is caught.
    """JavaScript refuses the pattern, or Python cannot express it; the message says why, without a full stop."""


class Translation(NamedTuple):
    """A pattern of Python with its flags.

    `is_anchored` means that it matches at the start only, and `in_code_units` that it is for a text of UTF-16 units.
    `changed` has the characters to replace in the text first.
    """

    pattern: str
    flags: int
    is_anchored: bool
    in_code_units: bool
    changed: dict[int, int]


def translated(pattern: str, flags: str = "") -> Translation:
    """Translate a pattern that `pattern_problem` accepts. Raises UnusableRegex."""
    if "v" in flags:
        raise UnusableRegex("The flag v is not translated; write u")
    unequal = _UNEQUAL["u" not in flags] if "i" in flags else ""
    changed = {ord(character): _FIRST_STAND_IN + place for place, character in enumerate(unequal)}
    python = _Translator(pattern, flags, changed).translation()
    return Translation(python, re.IGNORECASE if "i" in flags else 0, "y" in flags, "u" not in flags, changed)


class _Others(NamedTuple):
    """All characters except those of some ranges."""

    ranges: Ranges


def _escaped(code: int) -> str:
    """Return a character as it is escaped in Python's patterns, in a class and outside of one."""
    character = chr(code)
    if character.isascii() and character.isalnum():
        return character
    return f"\\U{code:08x}" if code > _LAST_UNIT else f"\\u{code:04x}"


def _class_of(ranges: Ranges, *, is_negated: bool = False) -> str:
    """Return a class of characters; an empty one matches nothing, or everything if it is negated."""
    if not ranges:
        return "(?s:.)" if is_negated else "(?!)"
    parts = [_escaped(low) if low == high else f"{_escaped(low)}-{_escaped(high)}" for low, high in ranges]
    return f"[{'^' if is_negated else ''}{''.join(parts)}]"


_LINE_END = _class_of(_LINE_ENDS)
_SIGNS = {
    ".": _class_of(_LINE_ENDS, is_negated=True),
    "^": "\\A",
    "$": "\\Z",
    "|": "|",
    "\\b": "(?a:\\b)",
    "\\B": "(?!(?a:\\b))",
}


class _Translator(Reader):
    """Writes the Python pattern of the parts that it reads."""

    def __init__(self, pattern: str, flags: str, changed: dict[int, int]) -> None:
        super().__init__(pattern, flags)
        self.captures = list(capture_names(self.pattern))
        self._changed = changed
        self._written: list[str] = []
        # For each open group, the start of its translation, and its number if it captures.
        self._groups: list[tuple[int, int | None]] = []
        self._number = 0
        self._closed: set[int] = set()
        # Groups inside of a repetition, which JavaScript resets at each iteration and Python does not.
        self._repeated: set[int] = set()
        self._referred: set[int] = set()
        # The start of the last piece, which a quantifier would repeat.
        self._piece = 0
        self._signs = dict(_SIGNS)
        if "s" in flags:
            self._signs["."] = "(?s:.)"
        if "m" in flags:
            self._signs |= {"^": f"(?:\\A|(?<={_LINE_END}))", "$": f"(?={_LINE_END}|\\Z)"}

    def translation(self) -> str:
        for place, name in enumerate(self.captures):
            if name is not None and name in self.captures[:place]:
                raise UnusableRegex(f"Two groups with the name {name} cannot be translated")
        self.read()
        if self._repeated & self._referred:
            raise UnusableRegex("A reference to a group inside of what is repeated cannot be translated")
        return "".join(self._written)

    def _write(self, piece: str) -> None:
        self._piece = len(self._written)
        self._written.append(piece)

    def code_of(self, character: str) -> int:
        return self._changed.get(ord(character), ord(character))

    def character(self, character: Character) -> None:
        self._write(_escaped(character) if isinstance(character, int) else self._brackets([character]))

    def sign(self, written: str) -> None:
        self._write(self._signs[written])

    def reference(self, number: str) -> None:
        """Write a reference: for a group that did not match, JavaScript matches the empty text, and Python fails."""
        if Decimal(number) > len(self.captures):
            raise UnusableRegex(f"\\{number} names no group, and is no character that can be translated")
        group = int(number)
        if group not in self._closed:
            raise UnusableRegex(f"\\{group} stands before the end of its group, which cannot be translated")
        self._referred.add(group)
        self._write(f"(?:(?({group})\\{group}|))")

    def legacy(self, reason: str) -> None:
        raise UnusableRegex(reason)

    def group(self, opening: str, name: str | None) -> None:
        is_capture = opening == "(" or name is not None
        if not is_capture and opening not in {"(?:", "(?=", "(?!", "(?<=", "(?<!"}:
            raise UnusableRegex("A group that starts like this cannot be translated")
        self._number += is_capture
        self._groups.append((len(self._written), self._number if is_capture else None))
        self._write("(" if is_capture else opening)

    def group_end(self) -> None:
        self._piece, number = self._groups.pop()
        self._written.append(")")
        if number is not None:
            self._closed.add(number)

    def quantifier(self, written: str, *, is_many: bool) -> None:
        if is_many:
            # In the translation, only groups have brackets that are not escaped.
            before = len(re.findall(r"\((?!\?)", "".join(self._written[: self._piece])))
            is_capture = self._written[self._piece] == "("
            self._repeated |= set(range(before + 1 + is_capture, self._number + 1))
        # A group of its own separates two quantifiers, which Python would read as one of another kind.
        self._written[self._piece :] = [f"(?:{''.join(self._written[self._piece :])})", written]

    def check_range(self, first: int, last: int) -> None:
        """Accept a range: `pattern_problem` has compared its ends, one of which may be replaced here."""

    def brackets(self, items: list[ClassItem], *, is_negated: bool) -> None:
        self._write(self._brackets(items, is_negated=is_negated))

    def _brackets(self, items: list[ClassItem], *, is_negated: bool = False) -> str:
        """Return a class of characters, ranges and sets.

        Complements are not written as ranges in it: when case is ignored, Python would match letters in them.
        """
        sets = [self._set(item) for item in items]
        ranges = tuple(pair for part in sets if not isinstance(part, _Others) for pair in part)
        others = [_class_of(part.ranges, is_negated=True) for part in sets if isinstance(part, _Others)]
        if not others:
            return _class_of(ranges, is_negated=is_negated)
        alternatives = "|".join([*([_class_of(ranges)] if ranges else []), *others])
        return f"(?:(?!{alternatives})(?s:.))" if is_negated else f"(?:{alternatives})"

    def _set(self, item: ClassItem) -> Ranges | _Others:
        if isinstance(item, int):
            return ((item, item),)
        if isinstance(item, tuple):
            if item[0] > item[1]:
                raise UnusableRegex("A range from U+0130, U+0131 or U+017F is not translated with the flag i")
            return (item,)
        if item in "pP":
            raise UnusableRegex(f"Properties of characters, \\{item}, are not translated")
        ranges = _SETS[item.lower()]
        if item in "wW" and {"i", "u"} <= set(self.flags):
            ranges = (*ranges, (0x17F, 0x17F), (0x212A, 0x212A))
        return ranges if item.islower() else _Others(ranges)
