"""Moving a key below another one and back, as edits that keep comments, order and style.

`sink` moves `input: x` below `vars`, as `vars: {input: x}`, and `lift` moves it back.

Every function returns None if the edit would lose a comment or an anchor, or is impossible in this style. Nodes from
an alias or a merge key are never moved.
"""

import json
import re

from rubric_core.syntax.comments import comments_in
from rubric_core.syntax.edits import column_of, is_json, is_merged, own_pairs, remove_pair, rename_key, render_text
from rubric_core.syntax.entries import first_comment_above, number_of
from rubric_core.syntax.indentation import shift_lines, shifted
from rubric_core.syntax.nodes import Mapping, Pair, Sequence
from rubric_core.text.lines import line_break_of, line_end, line_start, next_line
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit

STEP = 2
Edits = tuple[Edit, ...]

_COLON = lazily(r"[ \t]*:")
_TO_BLOCK = lazily(r":[ \t]*(?:\r\n?|\n)[ \t\r\n]*\Z")
_BARE_KEY = lazily(r"[ \t]*[\"']?[\w-]+[\"']?[ \t]*:[ \t]*\Z")
_TO_FLOW = lazily(r":[ \t]*\{[ \t]*\Z")


def behind_colon(text: str, pair: Pair) -> int | None:
    """Return the offset behind the colon of a key, or None where it is not on the line of the key."""
    colon = _COLON.match(text, pair.key.end)
    return colon.end() if colon else None


def written_key(mapping: Mapping, name: str) -> str:
    """Return a key in the style of the mapping: in double quotes for JSON."""
    return json.dumps(name) if is_json(mapping) else render_text(name, flow=True)


def sink(  # noqa: PLR0911 - a return for each order of the keys.
    text: str, mapping: Mapping, pair: Pair, outer: str, name: str
) -> Edits | None:
    """Move a key below another one of the same mapping, under a new name; the other one is made if it is missing."""
    existing = mapping.index.get(outer)
    if existing is None:
        return nest(text, mapping, pair, outer, name)
    below = existing.value
    if not isinstance(below, Mapping) or below.origin or is_merged(mapping, existing) or name in below.index:
        return None
    if mapping.flow or below.flow:
        return _sink_into_flow(text, mapping, pair, below, name)
    own = own_pairs(below)
    by = column_of(text, own[0].key.start) - column_of(text, pair.key.start) if own else 0
    if by <= 0:
        return None
    around = own_pairs(mapping)
    at, other = number_of(pair, around), number_of(existing, around)
    if at == other + 1:
        return rename_key(pair, name), *shift_lines(text, existing.span.end, pair.span.end, by)
    if at + 1 == other and _is_bare(text, existing):
        head = f"{outer}:{_new_line(text, column_of(text, own[0].key.start))}{render_text(name, flow=True)}"
        lines = shift_lines(text, pair.key.end, pair.span.end, by)
        return Edit(pair.key.start, pair.key.end, head), *lines, _line_removed(text, existing)
    return _cut_and_paste(text, pair, name, behind=existing.span.end, by=by)


def nest(text: str, mapping: Mapping, pair: Pair, outer: str, name: str) -> Edits | None:
    """Write `outer:` around a key, and rename the key."""
    colon = behind_colon(text, pair)
    if colon is None:
        return None
    renamed = rename_key(pair, outer)
    if mapping.flow:
        end = pair.span.end
        return renamed, Edit(colon, colon, f" {{{written_key(mapping, name)}:"), Edit(end, end, "}")
    step = _step_of(text, mapping, pair)
    line = _new_line(text, column_of(text, pair.key.start) + step)
    inserted = Edit(colon, colon, f"{line}{render_text(name, flow=True)}:")
    return renamed, inserted, *shift_lines(text, colon, pair.span.end, step)


def _step_of(text: str, mapping: Mapping, pair: Pair) -> int:
    """Return the indentation of the value of a key, or of a mapping beside it, or the default."""
    beside = [other for other in own_pairs(mapping) if isinstance(other.value, Mapping)]
    return next(filter(None, (_indentation(text, candidate) for candidate in (pair, *beside))), STEP)


def _indentation(text: str, pair: Pair) -> int:
    """Return the indentation of a value below its key; 0 for a value on the line of the key."""
    value = pair.value
    is_block = isinstance(value, (Mapping, Sequence)) and not value.flow and value.origin is None
    return max(column_of(text, value.start) - column_of(text, pair.key.start), 0) if is_block else 0


