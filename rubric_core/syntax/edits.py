"""Small text edits that change one thing and keep every other byte: insert, rename, replace, remove.

Every function takes the text that the nodes were parsed from. What it inserts follows the text's own style: its
indentation, its line breaks, block or flow, YAML or JSON. A function returns None where it cannot do its work
without losing a comment or where the style leaves no room.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Union

from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence, Style
from rubric_core.syntax.scalars import Kind, YamlVersion, resolve
from rubric_core.text.lines import line_break_of
from rubric_core.text.spans import Edit, Span

if TYPE_CHECKING:
    from decimal import Decimal

# What can be inserted: scalars, and lists and mappings of them.
Data = Union[str, int, bool, "Decimal", None, list["Data"], dict[str | int, "Data"]]

_SAFE_PLAIN = re.compile(r"[A-Za-z0-9_./$(][A-Za-z0-9_./$()'+\-;=<>~?!*%^&|, ]*\Z")
_FLOW_INDICATOR = re.compile(r"[,\[\]{}]")
_COMMENT_BEHIND = re.compile(r"[ \t]+#[^\r\n]*")


def render(value: Data, *, flow: bool = False, as_json: bool = False) -> str:
    """Return data as YAML on one line, or as JSON."""
    if as_json:
        return json.dumps(value, ensure_ascii=False, default=float)
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
    """Return text as a scalar that YAML reads back as the same string: plain where that is safe, else quoted."""
    plain = Scalar(0, 0, text, Style.PLAIN)
    is_safe = _SAFE_PLAIN.match(text) and text == text.strip() and ": " not in text and " #" not in text
    if is_safe and not (flow and _FLOW_INDICATOR.search(text)):
        both = (resolve(plain, YamlVersion.V1_2), resolve(plain, YamlVersion.V1_1))
        if all(meaning.kind is Kind.STRING for meaning in both):
            return text
    return json.dumps(text, ensure_ascii=False)


def line_start(text: str, offset: int) -> int:
    """Return the offset at which the line of an offset starts."""
    return max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1


def line_end(text: str, offset: int) -> int:
    """Return the offset at which the line of an offset ends, before its line break."""
    ends = [at for at in (text.find("\n", offset), text.find("\r", offset)) if at >= 0]
    return min(ends, default=len(text))


def column_of(text: str, offset: int) -> int:
    """Return the column of an offset."""
    return offset - line_start(text, offset)


def is_json(mapping: Mapping) -> bool:
    """Tell whether a mapping is written as JSON: in braces, with every key in double quotes."""
    keys = [pair.key for pair in mapping.pairs]
    return mapping.flow and bool(keys) and all(isinstance(key, Scalar) and key.style is Style.DOUBLE for key in keys)


def rename_key(pair: Pair, name: str) -> Edit:
    """Put another name in the place of a key; quotes stay if there were any."""
    key = pair.key
    quoted = isinstance(key, Scalar) and key.style is Style.DOUBLE
    return Edit(key.start, key.end, json.dumps(name, ensure_ascii=False) if quoted else render_text(name, flow=True))


def replace_node(node: Node, value: str) -> Edit:
    """Put other text in the place of a node."""
    # An empty value stands directly behind its colon or dash.
    return Edit(node.start, node.end, value if node.end > node.start else f" {value}")


def replace_value(text: str, node: Node, value: Data) -> Edit:
    """Put data in the place of a scalar, quoted as JSON where its surroundings are JSON."""
    inside_json = isinstance(node, Scalar) and node.style is Style.DOUBLE and not isinstance(value, str)
    flow = inside_json or text[node.start : node.start + 1] in "\"'"
    return replace_node(node, render(value, flow=flow or not isinstance(value, str)))


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
    own = [pair for pair in mapping.pairs if not pair.key.origin]
    if mapping.flow:
        return _insert_flow_key(text, mapping, own, key, value, after)
    behind = after or (own[-1] if own else None)
    if behind is None or behind.key.origin:
        return None
    indent = " " * column_of(text, own[0].key.start)
    name = render(key, flow=True)
    written = [f"{name}:", *lines] if lines is not None else [f"{name}: {render(value)}"]
    return insert_lines_after(text, max(behind.key.end, behind.value.end), written, indent)


def _insert_flow_key(  # noqa: PLR0913, PLR0917 - where and what.
    text: str, mapping: Mapping, own: list[Pair], key: str | int, value: Data, after: Pair | None
) -> Edit:
    as_json = is_json(mapping)
    name = json.dumps(str(key), ensure_ascii=False) if as_json else render(key, flow=True)
    entry = f"{name}: {render(value, flow=True, as_json=as_json)}"
    behind = after or (own[-1] if own else None)
    if behind is None:
        return Edit(mapping.start + 1, mapping.start + 1, entry)
    end = max(behind.value.end, behind.key.end)
    # An empty value may stand before its colon's end in `{a: }`; the entry goes behind whatever is there.
    return Edit(end, end, f", {entry}") if text[end : end + 1] != ":" else Edit(end + 1, end + 1, f" null, {entry}")


def insert_first_key(text: str, mapping: Mapping, key: str | int, value: Data) -> Edit:
    """Insert `key: value` in front of the first key of a mapping."""
    if mapping.flow:
        as_json = is_json(mapping)
        name = json.dumps(str(key), ensure_ascii=False) if as_json else render(key, flow=True)
        comma = ", " if mapping.pairs else ""
        entry = f"{name}: {render(value, flow=True, as_json=as_json)}{comma}"
        return Edit(mapping.start + 1, mapping.start + 1, entry)
    first = mapping.pairs[0].key.start
    indent = " " * column_of(text, first)
    return Edit(first, first, f"{render(key, flow=True)}: {render(value)}{line_break_of(text)}{indent}")


def insert_lines_after(text: str, offset: int, lines: list[str], indent: str) -> Edit:
    """Insert lines, each with an indentation in front, behind the line of an offset."""
    at = line_end(text, offset)
    line_break = line_break_of(text)
    return Edit(at, at, "".join(f"{line_break}{indent}{line}" for line in lines))


def insert_lines_before(text: str, offset: int, lines: list[str], indent: str) -> Edit:
    """Insert lines, each with an indentation in front, before the line of an offset."""
    at = line_start(text, offset)
    line_break = line_break_of(text)
    return Edit(at, at, "".join(f"{indent}{line}{line_break}" for line in lines))


def item_indent(text: str, sequence: Sequence) -> str:
    """Return the white space in front of the dashes of a block sequence."""
    return " " * column_of(text, sequence.start)


def dash_of(text: str, item: Node) -> int:
    """Return the offset of the dash of a block sequence's item."""
    start = line_start(text, item.start)
    # An anchor between the dash and the item may hold dashes too, but none with a space behind it.
    dash = text.rfind("- ", start, item.start)
    return dash if dash >= 0 else text.rfind("-", start, max(item.start, 1))


