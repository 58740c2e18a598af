"""The fast path: block-style YAML of the common kind, read line by line.

Nearly all of an eval file is made of `key: value` lines, dashes, one-line quoted scalars, one-line flow collections
and block scalars. Reading just those takes less than half of the time that the complete parser needs. Everything else
(anchors, tags, multi-line quotes, tabs, errors, ...) raises `Unsure` inside and the complete parser decides, so this
module never has to report a problem. A property test holds the two parsers to the same tree.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rubric_core.syntax.flow_parser import Unsure, read_flow, read_quoted
from rubric_core.syntax.nodes import BlockScalar, Mapping, Node, Pair, Scalar, Sequence, Style

# One match a line, and the groups cover the whole line: offsets come from adding lengths up.
_LINES = re.compile(
    r"""
    (\ *)                                                        # indentation
    (-(?:\ +|(?=[\r\n]|\Z)))?                                    # dash
    ([A-Za-z0-9_$.][A-Za-z0-9_.$/-]*(?=:[\ \r\n]|:\Z))?          # key
    (:(?:\ +|(?=[\r\n]|\Z)))?                                    # colon
    ([^\r\n]*)                                                   # the rest: a value, a comment or nothing
    (\r?\n|\Z)                                                   # line break
    """,
    re.VERBOSE,
)
# Characters that YAML forbids or that only some parsers take for line breaks.
_ODD_CHARACTER = re.compile("[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_BLOCK_HEADER = re.compile(r"[|>][+-]?(?: +(?:#.*)?)?\Z")
_AFTER_VALUE = re.compile(r" *(?: #[^\r\n]*)?(?:\r\n|\n|\Z)")
_NEVER_STARTS_PLAIN = frozenset(",[]{}#&*!|>'\"%@`?:\t")
# What may not start a line that continues a plain scalar, or is too close to something else to be sure.
_ODD_CONTINUATION = _NEVER_STARTS_PLAIN | {"-"}
_AFTER_INDICATOR = ("", " ", "\t")
_DOCUMENT_MARKERS = ("---", "...")
_MAXIMUM_KEY = 1000
_MAXIMUM_LEVELS = 60


class Common(NamedTuple):
    """What was read: the root, and the mappings in which a key is repeated."""

    root: Node | None
    duplicates: tuple[Mapping, ...]


def parse_common(text: str) -> Common | None:
    """Read a text of the common kind; None where the complete parser has to read it."""
    if "\r" in text and text.count("\r") != text.count("\r\n"):
        return None
    if _ODD_CHARACTER.search(text):
        return None
    try:
        return _read(text)
    except Unsure:
        return None


def _read(text: str) -> Common:  # noqa: C901, PLR0912, PLR0915 - the hot loop: a call a line doubles its time.
    """Read line after line.

    `open_nodes` and `open_indents` hold the open collections, innermost last; `top` and `indent` are the innermost.
    A key or dash waits for its value while `null_at`, the place of an empty value, is not negative.
    """
    root: Mapping | Sequence | None = None
    open_nodes: list[Mapping | Sequence] = []
    open_indents: list[int] = []
    top: Mapping | Sequence | None = None
    indent = -1
    key: Scalar | None = None
    null_at = -1
    # The end of the last value; a collection ends where its last value does.
    last_end = 0
    # The plain scalar that a deeper line would continue, and the blank lines seen since.
    last_plain: Scalar | None = None
    blanks = 0
    block: BlockScalar | None = None
    block_indent = 0
    repeating: list[Mapping] = []
    plain = Style.PLAIN
    at = 0
    for indentation, dash, name, colon, rest, line_break in _LINES.findall(text):
        column = len(indentation)
        line_start = at
        start = at + column
        at = start + len(dash) + len(name) + len(colon) + len(rest) + len(line_break)

        if block is not None:
            if not (rest or colon or dash):
                # Blank lines wider than the content would decide its indentation.
                if not block_indent and column > indent + 1:
                    raise Unsure
                continue
            if not block_indent:
                if column <= indent or rest[:1] == "\t":
                    raise Unsure
                block_indent = column
            if column >= block_indent:
                continue
            last_end = _end_block(block, text, line_start)
            block = None

        if dash:
            if null_at >= 0 and (column > indent or (column == indent and key is not None)):
                node: Mapping | Sequence = Sequence(start, flow=False)
                _attach(top, key, node, repeating)
                open_nodes.append(node)
                open_indents.append(column)
                top, indent = node, column
            else:
                if null_at >= 0:
                    last_end = null_at
                    _attach(top, key, Scalar(null_at, null_at, "", plain), repeating)
                if top is None:
                    if root is not None:
                        raise Unsure
                    root = top = Sequence(start, flow=False)
                    open_nodes.append(top)
                    open_indents.append(column)
                    indent = column
                while indent > column:
                    open_nodes.pop().end = last_end
                    open_indents.pop()
                    if not open_nodes:
                        raise Unsure
                    top, indent = open_nodes[-1], open_indents[-1]
                if indent != column or not isinstance(top, Sequence):
                    raise Unsure
            key = None
            null_at = start + 1
            start += len(dash)
            column += len(dash)
            if colon:
                node = Mapping(start, flow=False)
                top.items.append(node)  # type: ignore[union-attr]
                open_nodes.append(node)
                open_indents.append(column)
                top, indent = node, column
                if len(open_nodes) > _MAXIMUM_LEVELS:
                    raise Unsure
        elif colon:
            if null_at >= 0 and column > indent:
                node = Mapping(start, flow=False)
                _attach(top, key, node, repeating)
                open_nodes.append(node)
                open_indents.append(column)
                top, indent = node, column
                if len(open_nodes) > _MAXIMUM_LEVELS:
                    raise Unsure
            else:
                if null_at >= 0:
                    last_end = null_at
                    _attach(top, key, Scalar(null_at, null_at, "", plain), repeating)
                if top is None:
                    if root is not None:
                        raise Unsure
                    root = top = Mapping(start, flow=False)
                    open_nodes.append(top)
                    open_indents.append(column)
                    indent = column
                # A sequence may stand at the column of the key that it belongs to; a key there ends it.
                while indent > column or (indent == column and isinstance(top, Sequence) and len(open_nodes) > 1):
                    open_nodes.pop().end = last_end
                    open_indents.pop()
                    if not open_nodes:
                        raise Unsure
                    top, indent = open_nodes[-1], open_indents[-1]
                if indent != column or not isinstance(top, Mapping):
                    raise Unsure
        elif not rest:
            blanks += 1
            continue
        elif rest[0] == "#":
            # A comment ends a plain scalar; text that goes on behind it is for the complete parser.
            last_plain = None
            continue
        elif column <= indent:
            raise Unsure
        elif null_at < 0:
            if last_plain is None or rest[0] in _ODD_CONTINUATION:
                raise Unsure
            more = _plain_text(rest)
            last_plain.value += ("\n" * blanks or " ") + more
            last_plain.end = last_end = start + len(more)
            blanks = 0
            if "#" in rest:
                last_plain = None
            continue

        if colon:
            null_at = start + len(name)
            key = Scalar(start, null_at, name, plain)
            start = null_at + len(colon)
            null_at += 1
            if not name or len(name) > _MAXIMUM_KEY:
                raise Unsure
        if not rest:
            continue
        first = rest[0]
        if first not in _NEVER_STARTS_PLAIN:
            if ":" in rest or "#" in rest or first in "-." or rest[-1] in " \t":
                value: Node = Scalar(start, 0, _plain_text(rest), plain)
                value.end = start + len(value.value)  # type: ignore[attr-defined]
            else:
                value = Scalar(start, start + len(rest), rest, plain)
            last_plain = None if "#" in rest else value  # type: ignore[assignment]
            blanks = 0
        elif first == "#":
            # Only a comment stands behind the key or dash; its value may follow in the next lines.
            continue
        elif first in "|>":
            if not _BLOCK_HEADER.match(rest):
                raise Unsure
            block = value = BlockScalar(start, start, "", indent, Style.LITERAL if first == "|" else Style.FOLDED)
            block_indent = 0
            last_plain = None
        else:
            value = _read_closed(text, start, first)
            last_plain = None
        last_end = value.end
        null_at = -1
        if isinstance(top, Mapping):
            pair = Pair(key, value)  # type: ignore[arg-type]
            top.pairs.append(pair)
            if key.value in top.index:  # type: ignore[union-attr]
                top.duplicates.append(pair)
                repeating.append(top)
            else:
                top.index[key.value] = pair  # type: ignore[union-attr]
        else:
            top.items.append(value)  # type: ignore[union-attr]

    if block is not None:
        if not block_indent:
            raise Unsure
        last_end = _end_block(block, text, len(text))
    if null_at >= 0:
        last_end = null_at
        _attach(top, key, Scalar(null_at, null_at, "", plain), repeating)
    for node in open_nodes:
        node.end = last_end
    return Common(root, tuple(dict.fromkeys(repeating)))


def _attach(owner: Mapping | Sequence | None, key: Scalar | None, value: Node, repeating: list[Mapping]) -> None:
    """Give the key or dash that waits its value."""
    if isinstance(owner, Sequence):
        owner.items.append(value)
    elif owner is not None and key is not None:
        owner.add(Pair(key, value))
        if owner.duplicates:
            repeating.append(owner)
    else:
        raise Unsure


def _end_block(block: BlockScalar, text: str, stop: int) -> int:
    """Complete a block scalar whose content stops at an offset; return the scalar's end."""
    block.raw = text[block.start : stop]
    block.end = block.start + len(block.raw.rstrip(" \t\r\n"))
    return block.end


def _read_closed(text: str, start: int, first: str) -> Node:
    """Read a quoted scalar or a flow collection that ends on its own line."""
    if first in "\"'":
        node: Node = read_quoted(text, start)
    elif first in "[{":
        node = read_flow(text, start)
    else:
        raise Unsure
    if not _AFTER_VALUE.match(text, node.end):
        raise Unsure
    return node


def _plain_text(rest: str) -> str:
    """Return the plain text of a line without the comment behind it."""
    if "#" in rest:
        if "\t#" in rest:
            raise Unsure
        cut = rest.find(" #")
        if cut >= 0:
            rest = rest[:cut]
    value = rest.rstrip(" \t")
    if ":" in value and (": " in value or value[-1] == ":" or ":\t" in value):
        raise Unsure
    if (value[0] == "-" and value[1:2] in _AFTER_INDICATOR) or value.startswith(_DOCUMENT_MARKERS):
        raise Unsure
    return value
