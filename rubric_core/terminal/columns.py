"""How text stands on a terminal: wide characters, tabs, and characters that a terminal must never be sent."""

from typing import NamedTuple
from unicodedata import category, east_asian_width

_TAB_STOP = 4
_WIDE = 2
_FIRST_PICTURE = 0x2400
_DELETE = "\x7f"
_ZERO_WIDTH_JOINER = "\u200d"
_EMOJI_PRESENTATION = "\ufe0f"
# A byte order mark is not part of what the author sees.
_BYTE_ORDER_MARK = "\ufeff"
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_JOINING = frozenset({"Mn", "Me"})
# Format characters reorder or hide text on a terminal; surrogates cannot be encoded at all.
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# XML refuses these numbers, which are no characters.
_NO_CHARACTERS = frozenset("\ufffe\uffff")


class Layout(NamedTuple):
    """A line as shown, and the terminal column at which each of its code points starts, the end included."""

    shown: str
    columns: tuple[int, ...] | range


def lay_out(text: str) -> Layout:
    """Return how a line looks on a terminal."""
    if text.isascii() and text.isprintable():
        return Layout(text, range(len(text) + 1))
    shown: list[str] = []
    columns = [0]
    before = ""
    for character in text:
        at = columns[-1]
        if character == "\t":
            piece = " " * (_TAB_STOP - at % _TAB_STOP)
            width = len(piece)
        else:
            piece = visible(character)
            width_before = at - columns[-2] if before else 0
            width = _width_after(before, character, width_before) if piece == character else len(piece)
        shown.append(piece)
        columns.append(at + width)
        before = character
    return Layout("".join(shown), tuple(columns))


def visible(character: str) -> str:
    """Return a character, or what stands for it if a terminal would obey it, hide it or fail on it."""
    if character in (_ZERO_WIDTH_JOINER, _EMOJI_PRESENTATION):
        return character
    if character == _BYTE_ORDER_MARK:
        return ""
    if category(character) not in _UNSAFE and character not in _NO_CHARACTERS:
        return character
    if character < " ":
        return chr(_FIRST_PICTURE + ord(character))
    if character == _DELETE:
        return "\u2421"
    return f"<U+{ord(character):04X}>"


def harmless(text: str) -> str:
    """Return a text in one line that is safe to write to a terminal."""
    return text if text.isprintable() else "".join(visible(character) for character in text)


def harmless_lines(text: str) -> str:
    """Return a text of several lines that is safe to write to a terminal."""
    return "\n".join(harmless(line.expandtabs(_TAB_STOP)) for line in text.splitlines())


def _width_after(before: str, character: str, width_before: int) -> int:
    """Return the columns of a character, which depend on what it joins."""
    if character == _EMOJI_PRESENTATION:
        # It turns a narrow symbol into a wide picture.
        return 1 if width_before == 1 else 0
    if character == _ZERO_WIDTH_JOINER or category(character) in _JOINING:
        return 0
    if before == _ZERO_WIDTH_JOINER or (ord(character) in _SKIN_TONES and width_before == _WIDE):
        return 0
    return _WIDE if east_asian_width(character) in "WF" else 1
