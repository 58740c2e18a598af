"""Small text edits that change one thing and keep every other byte: insert, rename, replace, remove.

Every function takes the text that the nodes were parsed from. What it inserts follows the text's own style: its
indentation, its line breaks, block or flow, YAML or JSON. A function returns None if the edit would lose a comment or
is impossible in this style.
"""

import json
from decimal import Decimal
from typing import Union

from rubric_core.syntax.comments import comments_in
from rubric_core.syntax.nodes import BlockScalar, Mapping, Node, Pair, Scalar, ScalarStyle, Sequence
from rubric_core.syntax.parse import parse
from rubric_core.syntax.scalars import ScalarKind, YamlVersion, resolve
from rubric_core.text.lines import line_break_of, line_end, line_start, next_line
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit, Span

# What can be inserted: scalars, and lists and mappings of them.
Data = Union[str, int, bool, "Decimal", None, list["Data"], dict[str | int, "Data"]]

# What ends a plain scalar or changes its type: a colon before a space, a comment, a first character that is an
# indicator of YAML. A dash, a question mark or a colon may come first if text follows directly.
_NOT_PLAIN = lazily(r"[\s,\[\]{}#&*!|>'\"%@`]|[-?:](?:\s|\Z)|.*(?::(?:\s|\Z)|\s#)")
# In brackets, some parsers end a key at every colon, and start one at every question mark.
_NOT_PLAIN_IN_FLOW = lazily(r"[-?:]|.*[,\[\]{}:?]")
# YAML 1.1 has types that this project treats as text: dates, the merge key and the default value.
_OTHER_TYPE = lazily(r"\d{4}-\d\d?-\d\d?|(?:<<|=)\Z")
# Characters that are invalid in YAML, or a line break for some parsers; JSON's writer does not escape them.
_TO_ESCAPE = lazily("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
# From the start of a line to a dash that only an anchor, a tag or a comment follows.
_TO_DASH = lazily(r"\ufeff?[ ?-]*?(-)(?:[ \t]+[&!][^ \t\r\n]*)*[ \t]*(?:(?<=[ \t])#[^\r\n]*)?[\r\n]*\Z")
_TO_NEXT_ENTRY = lazily(r"[ \t\r\n]*,[ \t\r\n]*")
_PROPERTY = lazily(r"(?:\A|[ \t\r\n,])[&!][^ \t\r\n]*\Z")
_BYTE_ORDER_MARK = "\ufeff"
_SPACE_BEFORE_COMMENT = lazily(r"[ \t]+(?=#)")


def read_data(text: str) -> Data:
    """Return the data of a YAML text, such as a placeholder of the table of fields."""
    root = parse(text).root
    return None if root is None else _data_of(root)


def _data_of(node: Node) -> Data:
    if isinstance(node, Mapping):
        return {pair.name or "": _data_of(pair.value) for pair in node.pairs}
    if isinstance(node, Sequence):
        return [_data_of(item) for item in node.items]
    return resolve(node).value if isinstance(node, Scalar) else None


def render(value: Data, *, flow: bool = False, as_json: bool = False) -> str:
    """Return data as YAML on one line, or as JSON."""
    if as_json:
        return _escaped(json.dumps(value, ensure_ascii=False, default=float))
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{render(key, flow=True)}: {render(item, flow=True)}" for key, item in value.items()) + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(render(item, flow=True) for item in value) + "]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return render_text(value, flow=flow) if isinstance(value, str) else str(value)


def render_text(text: str, *, flow: bool = False) -> str:
    """Return text as a scalar: plain if every YAML parser reads it as the same string, else quoted."""
    return text if is_plain(text, flow=flow) else _quoted(text)


def is_plain(text: str, *, flow: bool = False) -> bool:
    """Return whether text needs no quotes; `flow` means that it is in brackets."""
    if not text or not text.isprintable() or text[-1].isspace() or _NOT_PLAIN.match(text) or _OTHER_TYPE.match(text):
        return False
    if flow and _NOT_PLAIN_IN_FLOW.match(text):
        return False
    plain = Scalar(0, 0, text, ScalarStyle.PLAIN)
    return all(resolve(plain, version).kind is ScalarKind.STRING for version in YamlVersion)


def _quoted(text: str) -> str:
    """Return text in double quotes, valid in both JSON and YAML."""
    return _escaped(json.dumps(text, ensure_ascii=False))


def _escaped(written: str) -> str:
    return _TO_ESCAPE.sub(lambda match: f"\\u{ord(match.group()):04x}", written)


def column_of(text: str, offset: int) -> int:
    """Return the column of an offset; a byte order mark takes none."""
    start = line_start(text, offset)
    return offset - start - text.startswith(_BYTE_ORDER_MARK, start)


def is_json(mapping: Mapping) -> bool:
    """Return whether a mapping is written as JSON: in braces, with every key in double quotes."""
    keys = [pair.key for pair in mapping.pairs]
    return (
        mapping.flow and bool(keys) and all(isinstance(key, Scalar) and key.style is ScalarStyle.DOUBLE for key in keys)
    )


