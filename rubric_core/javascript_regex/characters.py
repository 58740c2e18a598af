"""Characters and classes of regular expressions: those of JavaScript, written for Python."""

from collections.abc import Sequence
from typing import NamedTuple

from rubric_core.javascript_regex.syntax import SPACES

_LAST_UNIT = 0xFFFF

Ranges = tuple[tuple[int, int], ...]

_DIGITS = ((0x30, 0x39),)
WORDS = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_SPACES = tuple((ord(char), ord(char)) for char in sorted(SPACES))
LINE_ENDS = ((0xA, 0xA), (0xD, 0xD), (0x2028, 0x2029))
CLASSES = {"d": _DIGITS, "w": WORDS, "s": _SPACES}


def escaped(code: int) -> str:
    """Return a character as Python's patterns have it, in a class and outside of one."""
    char = chr(code)
    return char if char.isascii() and char.isalnum() else f"\\U{code:08x}" if code > _LAST_UNIT else f"\\u{code:04x}"


class Others(NamedTuple):
    """All characters but those of some ranges."""

    ranges: Ranges


def class_of(ranges: Ranges, *, negated: bool = False) -> str:
    """Return a class of characters; one without any matches nothing, or everything where it is negated."""
    if not ranges:
        return "(?s:.)" if negated else "(?!)"
    parts = [escaped(low) if low == high else f"{escaped(low)}-{escaped(high)}" for low, high in ranges]
    return f"[{'^' if negated else ''}{''.join(parts)}]"


def class_of_items(items: Sequence[int | Ranges | Others], *, negated: bool = False) -> str:
    """Return a class of characters, ranges, and all others than some.

    The others are no ranges of a class: where case does not count, Python would find letters in them.
    """
    parts = [((part, part),) if isinstance(part, int) else part for part in items]
    ranges = tuple(pair for part in parts if not isinstance(part, Others) for pair in part)
    others = [class_of(part.ranges, negated=True) for part in parts if isinstance(part, Others)]
    if not others:
        return class_of(ranges, negated=negated)
    alternatives = "|".join([*([class_of(ranges)] if ranges else []), *others])
    return f"(?:(?!{alternatives})(?s:.))" if negated else f"(?:{alternatives})"