def lift(  # noqa: PLR0911 - the same.
    text: str, mapping: Mapping, outer: Pair, pair: Pair, name: str
) -> Edits | None:
    """Move a key from below `outer` to beside it, under a new name; an empty `outer` is removed."""
    below = outer.value
    if not isinstance(below, Mapping) or below.meta is not None or name in mapping.index.keys() - {outer.name}:
        return None
    own = own_pairs(below)
    if len(own) != len(below.pairs):
        return None
    if below.flow:
        return _lift_from_flow(text, mapping, outer, pair, name)
    by = column_of(text, pair.key.start) - column_of(text, outer.key.start)
    body = tuple(shift_lines(text, pair.key.end, pair.span.end, -by))
    at = number_of(pair, own)
    if at == 0:
        head = _head_of_first(text, outer, pair, name)
        if head is None:
            return None
        if len(own) == 1:
            return head, *body
        end = line_end(text, pair.span.end)
        return head, *body, Edit(end, end, f"{_new_line(text, column_of(text, outer.key.start))}{outer.name}:")
    if at == len(own) - 1:
        return rename_key(pair, name), *shift_lines(text, own[at - 1].span.end, pair.span.end, -by)
    return _cut_and_paste(text, pair, name, behind=outer.span.end, by=-by)


def _head_of_first(text: str, outer: Pair, pair: Pair, name: str) -> Edit | None:
    """Return the edit that puts a name in the place of `outer:` and of its first key; comments between them stay."""
    between = text[outer.key.end : pair.key.start]
    if _TO_BLOCK.match(between):
        return Edit(outer.key.start, pair.key.end, render_text(name, flow=True))
    if not _TO_BLOCK.match(re.sub(r"#[^\r\n]*", "", between)):
        return None
    indent = _new_line(text, column_of(text, outer.key.start))
    comments = "".join(f"{comment}{indent}" for comment in re.findall(r"#[^\r\n]*", between))
    return Edit(outer.key.start, pair.key.end, f"{comments}{render_text(name, flow=True)}")


def _lift_from_flow(text: str, mapping: Mapping, outer: Pair, pair: Pair, name: str) -> Edits | None:
    below = outer.value
    if not isinstance(below, Mapping) or any(comments_in(text, below, start=below.start, end=below.end)):
        return None
    if len(below.pairs) == 1:
        if not _TO_FLOW.match(text[outer.key.end : pair.key.start]):
            return None
        head = Edit(outer.key.start, pair.key.end, written_key(mapping, name))
        return head, Edit(pair.span.end, below.end, "")
    removed = remove_pair(text, below, pair)
    colon = behind_colon(text, pair)
    if removed is None or colon is None:
        return None
    entry = f"{written_key(mapping, name)}:{text[colon : pair.span.end]}"
    between = ", " if mapping.flow else _new_line(text, column_of(text, outer.key.start))
    if pair is own_pairs(below)[0]:
        return removed, Edit(outer.key.start, outer.key.start, f"{entry}{between}")
    end = outer.span.end if mapping.flow else line_end(text, outer.span.end)
    return removed, Edit(end, end, f"{between}{entry}")


def _sink_into_flow(text: str, mapping: Mapping, pair: Pair, below: Mapping, name: str) -> Edits | None:
    """Move an entry that has no line breaks into braces."""
    colon, removed = behind_colon(text, pair), remove_pair(text, mapping, pair)
    if colon is None or removed is None or not below.flow or not below.pairs:
        return None
    written = text[colon : pair.span.end]
    # In brackets, fewer characters are allowed in a plain text.
    is_safe = mapping.flow or written.lstrip()[:1] in {'"', "'", "[", "{"}
    if not is_safe or "\n" in written or "\r" in written:
        return None
    end = own_pairs(below)[-1].span.end if own_pairs(below) else -1
    return None if end < 0 else (removed, Edit(end, end, f", {written_key(below, name)}:{written}"))


def _cut_and_paste(text: str, pair: Pair, name: str, *, behind: int, by: int) -> Edits | None:
    """Move the lines of a pair behind another place; the comments directly above it move along."""
    column = column_of(text, pair.key.start)
    start = line_start(text, pair.key.start)
    if text[start : pair.key.start].strip(" "):
        return None
    start = first_comment_above(text, start)
    stop = next_line(text, pair.span.end)
    lines = text[start : line_end(text, pair.span.end)]
    renamed = rename_key(pair, name)
    lines = lines[: renamed.start - start] + renamed.text + lines[renamed.end - start :]
    at = line_end(text, behind)
    if start <= at < stop and at != start:
        return None
    moved = f"{_new_line(text, column + by)}{shifted(lines.lstrip(' '), by)}"
    return Edit(start, stop, ""), Edit(at, at, moved)


def wrap_in_item(text: str, mapping: Mapping, pair: Pair, listed: str, kind: str) -> Edits | None:
    """Replace the value of a key by a list with one item of a type, which has the value under `value`."""
    colon = behind_colon(text, pair)
    if colon is None:
        return None
    existing = mapping.index.get(listed)
    if mapping.flow:
        return _wrap_in_flow(text, mapping, pair, existing, listed, kind)
    column = column_of(text, pair.key.start) + STEP
    edits: list[Edit] = []
    if existing is not None:
        joined = _join_with_list(text, mapping, pair, existing)
        if joined is None:
            return _move_into_list(text, mapping, pair, existing, kind)
        column, removed = joined
        edits.append(removed)
    edits += [rename_key(pair, listed), Edit(colon, colon, f"{_new_line(text, column)}{_item(text, column, kind)}")]
    by = column + STEP - column_of(text, pair.key.start)
    return *edits, *shift_lines(text, colon, pair.span.end, by)