def remove_pair(text: str, mapping: Mapping, pair: Pair) -> Edit | None:
    """Remove a key with its value; a comment behind it on its line stays, one inside of it forbids the removal."""
    if pair.key.origin or len(mapping.pairs) < 2:  # noqa: PLR2004 - the last pair cannot go without its mapping.
        return None
    if mapping.flow:
        spans = [other.span for other in mapping.pairs]
        return _remove_flow_entry(spans, mapping.pairs.index(pair))
    end = max(pair.value.end, pair.key.end)
    if _has_comment(text, pair.key.start, end, pair):
        return None
    start = line_start(text, pair.key.start)
    if text[start : pair.key.start].strip(" ") == "":
        return _remove_lines(text, pair.key.start, end)
    # The pair stands behind a dash: the next key moves up to take its place.
    following = next((other for other in mapping.pairs if other.key.start > pair.key.start), None)
    if following is None or following.key.origin or "#" in text[end : following.key.start]:
        return None
    return Edit(pair.key.start, following.key.start, "")


def remove_item(text: str, sequence: Sequence, item: Node) -> Edit | None:
    """Remove an item of a list; a comment inside of it forbids the removal."""
    if item.origin or len(sequence.items) < 2:  # noqa: PLR2004 - an empty list would be something else.
        return None
    if sequence.flow:
        return _remove_flow_entry([other.span for other in sequence.items], sequence.items.index(item))
    if _has_comment(text, item.start, item.end, item):
        return None
    dash = dash_of(text, item)
    if text[line_start(text, dash) : dash].strip(" "):
        return None
    return _remove_lines(text, dash, item.end)