def rename_key(pair: Pair, name: str) -> Edit:
    """Rename a key and keep its quotes."""
    key = pair.key
    in_quotes = isinstance(key, Scalar) and key.style in {ScalarStyle.SINGLE, ScalarStyle.DOUBLE}
    return Edit(key.start, key.end, render_like(key, name) if in_quotes else render_text(name, flow=True))


def replace_node(node: Node, value: str) -> Edit:
    """Replace the text of a node."""
    # An empty value is directly behind its colon or dash.
    return Edit(node.start, node.end, value if node.end > node.start else f" {value}")


def insert_key(  # noqa: PLR0913 - where, what, and how it is written.
    text: str,
    mapping: Mapping,
    key: str | int,
    value: Data,
    *,
    after: Pair | None = None,
    lines: list[str] | None = None,
) -> Edit | None:
    """Insert `key: value` behind a pair of a mapping (the last own one if none is given).

    `lines`, if given, is the value as block-style lines for a block mapping, indented relative to the key.
    """
    own = own_pairs(mapping)
    if mapping.flow:
        return _insert_flow_key(mapping, own, key, value, after)
    behind = after or (own[-1] if own else None)
    if behind is None or is_merged(mapping, behind):
        return None
    last = last_leaf(behind.value)
    if isinstance(last, BlockScalar) and last.keeps_blank_lines:
        return None
    # A key behind an anchor, a tag or `?` is not in the column of the others.
    columns = [column_of(text, pair.key.start) for pair in own if not _before(text, pair.key).strip(" -")]
    if not columns:
        return None
    indent = " " * columns[0]
    name = render(key, flow=True)
    written = [f"{name}:", *lines] if lines is not None else [f"{name}: {render(value)}"]
    return insert_lines_after(text, max(behind.key.end, behind.value.end), written, indent)


def own_pairs(mapping: Mapping) -> list[Pair]:
    """Return the pairs in a mapping's own text, without those of merge keys."""
    return [pair for pair in mapping.pairs if not is_merged(mapping, pair)]


def is_merged(mapping: Mapping, pair: Pair) -> bool:
    """Return whether a pair comes from a merge key: from an anchor or from the braces behind the key."""
    merges = mapping.meta.merges if mapping.meta else ()
    return bool(pair.key.origin) or any(merge.key.start <= pair.key.start < merge.value.end for merge in merges)


def last_leaf(node: Node) -> Node:
    """Return the last leaf of a node in block style; a flow collection or an alias is one leaf."""
    while isinstance(node, (Mapping, Sequence)) and not node.flow and node.origin is None:
        below = [pair.value for pair in node.pairs] if isinstance(node, Mapping) else node.items
        if not below:
            # A merge key may bring nothing at all.
            break
        node = max(below, key=lambda child: child.end)
    return node


def _before(text: str, node: Node) -> str:
    """Return the text before a node on its line."""
    return text[line_start(text, node.start) : node.start].removeprefix(_BYTE_ORDER_MARK)


def _insert_flow_key(mapping: Mapping, own: list[Pair], key: str | int, value: Data, after: Pair | None) -> Edit:
    as_json = is_json(mapping)
    name = json.dumps(str(key), ensure_ascii=False) if as_json else render(key, flow=True)
    entry = f"{name}: {render(value, flow=True, as_json=as_json)}"
    behind = after or (own[-1] if own else None)
    if behind is None:
        comma = ", " if mapping.pairs else ""
        return Edit(mapping.start + 1, mapping.start + 1, f"{entry}{comma}")
    end = behind.span.end
    # A comma directly behind the colon of an empty value would be part of the key.
    space = " " if behind.value.start == behind.value.end > behind.key.end else ""
    return Edit(end, end, f"{space}, {entry}")


def insert_first_key(text: str, mapping: Mapping, key: str | int, value: Data) -> Edit:
    """Insert `key: value` in front of the first key of a mapping."""
    if mapping.flow:
        return _insert_flow_key(mapping, [], key, value, None)
    own = own_pairs(mapping)
    first = own[0].key.start if own else mapping.start
    indent = " " * column_of(text, first)
    return Edit(first, first, f"{render(key, flow=True)}: {render(value)}{line_break_of(text)}{indent}")


def insert_lines_after(text: str, offset: int, lines: list[str], indent: str) -> Edit:
    """Insert lines, each with an indentation in front, behind the line of an offset."""
    at = line_end(text, offset)
    line_break = line_break_of(text)
    return Edit(at, at, "".join(f"{line_break}{indent}{line}" for line in lines))


def item_indent(text: str, sequence: Sequence) -> str:
    """Return the white space in front of the dashes of a block sequence."""
    return " " * column_of(text, sequence.start)


