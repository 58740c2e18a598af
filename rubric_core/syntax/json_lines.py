"""One line of a JSON Lines file to nodes. Not read as YAML, because JSON has other escapes."""

import json
from json.decoder import scanstring  # type: ignore[attr-defined]

from rubric_core.syntax.limits import Limits
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, ScalarStyle, Sequence, SyntaxProblem, Tree
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Span

_SPACES = " \t\r\n\ufeff"
_WHITE_SPACE = lazily(f"[{_SPACES}]*")
# Messages of the standard library that are incomplete without the position that it appends.
_REASONS = {
    "Unterminated string starting at": "the quote opened here is never closed",
    "Invalid control character at": "a control character has to be written as an escape",
}
_WORD = lazily(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null")


class _TooDeep(Exception):  # noqa: N818 - a limit, not an error of the program.
    def __init__(self, at: int) -> None:
        self.at = at


def parse_json_line(text: str, *, limits: Limits) -> Tree:
    """Return the nodes of one line, or its first problem."""
    # The line break is no part of a string that is never closed.
    text = text.rstrip(_SPACES)
    start = _skip(text, 0)
    if start == len(text):
        return Tree(None)
    try:
        node = _only_value(text, start, limits.depth)
    except json.JSONDecodeError as error:
        at = min(error.pos, len(text) - 1)
        reason = _REASONS.get(error.msg) or error.msg[:1].lower() + error.msg[1:]
        message = f"This line is not JSON: {reason}; write one object a line."
        return Tree(None, (SyntaxProblem(Span(at, at + 1), message),))
    except _TooDeep as error:
        message = f"The text is nested more than {limits.depth} levels deep, which is the limit."
        return Tree(None, (SyntaxProblem(Span(error.at, error.at + 1), message, "RB008"),))
    return Tree(node)


def _only_value(text: str, start: int, depth: int) -> Node:
    """Read the only value of a line."""
    node = _value(text, start, depth)
    end = _skip(text, node.end)
    if end < len(text):
        raise json.JSONDecodeError("Extra data", text, end)
    return node


def _skip(text: str, at: int) -> int:
    match = _WHITE_SPACE.match(text, at)
    return match.end() if match else at


def _value(text: str, at: int, depth: int) -> Node:
    first = text[at : at + 1]
    if first == '"':
        return _string(text, at)
    if depth == 0 and first in {"{", "["}:
        raise _TooDeep(at)
    if first == "{":
        return _object(text, at, depth)
    if first == "[":
        return _array(text, at, depth)
    match = _WORD.match(text, at)
    if not match:
        raise json.JSONDecodeError("Expecting value", text, at)
    return Scalar(at, match.end(), match.group(), ScalarStyle.PLAIN)


def _string(text: str, at: int) -> Scalar:
    value, end = scanstring(text, at + 1, True)
    return Scalar(at, end, value, ScalarStyle.DOUBLE)


def _object(text: str, at: int, depth: int) -> Mapping:
    node = Mapping(at, flow=True)
    at = _skip(text, at + 1)
    while text[at : at + 1] != "}":
        if text[at : at + 1] != '"':
            raise json.JSONDecodeError("Expecting a key in double quotes", text, at)
        key = _string(text, at)
        at = _skip(text, key.end)
        if text[at : at + 1] != ":":
            raise json.JSONDecodeError("Expecting ':' behind the key", text, at)
        value = _value(text, _skip(text, at + 1), depth - 1)
        node.add(Pair(key, value))
        at = _after_entry(text, value.end, "}")
    node.end = at + 1
    return node


def _array(text: str, at: int, depth: int) -> Sequence:
    node = Sequence(at, flow=True)
    at = _skip(text, at + 1)
    while text[at : at + 1] != "]":
        item = _value(text, at, depth - 1)
        node.items.append(item)
        at = _after_entry(text, item.end, "]")
    node.end = at + 1
    return node


def _after_entry(text: str, at: int, closing: str) -> int:
    """Return the offset behind the comma after an entry, or that of the closing bracket."""
    at = _skip(text, at)
    if text[at : at + 1] == closing:
        return at
    if text[at : at + 1] != ",":
        raise json.JSONDecodeError(f"Expecting ',' or '{closing}'", text, at)
    comma = at
    at = _skip(text, at + 1)
    if text[at : at + 1] == closing:
        raise json.JSONDecodeError("Trailing comma", text, comma)
    return at
