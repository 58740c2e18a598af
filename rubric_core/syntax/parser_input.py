"""The text as the YAML parsers get it: what they misread is replaced, without moving a single character.

The parsers follow YAML 1.1 in some corners where we follow YAML 1.2. The text that they get has the same length, so
that their offsets are ours; where a character was exchanged, `restore` puts it back into the values.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

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
_MINOR_VERSION = re.compile(r"(?m)^(%YAML[ \t]+1\.)([0-9]+)")
_DOCUMENT_END = re.compile(r"\.\.\.(?=\s|\Z)")
_KNOWN_MINOR_VERSIONS = {"1", "2"}


@dataclass(frozen=True, slots=True)
class ParserInput:
    """What a parser gets to read, and how to turn what it read into the user's characters."""

    text: str
    replaced: dict[int, str]

    def restore(self, value: str) -> str:
        """Return a value, anchor or tag as the user wrote it."""
        return value.translate(self.replaced) if self.replaced else value


def prepare_input(text: str) -> ParserInput:
    """Hide from the parsers what they always misread."""
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
    """Let `{content: Which port?}` pass: in braces the compiled parser ends a scalar at every question mark."""
    if "?" not in prepared.text or ("{" not in prepared.text and "[" not in prepared.text):
        return prepared
    for stand_in in islice(_free_characters(prepared.text), 1):
        return ParserInput(_MARK_IN_WORD.sub(stand_in, prepared.text), {**prepared.replaced, ord(stand_in): "?"})
    return prepared


def repaired(prepared: ParserInput, problem: str) -> ParserInput:
    """Return a prepared that gets a parser past text which it refuses and YAML 1.2 allows; or the same one."""
    for fragment, repair in _REPAIRS:
        if fragment in problem:
            return repair(prepared)
    return prepared


def _hide_colons(prepared: ParserInput) -> ParserInput:
    """Let `[https://example.org]` pass: in brackets the compiled parser takes every colon for the end of a key."""
    for stand_in in islice(_free_characters(prepared.text), 1):
        return ParserInput(_COLON_IN_WORD.sub(stand_in, prepared.text), {**prepared.replaced, ord(stand_in): ":"})
    return prepared


def _hide_surrogates(prepared: ParserInput) -> ParserInput:
    r"""Let JSON's `\ud83d\ude00` pass: each pair becomes an escape for a replacement character and one for nothing."""
    free = _free_characters(prepared.text)
    nothing = next(free, "")
    stand_ins: dict[str, str] = {}

    def replacement(match: re.Match[str]) -> str:
        if match.group(1) is None or not nothing:
            return match.group()
        pair = bytes.fromhex(match.group(1) + match.group(2)).decode("utf-16-be")
        stand_in = stand_ins.get(pair) or next(free, "")
        if not stand_in:
            return match.group()
        stand_ins[pair] = stand_in
        return f"\\u{ord(stand_in):04x}\\u{ord(nothing):04x}"

    text = _SURROGATE_PAIR.sub(replacement, prepared.text)
    pairs = {ord(stand_in): pair for pair, stand_in in stand_ins.items()}
    return ParserInput(text, {**prepared.replaced, **pairs, **({ord(nothing): ""} if pairs else {})})


def _hide_directives(prepared: ParserInput) -> ParserInput:
    """Make comments of unknown directives: YAML wants them to be ignored."""
    size = _end_of_prologue(prepared.text)
    return ParserInput(_UNKNOWN_DIRECTIVE.sub("#", prepared.text[:size]) + prepared.text[size:], prepared.replaced)


def _hide_document_end(prepared: ParserInput) -> ParserInput:
    """Make a comment of a `...` that ends no document."""
    size = _end_of_prologue(prepared.text)
    if not _DOCUMENT_END.match(prepared.text, size):
        return prepared
    return ParserInput(prepared.text[:size] + "#.." + prepared.text[size + 3 :], prepared.replaced)


def _with_known_version(text: str) -> str:
    """Make `%YAML 1.3` a version that the parsers know, since YAML wants later ones to be tried."""
    size = _end_of_prologue(text)
    return _MINOR_VERSION.sub(_known_version, text[:size]) + text[size:]


def _known_version(match: re.Match[str]) -> str:
    minor = match.group(2)
    return match.group(1) + (minor if minor in _KNOWN_MINOR_VERSIONS else "2".zfill(len(minor)))


def _end_of_prologue(text: str) -> int:
    match = _PROLOGUE.match(text)
    return match.end() if match else 0


def _free_characters(text: str) -> Iterator[str]:
    """Yield characters of the private use area that a text contains neither as such nor as an escape."""
    lowered = text.lower()
    for code in _PRIVATE_USE:
        if chr(code) not in text and f"{code:04x}" not in lowered:
            yield chr(code)


_REPAIRS: tuple[tuple[str, Callable[[ParserInput], ParserInput]], ...] = (
    ("found unexpected ':'", _hide_colons),
    (HALF_CHARACTER, _hide_surrogates),
    ("found unknown directive name", _hide_directives),
    ("node content", _hide_document_end),
)
