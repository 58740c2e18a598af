"""The fast path: common block-style YAML, read line by line in less than half of the time of the complete parser.

Nearly all of an eval file is `key: value` lines, dashes, one-line quoted scalars, one-line flow collections and block
scalars. Everything else (anchors, tags, multi-line quotes, tabs, errors, ...) is left to the complete parser, so this
module reports no problems. A property test compares the trees of both parsers.
"""

from sys import intern
from typing import NamedTuple

from rubric_core.syntax.flow_parser import Unsure, read_flow, read_quoted
from rubric_core.syntax.nodes import BlockScalar, Mapping, Node, Pair, PlainPair, Scalar, ScalarStyle, Sequence
from rubric_core.text.patterns import lazily

# What is before the colon of a line: indentation, a dash or none, and the key.
_HEAD = lazily(r"( *)(- +)?([A-Za-z0-9_$.][A-Za-z0-9_.$/-]*)")
# Characters that YAML forbids or that only some parsers take for line breaks.
_ODD_CHARACTER = lazily("[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_COMMON_BYTES = b"\t\n\r" + bytes(range(0x20, 0x7F))
_BLOCK_HEADER = lazily(r"[|>][+-]?(?: +(?:#.*)?)?\Z")
_AFTER_VALUE = lazily(r" *(?: #[^\r\n]*)?(?:\r\n|\n|\Z)")
_NEVER_STARTS_PLAIN = frozenset(",[]{}#&*!|>'\"%@`?:\t")
# Characters with which a line that continues a plain scalar cannot start, or where the fast path is not sure.
_ODD_CONTINUATION = _NEVER_STARTS_PLAIN | {"-"}
_AFTER_DASH = ("", " ")
_AFTER_INDICATOR = ("", " ", "\t")
_DOCUMENT_MARKERS = ("---", "...")
_MAXIMUM_KEY = 1000
_MAXIMUM_LEVELS = 60
_MOST_HEADS = 4096


_Open = tuple[Mapping | Sequence, int, dict[str, Pair] | None]


class Common(NamedTuple):
    """What was read: the root, and the mappings in which a key is repeated."""

    root: Node | None
    duplicates: tuple[Mapping, ...]


# What is before the colon of a line: the column of the dash or, without one, of the key; the dash's width; the name and
# the column of the key; and the columns behind it of an empty value and of another value. A plain tuple, because it is
# unpacked twice as fast.
_Head = tuple[int, int, str, int, int, int]
# The cases of a file repeat a few heads, so each is parsed once. Heads of lines that end with their colon have their
# own dictionary, because they are looked up with the colon.
_heads: dict[str, _Head] = {}
_bare_heads: dict[str, _Head] = {}


def parse_common(text: str) -> Common | None:
    """Read a text of the common kind; None if the complete parser has to read it."""
    line_break = "\n"
    if "\r" in text:
        line_break = "\r\n"
        if not text.count("\r") == text.count("\n") == text.count(line_break):
            return None
    if has_odd_character(text):
        return None
    try:
        return _read(text, line_break)
    except Unsure:
        return None


def has_odd_character(text: str) -> bool:
    """Return whether a text has a character that only the complete parser reads."""
    # Deleting the common bytes is several times faster than a search, and it leaves little or nothing to search.
    rest = text.encode("utf-8", "surrogatepass").translate(None, _COMMON_BYTES)
    return bool(rest) and _ODD_CHARACTER.search(rest.decode("utf-8", "surrogatepass")) is not None


def _read_head(head: str, heads: dict[str, _Head], written: str) -> _Head | None:
    """Read what is before the colon of a line, and cache it in `heads` by `written`; None if that is no key."""
    match = _HEAD.fullmatch(head)
    if match is None:
        return None
    indentation, dash, name = match.groups("")
    if len(name) > _MAXIMUM_KEY:
        raise Unsure
    if len(heads) >= _MOST_HEADS:
        heads.clear()
    # Equal keys are one string: its hash is computed once, and comparing it is comparing addresses.
    key_column = len(indentation) + len(dash)
    after = key_column + len(name) + 1
    result = heads[written] = (len(indentation), len(dash), intern(name), key_column, after, after + 1)
    return result


def _read(text: str, line_break: str) -> Common:  # noqa: C901, PLR0912, PLR0915 - the hot loop: a call a line doubles its time.
    """Read line after line.

    `top` is the innermost open collection, `indent` its column, and `index` its index where it is a mapping, else None;
    `outer` holds the same of those around it, innermost last. A key or dash waits for its value while `null_at`, the
    place of an empty value, is not negative; `name` and `key_at` are the last key.
    """
    root: Mapping | Sequence | None = None
    outer: list[_Open] = []
    top: Mapping | Sequence | None = None
    indent = -1
    index: dict[str, Pair] | None = None
    name = ""
    key_at = 0
    null_at = -1
    # The end of the last value; a collection ends where its last value does.
    last_end = 0
    # The plain scalar that a deeper line would continue, and the blank lines seen since.
    last_plain: Scalar | None = None
    blanks = 0
    # Plain scalars of several lines, with the lines; these are joined at the end, in linear time.
    folded: list[tuple[Scalar, list[str]]] = []
    # The block scalar that is being read, and the indentation of its lines, which the first of them decides.
    block: BlockScalar | None = None
    block_lead = ""
    repeating: list[Mapping] = []
    plain = ScalarStyle.PLAIN
    new = object.__new__
    width = len(line_break)
    heads, bare_heads, never_starts_plain = _heads, _bare_heads, _NEVER_STARTS_PLAIN
    at = 0
    for line in text.split(line_break):
        line_start = at
        at += len(line) + width

        if block is not None:
            if block_lead and line.startswith(block_lead):
                continue
            content = line.lstrip(" ")
            column = len(line) - len(content)
            if not content:
                # Blank lines wider than the content would decide its indentation.
                if not block_lead and column > indent + 1:
                    raise Unsure
                continue
            if not block_lead:
                if column <= indent or content[0] == "\t":
                    raise Unsure
                block_lead = " " * column
                continue
            last_end = end_block(block, text, line_start)
            block = None

        before, colon, rest = line.partition(": ")
        if colon:
            head = heads.get(before) or _read_head(before, heads, before)
        else:
            head = bare_heads.get(line)
            if head is None and line[-1:] == ":":
                head = _read_head(line[:-1], bare_heads, line)
        if head is not None:
            column, dash, new_name, key_column, null_column, value_column = head
            value_at = line_start + value_column
            if rest and rest[0] == " ":
                value_at += len(rest)
                rest = rest.lstrip(" ")
                value_at -= len(rest)
        else:
            rest = line.lstrip(" ")
            if not rest:
                blanks += 1
                continue
            column = len(line) - len(rest)
            dash = 0
            if rest[0] == "-" and rest[1:2] in _AFTER_DASH:
                rest = rest[1:].lstrip(" ")
                dash = len(line) - column - len(rest)
            elif rest[0] == "#":
                # A comment ends a plain scalar; text that goes on behind it is for the complete parser.
                last_plain = None
                continue
            value_at = line_start + column + dash

        # Close what ends here and open what begins, so that `top` is what this line belongs to.
        if dash:
            start = line_start + column
            if null_at >= 0 and (column > indent or (column == indent and index is not None)):
                node = Sequence(start, False)
                _attach(top, name, key_at, node, repeating)
                outer.append((top, indent, index))  # type: ignore[arg-type]
                top, indent, index = node, column, None
            else:
                if null_at >= 0:
                    last_end = null_at
                    _attach(top, name, key_at, Scalar(null_at, null_at, "", plain), repeating)
                if top is None:
                    root = top = Sequence(start, False)
                    indent = column
                while indent > column:
                    if not outer:
                        raise Unsure
                    top.end = last_end
                    top, indent, index = outer.pop()
                if indent != column or index is not None:
                    raise Unsure
            null_at = start + 1
            if head is not None:
                column = key_column
                item = Mapping(line_start + column, False)
                top.items.append(item)  # type: ignore[union-attr]
                outer.append((top, indent, None))
                top, indent, index = item, column, item.index
                if len(outer) >= _MAXIMUM_LEVELS:
                    raise Unsure
        elif head is not None:
            if null_at >= 0:
                if column > indent:
                    below = Mapping(line_start + column, False)
                    _attach(top, name, key_at, below, repeating)
                    outer.append((top, indent, index))  # type: ignore[arg-type]
                    top, indent, index = below, column, below.index
                    if len(outer) >= _MAXIMUM_LEVELS:
                        raise Unsure
                else:
                    last_end = null_at
                    _attach(top, name, key_at, Scalar(null_at, null_at, "", plain), repeating)
            if indent != column or index is None:
                if top is None:
                    root = top = Mapping(line_start + column, False)
                    indent, index = column, top.index
                # A sequence may be at the column of the key that it belongs to; a key there ends it.
                while indent > column or (indent == column and index is None):
                    if not outer:
                        raise Unsure
                    top.end = last_end
                    top, indent, index = outer.pop()
                if indent != column:
                    raise Unsure
        elif column <= indent:
            raise Unsure
        elif null_at < 0:
            if last_plain is None or rest[0] in _ODD_CONTINUATION:
                raise Unsure
            more = _plain_text(rest)
            if not folded or folded[-1][0] is not last_plain:
                folded.append((last_plain, [last_plain.value]))
            folded[-1][1].append(("\n" * blanks or " ") + more)
            last_plain.end = last_end = value_at + len(more)
            blanks = 0
            if "#" in rest:
                last_plain = None
            continue

        if head is not None:
            name = new_name
            key_at = line_start + key_column
            if not rest:
                null_at = line_start + null_column
                continue
        elif not rest:
            continue
        first = rest[0]
        if first not in never_starts_plain:
            if ":" in rest or "#" in rest or first in "-." or rest[-1] in " \t":
                written = _plain_text(rest)
                value: Node = Scalar(value_at, value_at + len(written), written, plain)
                last_plain = None if "#" in rest else value  # type: ignore[assignment]
            else:
                # Set here, without a call: more than half of all nodes are such scalars and their pairs.
                value = last_plain = scalar = new(Scalar)
                scalar.start = value_at
                scalar.end = value_at + len(rest)
                scalar.value = rest
                scalar.style = plain
                scalar.meta = None
            blanks = 0
        elif first == "#":
            # Only a comment is behind the key or dash; its value may follow in the next lines.
            if head is not None:
                null_at = line_start + null_column
            continue
        elif first in "|>":
            if not _BLOCK_HEADER.match(rest):
                raise Unsure
            style = ScalarStyle.LITERAL if first == "|" else ScalarStyle.FOLDED
            block = value = BlockScalar(value_at, value_at, "", indent, style)
            block_lead = ""
            last_plain = None
        else:
            value = _read_closed(text, value_at, first, rest)
            last_plain = None
        last_end = value.end
        null_at = -1
        if index is not None:
            pair = new(PlainPair)
            pair._key = key_at  # noqa: SLF001 - see above.
            pair.name = name
            pair.value = value
            top.pairs.append(pair)  # type: ignore[union-attr]
            if name in index:
                top.duplicates.append(pair)  # type: ignore[union-attr]
                repeating.append(top)  # type: ignore[arg-type]
            else:
                index[name] = pair
        else:
            top.items.append(value)  # type: ignore[union-attr]

    if block is not None:
        if not block_lead:
            raise Unsure
        last_end = end_block(block, text, len(text))
    if null_at >= 0:
        last_end = null_at
        _attach(top, name, key_at, Scalar(null_at, null_at, "", plain), repeating)
    if top is not None:
        top.end = last_end
    for around, _, _ in outer:
        around.end = last_end
    for scalar, parts in folded:
        scalar.value = "".join(parts)
    return Common(root, tuple(dict.fromkeys(repeating)))


def _attach(owner: Mapping | Sequence | None, name: str, key_at: int, value: Node, repeating: list[Mapping]) -> None:
    """Attach a value to the key or dash that waits for it."""
    if isinstance(owner, Sequence):
        owner.items.append(value)
    elif owner is not None:
        owner.add(PlainPair(key_at, name, value))
        if owner.duplicates:
            repeating.append(owner)
    else:
        raise Unsure


def end_block(block: BlockScalar, text: str, stop: int) -> int:
    """Complete a block scalar whose content stops at an offset; return the scalar's end."""
    block.raw = text[block.start : stop]
    block.end = block.start + len(block.raw.rstrip(" \t\r\n"))
    return block.end


def is_plain_line(rest: str) -> bool:
    """Return whether the rest of a line is a plain scalar that `_read` accepts without further checks."""
    if not rest or rest[0] in _NEVER_STARTS_PLAIN or rest[0] in " -.":
        return False
    return not (":" in rest or "#" in rest or rest[-1] in " \t")


def _read_closed(text: str, start: int, first: str, rest: str) -> Node:
    """Read a quoted scalar or a flow collection from the rest of its line, on which it must end."""
    if first in "\"'":
        node: Node = read_quoted(text, start)
    elif first in "[{":
        node = read_flow(text, start)
    else:
        raise Unsure
    if node.end != start + len(rest) and not _AFTER_VALUE.match(text, node.end):
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
