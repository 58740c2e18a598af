"""Output for terminals: colours, columns, removal of unsafe characters, and texts cut to a width."""

from collections.abc import Callable, Mapping
from typing import NamedTuple
from unicodedata import category, east_asian_width

Paint = Callable[[str, str], str]

STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "hint": "bold cyan",
    "strong": "bold",
    "gutter": "bold blue",
    "related": "bold blue",
    "help": "bold green",
    "faint": "dim",
    "added": "green",
    "removed": "red",
}
"""What each style looks like, in the words of rich."""

_TAB_STOP = 4
_WIDE = 2
_FIRST_PICTURE = 0x2400
_DELETE = "\x7f"
_ZERO_WIDTH_JOINER = "\u200d"
_EMOJI_PRESENTATION = "\ufe0f"
# A byte order mark is invisible to the author.
_BYTE_ORDER_MARK = "\ufeff"
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_JOINING = frozenset({"Mn", "Me"})
# Format characters reorder or hide text on a terminal; surrogates cannot be encoded at all.
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# XML refuses these numbers, which are no characters.
_NO_CHARACTERS = frozenset("\ufffe\uffff")

ELLIPSIS = "…"
# A line of zero-width marks could be endless, so longer lines are cut.
_LONGEST_LINE = 1_000
_LONGEST_LABEL = 72


class Page(NamedTuple):
    """The output of a report: the columns of a terminal, or None if lines may have any length."""

    width: int | None = None
    has_colours: bool = False
    encoding: str | None = "utf-8"

    @property
    def paint(self) -> Paint:
        """Return the function that puts a style on a text."""
        return ansi if self.has_colours else plain


PIPE = Page()


def plain(_style: str, text: str) -> str:
    """Return the text as it is."""
    return text


def ansi(style: str, text: str) -> str:
    """Return the text in the colour of a style."""
    from rich.color import ColorSystem  # noqa: PLC0415 - output without colours does not need it.
    from rich.style import Style  # noqa: PLC0415 - the same.

    return Style.parse(STYLES[style]).render(text, color_system=ColorSystem.STANDARD)


def wants_colour(environment: Mapping[str, str], *, is_terminal: bool) -> bool:
    """Return whether to write colours: NO_COLOR wins, then FORCE_COLOR, then whether the output is a terminal."""
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return environment["FORCE_COLOR"] != "0"
    return is_terminal and environment.get("TERM") != "dumb"


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
    """Return a character, or a visible form of one that a terminal would interpret, hide or fail on."""
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


def one_line(text: str) -> str:
    """Return a text in one line, with single spaces and without characters that move or hide others."""
    return harmless(" ".join(text[:_LONGEST_LINE].split()))


def fitted(text: str, width: int) -> str:
    """Return a text in one line of at most `width` columns; an ellipsis marks a cut."""
    line = one_line(text)
    columns = lay_out(line).columns
    if columns[-1] <= width and len(text) <= _LONGEST_LINE:
        return line
    # Marks without a width, and characters after a joiner, are not separated from the character before.
    end = max((at for at in range(len(line) + 1) if columns[at] < width), default=0)
    return line[:end].rstrip() + ELLIPSIS


def shortened(text: str) -> str:
    """Return a text as a label in an outline, which has thousands of them: characters are counted, not columns."""
    line = " ".join(text[: 4 * _LONGEST_LABEL].split())
    return line if len(line) <= _LONGEST_LABEL else line[: _LONGEST_LABEL - 1].rstrip() + ELLIPSIS
