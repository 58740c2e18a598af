"""The fast path for flow collections and quoted scalars on one line.

Like the block parser, it raises `Unsure` if only the complete parser can decide.
"""

import re

from rubric_core.syntax.nodes import Mapping, Node, Pair, PlainPair, Scalar, ScalarStyle, Sequence
from rubric_core.text.patterns import lazily


class Unsure(Exception):  # noqa: N818 - it is no error, only a hand-over to the complete parser.
    """The text may be valid, but the fast path does not read it."""


# Scalars of several lines are left to the complete parser, which folds them.
DOUBLE_QUOTED = lazily(r'"((?:[^"\\\r\n]|\\[^\r\n])*)"')
SINGLE_QUOTED = lazily(r"'((?:[^'\r\n]|'')*)'")
_PLAIN_TEXT = r"(?:[^\s,\[\]{}:#'\"&*!|>%@`?\-]|-(?![\s,\[\]{}]))[^,\[\]{}:#\r\n\t]*"
_PLAIN = lazily(_PLAIN_TEXT)
# Nearly all entries, with the comma or bracket behind them: plain items, and plain words as keys of plain values. One
# match is several times faster than reading key, colon and value one after the other.
_PLAIN_ITEM = lazily(rf"({_PLAIN_TEXT})(?:, *|(\]))")
_PLAIN_KEY = r"([A-Za-z_][A-Za-z0-9_.-]*): +"
_PLAIN_ENTRY = lazily(rf"{_PLAIN_KEY}({_PLAIN_TEXT})(?:, *|(}}))")
_BEFORE_VALUE = lazily(_PLAIN_KEY)
# The bounds of a score range are by far the most common flow collection of an eval file.
_TWO_NUMBERS = lazily(r"\[ *([0-9]+) *, *([0-9]+) *\]")
_SPACES = lazily(r" *")
_ESCAPE = lazily(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))")
_ESCAPED = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    " ": " ", '"': '"', "/": "/", "\\": "\\", "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip
_MAXIMUM_DEPTH = 40
# Looking up a member of an Enum takes half as long as making a node.
_PLAIN_STYLE, _SINGLE_STYLE, _DOUBLE_STYLE = ScalarStyle.PLAIN, ScalarStyle.SINGLE, ScalarStyle.DOUBLE
_AFTER_KEY = (" ", "")


def read_flow(text: str, at: int, depth: int = 0) -> Node:
    """Read the flow collection, quoted or plain scalar that starts at an offset."""
    if depth > _MAXIMUM_DEPTH:
        raise Unsure
    first = text[at : at + 1]
    if first == "[":
        return _read_sequence(text, at, depth)
    if first == "{":
        return _read_mapping(text, at, depth)
    if first in {'"', "'"}:
        return read_quoted(text, at)
    match = _PLAIN.match(text, at)
    if not match:
        raise Unsure
    value = match.group().rstrip(" ")
    return Scalar(at, at + len(value), value, _PLAIN_STYLE)


def read_quoted(text: str, at: int) -> Scalar:
    """Read a quoted scalar that ends on its own line."""
    if text[at] == "'":
        match = SINGLE_QUOTED.match(text, at)
        if not match:
            raise Unsure
        return Scalar(at, match.end(), match.group(1).replace("''", "'"), _SINGLE_STYLE)
    match = DOUBLE_QUOTED.match(text, at)
    if not match:
        raise Unsure
    value = match.group(1)
    if "\\" in value:
        value = _ESCAPE.sub(_unescape, value)
    return Scalar(at, match.end(), value, _DOUBLE_STYLE)


def _unescape(match: re.Match[str]) -> str:
    code = match.group(1) or match.group(2) or match.group(3)
    if code is None:
        try:
            return _ESCAPED[match.group(4)]
        except KeyError:
            raise Unsure from None
    number = int(code, 16)
    # Half of a surrogate pair is valid in JSON and invalid in YAML, which the complete parser distinguishes.
    if 0xD800 <= number <= 0xDFFF or number > 0x10FFFF:  # noqa: PLR2004 - the surrogates and the last code point.
        raise Unsure
    return chr(number)


def _skip_spaces(text: str, at: int) -> int:
    match = _SPACES.match(text, at)
    return match.end() if match else at


def _read_sequence(text: str, at: int, depth: int) -> Sequence:
    node = Sequence(at, flow=True)
    numbers = _TWO_NUMBERS.match(text, at)
    if numbers:
        low, high = numbers.groups()
        start, end = numbers.start(1), numbers.end(2)
        node.items = [
            Scalar(start, start + len(low), low, _PLAIN_STYLE),
            Scalar(end - len(high), end, high, _PLAIN_STYLE),
        ]
        node.end = numbers.end()
        return node
    at = _skip_spaces(text, at + 1)
    while text[at : at + 1] != "]":
        match = _PLAIN_ITEM.match(text, at)
        if match:
            value, closing = match.groups()
            value = value.rstrip(" ")
            node.items.append(Scalar(at, at + len(value), value, _PLAIN_STYLE))
            at = match.end()
            if closing:
                node.end = at
                return node
            continue
        item = read_flow(text, at, depth + 1)
        node.items.append(item)
        at = _skip_spaces(text, item.end)
        at = _after_entry(text, at, "]")
    node.end = at + 1
    return node


def _read_mapping(text: str, at: int, depth: int) -> Mapping:
    node = Mapping(at, flow=True)
    at = _skip_spaces(text, at + 1)
    while text[at : at + 1] != "}":
        match = _PLAIN_ENTRY.match(text, at)
        if match:
            name, written, closing = match.groups()
            written = written.rstrip(" ")
            start = match.start(2)
            node.add(PlainPair(at, name, Scalar(start, start + len(written), written, _PLAIN_STYLE)))
            at = match.end()
            if closing:
                node.end = at
                return node
            continue
        match = _BEFORE_VALUE.match(text, at)
        if match:
            value = read_flow(text, match.end(), depth + 1)
            node.add(PlainPair(at, match[1], value))
            at = _after_entry(text, _skip_spaces(text, value.end), "}")
            continue
        key = read_flow(text, at, depth + 1)
        # Merge keys, and the rare collections as keys, are left to the complete parser.
        if not isinstance(key, Scalar) or key.value == "<<" or text[key.end : key.end + 1] != ":":
            raise Unsure
        at = key.end + 1
        if key.is_plain and text[at : at + 1] not in _AFTER_KEY:
            raise Unsure
        value = read_flow(text, _skip_spaces(text, at), depth + 1)
        node.add(Pair(key, value))
        at = _after_entry(text, _skip_spaces(text, value.end), "}")
    node.end = at + 1
    return node


def _after_entry(text: str, at: int, closing: str) -> int:
    """Return the offset behind the comma after an entry, or the offset of the closing bracket."""
    following = text[at : at + 1]
    if following == closing:
        return at
    if following != ",":
        raise Unsure
    return _skip_spaces(text, at + 1)
