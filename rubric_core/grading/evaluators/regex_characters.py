"""Characters and classes of regular expressions: those of JavaScript, written for Python."""

LINE_ENDS = "\n\r\u2028\u2029"
SPACES = "".join(("\t\n\v\f\r \u00a0\u1680", *map(chr, range(0x2000, 0x200B)), "\u2028\u2029\u202f\u205f\u3000\ufeff"))
"""What JavaScript takes for white space."""

LAST_CHARACTER = 0x10FFFF
_LAST_UNIT = 0xFFFF

Ranges = tuple[tuple[int, int], ...]

_DIGITS = ((0x30, 0x39),)
WORDS = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_SPACES = tuple((ord(char), ord(char)) for char in sorted(SPACES))
CLASSES = {"d": _DIGITS, "w": WORDS, "s": _SPACES}


def units_of(char: str) -> str:
    """Return a character as the one or two units that UTF-16 has for it."""
    code = ord(char) - 0x10000
    return char if code < 0 else chr(0xD800 + (code >> 10)) + chr(0xDC00 + (code & 0x3FF))


def escaped(code: int) -> str:
    """Return a character as Python's patterns have it, in a class and outside of one."""
    char = chr(code)
    return char if char.isascii() and char.isalnum() else f"\\U{code:08x}" if code > _LAST_UNIT else f"\\u{code:04x}"


def class_of(ranges: Ranges, *, negated: bool = False) -> str:
    """Return a class of characters."""
    parts = [escaped(low) if low == high else f"{escaped(low)}-{escaped(high)}" for low, high in ranges]
    return f"[{'^' if negated else ''}{''.join(parts)}]"


def complement(ranges: Ranges) -> Ranges:
    """Return all characters that are not in some ranges, which are in order."""
    found, start = [], 0
    for low, high in ranges:
        if low > start:
            found.append((start, low - 1))
        start = high + 1
    return (*found, (start, LAST_CHARACTER))