def dash_of(text: str, item: Node) -> int:
    """Return the offset of the dash of a block sequence's item, which may be on a line above it; -1 for none."""
    stop = item.start
    while True:
        start = line_start(text, stop)
        match = _TO_DASH.match(text, start, stop)
        if match:
            return match.start(1)
        if start == 0:
            return -1
        stop = start - 1


def remove_pair(text: str, mapping: Mapping, pair: Pair) -> Edit | None:
    """Remove a key with its value, but not a comment behind it; None if a comment is inside of it."""
    start, end = pair.span
    is_last = len(mapping.pairs) < 2  # noqa: PLR2004 - the last pair cannot go without its mapping.
    if is_last or is_merged(mapping, pair) or any(comments_in(text, pair.key, pair.value, start=start, end=end)):
        return None
    if mapping.flow:
        merges = mapping.meta.merges if mapping.meta else ()
        return _remove_flow_entry(text, mapping, [other.span for other in (*mapping.pairs, *merges)], pair.span)
    before = _before(text, pair.key)
    if not before.strip(" "):
        return _remove_lines(text, start, end)
    # The pair is behind a dash: the next key moves up to take its place.
    following = next((other for other in mapping.pairs if other.key.start > pair.key.start), None)
    if before.strip(" -") or following is None or following.key.origin or "#" in text[end : following.key.start]:
        return None
    return Edit(pair.key.start, following.key.start, "")


def remove_item(text: str, sequence: Node, item: Node) -> Edit | None:
    """Remove an item of a list; None if a comment is inside of it."""
    # An empty list would have another meaning.
    if not isinstance(sequence, Sequence) or item.origin or len(sequence.items) == 1:
        return None
    if any(comments_in(text, item, start=item.start, end=item.end)):
        return None
    if sequence.flow:
        return _remove_flow_entry(text, sequence, [other.span for other in sequence.items], item.span)
    dash = dash_of(text, item)
    if dash < 0 or text[line_start(text, dash) : dash].strip(" ") or "#" in text[dash : item.start]:
        return None
    return _remove_lines(text, dash, item.end)


def _remove_flow_entry(text: str, collection: Mapping | Sequence, spans: list[Span], entry: Span) -> Edit | None:
    """Remove an entry with one of the commas beside it; None if anything else is between the entries."""
    previous = max([span.end for span in spans if span.end <= entry.start], default=collection.start + 1)
    before = text[previous : entry.start].strip(" \t\r\n")
    following = _TO_NEXT_ENTRY.match(text, entry.end)
    has_own_text = _PROPERTY.search(before) is not None
    # A comment must not end up directly behind a bracket or a comma, where it would be text.
    is_apart = text[entry.start - 1 : entry.start].isspace()
    if following and not has_own_text and (is_apart or not text.startswith("#", following.end())):
        return Edit(entry.start, following.end(), "")
    if before.startswith(",") and "#" not in before:
        return Edit(text.index(",", previous), entry.end, "")
    if before.startswith(",") and is_apart and not has_own_text:
        # The comma in front of the comments may stay: it ends the list.
        is_alone = (
            not text[line_start(text, entry.start) : entry.start].strip()
            and not text[entry.end : line_end(text, entry.end)].strip()
        )
        return _remove_lines(text, entry.start, entry.end) if is_alone else Edit(entry.start, entry.end, "")
    return None


def _remove_lines(text: str, start: int, end: int) -> Edit:
    """Remove whole lines; a comment behind the last of them stays where it is."""
    comment = _SPACE_BEFORE_COMMENT.match(text, end)
    if comment:
        return Edit(start, comment.end(), "")
    begin = line_start(text, start)
    begin += text.startswith(_BYTE_ORDER_MARK, begin)
    if line_end(text, end) < len(text):
        return Edit(begin, next_line(text, end), "")
    # The last line of the text has no line break of its own, so the one before it is removed.
    before = begin - (2 if text.startswith("\r\n", begin - 2) else 1 if begin else 0)
    return Edit(max(before, 0), len(text), "")


def render_like(node: Node, text: str, *, flow: bool = False) -> str:
    """Return text as a scalar in the quotes of another one; in brackets always in quotes, so that JSON stays JSON."""
    style = node.style if isinstance(node, Scalar) else ScalarStyle.PLAIN
    if style is ScalarStyle.SINGLE and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    if style is not ScalarStyle.PLAIN or flow:
        return _quoted(text)
    return render_text(text)


def replace_text(node: Node, text: str, *, flow: bool = False) -> Edit:
    """Replace the text of a string in the same quotes; `flow` means that it is in brackets."""
    return replace_node(node, render_like(node, text, flow=flow))


def remove_entry(text: str, pair: Pair) -> Edit | None:
    """Remove the only pair of a block mapping together with its lines; None if a comment is inside of it."""
    end = pair.span.end
    if pair.key.origin or any(comments_in(text, pair.key, pair.value, start=pair.key.start, end=end)):
        return None
    return _remove_lines(text, pair.key.start, end)