def _remove_flow_entry(spans: list[Span], index: int) -> Edit:
    start, end = spans[index]
    if index + 1 < len(spans):
        return Edit(start, spans[index + 1].start, "")
    return Edit(spans[index - 1].end, end, "")


def _remove_lines(text: str, start: int, end: int) -> Edit:
    """Remove whole lines; a comment behind the last of them stays where it is."""
    if _COMMENT_BEHIND.match(text, end):
        return Edit(start, end + len(text[end:]) - len(text[end:].lstrip(" \t")), "")
    begin = line_start(text, start)
    stop = line_end(text, end)
    if text.startswith("\r\n", stop):
        return Edit(begin, stop + 2, "")
    if stop < len(text):
        return Edit(begin, stop + 1, "")
    # The last line of the text has no line break of its own; the one before it goes.
    before = begin - (2 if text.startswith("\r\n", begin - 2) else 1 if begin else 0)
    return Edit(max(before, 0), stop, "")


def _has_comment(text: str, start: int, end: int, thing: Node | Pair) -> bool:
    """Tell whether a comment stands inside of a stretch, outside of its scalars."""
    if "#" not in text[start:end]:
        return False
    spans = sorted(scalar_spans(thing))
    at = text.find("#", start, end)
    while at >= 0:
        if not any(low <= at < high for low, high in spans):
            return True
        at = text.find("#", at + 1, end)
    return False


def scalar_spans(thing: Node | Pair) -> list[tuple[int, int]]:
    """Return the spans of all scalars at or below a node or a pair."""
    stack: list[Node] = [thing.key, thing.value] if isinstance(thing, Pair) else [thing]
    spans: list[tuple[int, int]] = []
    while stack:
        node = stack.pop()
        if isinstance(node, Scalar):
            spans.append((node.start, node.end))
        elif isinstance(node, Mapping):
            for pair in node.pairs:
                stack += (pair.key, pair.value)
        elif isinstance(node, Sequence):
            stack += node.items
    return spans


def render_like(node: Node, text: str, *, flow: bool = False) -> str:
    """Return text as a scalar in the quotes of another one; in brackets always in quotes, so that JSON stays JSON."""
    style = node.style if isinstance(node, Scalar) else Style.PLAIN
    if style is Style.SINGLE and not any(mark in text for mark in "\r\n\t"):
        return "'" + text.replace("'", "''") + "'"
    if style is Style.DOUBLE or flow:
        return json.dumps(text, ensure_ascii=False)
    return render_text(text)


def replace_text(node: Node, text: str, *, flow: bool = False) -> Edit:
    """Put other text in the place of a string, in the same quotes; `flow` tells that it stands in brackets."""
    return replace_node(node, render_like(node, text, flow=flow))


def remove_entry(text: str, pair: Pair) -> Edit | None:
    """Remove the only pair of a block mapping together with its lines; a comment inside of it forbids the removal."""
    end = max(pair.value.end, pair.key.end)
    if pair.key.origin or _has_comment(text, pair.key.start, end, pair):
        return None
    return _remove_lines(text, pair.key.start, end)