def _item(text: str, column: int, kind: str) -> str:
    """Return the start of an item of a list, up to its value."""
    return f"- type: {kind}{_new_line(text, column + STEP)}value:"


def _move_into_list(text: str, mapping: Mapping, pair: Pair, listed: Pair, kind: str) -> Edits | None:
    """Move the value of a key to the start of a list elsewhere, and remove the lines of the key."""
    items, colon = listed.value, behind_colon(text, pair)
    start = line_start(text, pair.key.start)
    if not isinstance(items, Sequence) or items.flow or items.meta is not None or is_merged(mapping, listed):
        return None
    if colon is None or text[start : pair.key.start].strip(" "):
        return None
    column = column_of(text, items.start)
    value = shifted(text[colon : line_end(text, pair.span.end)], column + STEP - column_of(text, pair.key.start))
    at = line_end(text, listed.key.end)
    inserted = Edit(at, at, f"{_new_line(text, column)}{_item(text, column, kind)}{value}")
    return inserted, Edit(start, next_line(text, pair.span.end), "")


def _wrap_in_flow(  # noqa: PLR0913, PLR0917 - where, and what is written around it.
    text: str, mapping: Mapping, pair: Pair, existing: Pair | None, listed: str, kind: str
) -> Edits | None:
    colon, end = behind_colon(text, pair) or 0, pair.span.end
    kind_key, written, value_key = (written_key(mapping, word) for word in ("type", kind, "value"))
    opened = f"{{{kind_key}: {written}, {value_key}:"
    if existing is None:
        return rename_key(pair, listed), Edit(colon, colon, f" [{opened}"), Edit(end, end, "}]")
    items = existing.value
    removed = remove_pair(text, mapping, pair)
    if not isinstance(items, Sequence) or items.meta is not None or not items.items or removed is None:
        return None
    at = items.start + 1
    return removed, Edit(at, at, f"{opened}{text[colon:end]}}}, ")


def _join_with_list(text: str, mapping: Mapping, pair: Pair, listed: Pair) -> tuple[int, Edit] | None:
    """Return the column of the items of the list that follows a pair, and the edit that removes the key of the list."""
    items = listed.value
    own = own_pairs(mapping)
    if not isinstance(items, Sequence) or items.flow or items.meta is not None or is_merged(mapping, listed):
        return None
    if number_of(listed, own) != number_of(pair, own) + 1 or not _is_bare(text, listed):
        return None
    return column_of(text, items.start), _line_removed(text, listed)


def unwrap_item(  # noqa: PLR0911, PLR0913, PLR0917 - where, and what is written around it.
    text: str, mapping: Mapping, listed: Pair, item: Mapping, inner: Pair, name: str
) -> Edits | None:
    """Replace a list's first item by the value of its last key, outside of the list, which keeps its other items."""
    items = listed.value
    if not isinstance(items, Sequence) or items.meta is not None or item.meta is not None:
        return None
    if any(comments_in(text, item, start=listed.key.start, end=inner.key.start)) or inner is not item.pairs[-1]:
        return None
    has_more = len(items.items) > 1
    if items.flow:
        end = item.end if has_more else items.end
        if has_more or any(comments_in(text, item, start=inner.span.end, end=end)):
            return None
        return Edit(listed.key.start, inner.key.end, written_key(mapping, name)), Edit(inner.span.end, end, "")
    if item.flow:
        return None
    by = column_of(text, inner.key.start) - column_of(text, listed.key.start)
    head = Edit(listed.key.start, inner.key.end, render_text(name, flow=True))
    body = shift_lines(text, inner.key.end, inner.span.end, -by)
    if not has_more:
        return head, *body
    at = _behind_blank_lines(text, line_end(text, inner.span.end))
    indent = " " * column_of(text, listed.key.start)
    return head, *body, Edit(at, at, f"{indent}{listed.name}:{line_break_of(text)}")


def _behind_blank_lines(text: str, offset: int) -> int:
    """Return the start of the first line below an offset at the end of a line that is not blank."""
    at = next_line(text, offset)
    while at < len(text) and not text[at : line_end(text, at)].strip(" \t"):
        at = next_line(text, at)
    return at


def _new_line(text: str, column: int) -> str:
    """Return a line break and the indentation up to a column."""
    return line_break_of(text) + " " * column


def _line_removed(text: str, pair: Pair) -> Edit:
    """Return the edit that removes the line of a key."""
    return Edit(line_start(text, pair.key.start), next_line(text, pair.key.end), "")


def _is_bare(text: str, pair: Pair) -> bool:
    """Return whether a key is on a line of its own, with its value on the lines below and no comment behind."""
    start = line_start(text, pair.key.start)
    return _BARE_KEY.match(text[start : line_end(text, pair.key.end)]) is not None
