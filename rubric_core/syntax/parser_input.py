"""The input of the YAML parsers: characters that they misread are replaced, without moving any offset.

The parsers differ from YAML 1.2 in some details. `restore` puts the replaced characters back into the values.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from rubric_core.syntax.syntax_errors import HALF_CHARACTER

_BYTE_ORDER_MARK = "\ufeff"
# YAML 1.1 breaks lines at the first three; the byte order mark is skipped at the start of a text only.
_MISREAD = ("\x85", "\u2028", "\u2029", _BYTE_ORDER_MARK)
_PRIVATE_USE = range(0xE000, 0xF900)

# A question mark behind a character of a word never starts a key.
_MARK_IN_WORD = re.compile(r"(?<=[^\s,\[\]{}])\?")
_COLON_IN_WORD = re.compile(r"(?<=[^\s,\[\]{}\"'&*!]):(?=[^\s,\[\]{}])")
_SURROGATE_PAIR = re.compile(r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|.)", re.DOTALL)
_PROLOGUE = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n?|\n)|%[^\r\n]*(?:\r\n?|\n))*")
_UNKNOWN_DIRECTIVE = re.compile(r"(?m)^%(?!(?:YAML|TAG)[ \t])")
_NEW_VERSION = re.compile(r"(?m)^(%YAML[ \t]+1\.)(?![12](?![0-9]))([0-9]+)")
_DOCUMENT_END = re.compile(r"\A\.\.\.(?=\s|\Z)")


@dataclass(frozen=True, slots=True)
class ParserInput:
    """The text for a parser, and the original of each character that was replaced."""

    text: str
    replaced: dict[int, str]

    def restore(self, value: str) -> str:
        """Return a value, anchor or tag as the user wrote it."""
        return value.translate(self.replaced) if self.replaced else value


def prepare_input(text: str) -> ParserInput:
    """Return the input for the parsers, without the characters that they always misread."""
    plain = text
    if text.startswith(_BYTE_ORDER_MARK):
        # A line break keeps the columns of the first line right, and the parsers do count it.
        plain = "\n" + text[1:]
    if "%YAML" in plain:
        plain = _with_known_version(plain)
    if plain.isascii():
        return _hide_question_marks(ParserInput(plain, {}))
    misread = [character for character in _MISREAD if character in plain]
    replaced: dict[int, str] = {}
    for character, stand_in in zip(misread, _free_characters(plain), strict=False):
        plain = plain.replace(character, stand_in)
        replaced[ord(stand_in)] = character
    return _hide_question_marks(ParserInput(plain, replaced))


def _hide_question_marks(prepared: ParserInput) -> ParserInput:
    """Allow `{content: Which port?}`: in braces the compiled parser ends a scalar at every question mark."""
    if "?" not in prepared.text or ("{" not in prepared.text and "[" not in prepared.text):
        return prepared
    return _hide(_MARK_IN_WORD, "?", prepared)


def _hide(pattern: re.Pattern[str], character: str, prepared: ParserInput) -> ParserInput:
    """Replace a character where a pattern matches it, unless every possible replacement is in the text."""
    stand_in = next(_free_characters(prepared.text), None)
    if stand_in is None:
        return prepared
    return ParserInput(pattern.sub(stand_in, prepared.text), {**prepared.replaced, ord(stand_in): character})


def repaired(prepared: ParserInput, problem: str) -> ParserInput:
    """Return the input without the valid YAML 1.2 that caused an error of a parser; the same for other errors."""
    repair = next((repair for fragment, repair in _REPAIRS if fragment in problem), None)
    return prepared if repair is None else repair(prepared)


def _hide_surrogates(prepared: ParserInput) -> ParserInput:
    r"""Allow JSON's `\ud83d\ude00`: each pair becomes an escape for a replacement character and one for nothing."""
    free = _free_characters(prepared.text)
    filler = next(free, "")
    stand_ins: dict[str, str] = {}

    def replacement(match: re.Match[str]) -> str:
        if match.group(1) is None or not filler:
            return match.group()
        pair = bytes.fromhex(match.group(1) + match.group(2)).decode("utf-16-be")
        stand_in = stand_ins.get(pair) or next(free, "")
        if not stand_in:
            return match.group()
        stand_ins[pair] = stand_in
        return f"\\u{ord(stand_in):04x}\\u{ord(filler):04x}"

    text = _SURROGATE_PAIR.sub(replacement, prepared.text)
    pairs = {ord(stand_in): pair for pair, stand_in in stand_ins.items()}
    return ParserInput(text, {**prepared.replaced, **pairs, **({ord(filler): ""} if pairs else {})})


def _hide_directives(prepared: ParserInput) -> ParserInput:
    """Turn unknown directives into comments: YAML requires that they are ignored."""
    prologue, rest = _parted(prepared.text)
    return ParserInput(_UNKNOWN_DIRECTIVE.sub("#", prologue) + rest, prepared.replaced)


def _hide_document_end(prepared: ParserInput) -> ParserInput:
    """Turn a `...` that ends no document into a comment."""
    prologue, rest = _parted(prepared.text)
    return ParserInput(prologue + _DOCUMENT_END.sub("#..", rest), prepared.replaced)


def _with_known_version(text: str) -> str:
    """Replace `%YAML 1.3` by a version that the parsers accept: YAML requires that later ones are tried."""
    prologue, rest = _parted(text)
    return _NEW_VERSION.sub(lambda match: match[1] + "2".zfill(len(match[2])), prologue) + rest


def _parted(text: str) -> tuple[str, str]:
    """Return the directives, comments and blank lines at the start of a text, and the rest."""
    match = _PROLOGUE.match(text)
    size = match.end() if match else 0
    return text[:size], text[size:]


def _free_characters(text: str) -> Iterator[str]:
    """Yield characters of the private use area that a text contains neither as such nor as an escape."""
    lowered = text.lower()
    for code in _PRIVATE_USE:
        if chr(code) not in text and f"{code:04x}" not in lowered:
            yield chr(code)


_REPAIRS: tuple[tuple[str, Callable[[ParserInput], ParserInput]], ...] = (
    # In brackets, as in `[https://example.org]`, the compiled parser takes every colon for the end of a key.
    ("found unexpected ':'", partial(_hide, _COLON_IN_WORD, ":")),
    (HALF_CHARACTER, _hide_surrogates),
    ("found unknown directive name", _hide_directives),
    ("node content", _hide_document_end),
)
