"""Where the criteria of a case go, as text edits: everything else of the file stays as it is.

They go in front of how a case is run and behind what it asks, or in the place of an empty `rubrics`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.grading.generation.writing import ListStyle, block_lines, in_brackets
from rubric_core.syntax.edits import column_of, insert_key, insert_lines_after, is_json, last_leaf, own_pairs
from rubric_core.syntax.entries import first_comment_above, insert_entry
from rubric_core.syntax.nodes import BlockScalar, Mapping, Node, Pair, Sequence, children
from rubric_core.text.lines import line_break_of, line_end, line_start
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit

if TYPE_CHECKING:
    from rubric_core.grading.generation.writing import Criteria

_KEY = "rubrics"
# What people write behind the criteria of a case.
_BEHIND_CRITERIA = frozenset({"scorecard", "execution", "evaluators", "evaluator", "metadata"})
_ALL_LEVELS = 100
_USUAL_STEP = 2
_NARROWEST_ITEM = 2
_LINE_BELOW = lazily(r"(?:\r\n?|\n)([ \t]*)(#?)([^\r\n]*)")


class InsertionPlace(NamedTuple):
    """A case in the text that its node was read from, which starts at `base` in the whole text."""

    text: str
    base: int
    node: Mapping

    @property
    def empty_rubrics(self) -> Pair | None:
        """Return the `rubrics` of the case's own text, if it is there."""
        pair = self.node.index.get(_KEY)
        return pair if pair is not None and pair in own_pairs(self.node) else None


def insertion(place: InsertionPlace, criteria: Criteria, indents: Indents) -> tuple[Edit, ...]:
    """Return the edits of the whole text that give a case its criteria; none where there is no room for them."""
    edits = _in_flow(place, criteria) if place.node.flow else _in_block(place, criteria, indents)
    return tuple(edit.shifted(place.base) for edit in edits)


# Cases in block style


def _in_block(place: InsertionPlace, criteria: Criteria, indents: Indents) -> tuple[Edit, ...]:
    lines = block_lines(criteria, indents)
    empty = place.empty_rubrics
    if empty is not None:
        return _in_place_of_nothing(place.text, empty, lines)
    text = place.text
    for pair in _neighbours(place.node):
        edit = insert_key(text, place.node, _KEY, None, after=pair, lines=lines)
        if edit is not None and not _would_gain_line_break(text, edit.start, pair.value):
            at = _behind_comments(text, edit.start, column_of(text, pair.key.start))
            space = line_break_of(text) if _is_set_apart(text, place.node, pair) else ""
            return (Edit(at, at, space + edit.text),)
    return ()


def _neighbours(mapping: Mapping) -> list[Pair]:
    """Return the pairs that the criteria may stand behind, the best one first."""
    last_first = own_pairs(mapping)[::-1]
    return sorted(last_first, key=lambda pair: pair.name in _BEHIND_CRITERIA)


def _would_gain_line_break(text: str, at: int, node: Node) -> bool:
    """Return whether a value is a block scalar at the very end of a text: a line behind it would make it longer."""
    last = last_leaf(node)
    return at == len(text) and isinstance(last, BlockScalar) and "-" not in last.raw[:3]


def _in_place_of_nothing(text: str, pair: Pair, lines: list[str]) -> tuple[Edit, ...]:
    """Put a list below a key whose value is empty; a comment behind that stays where it is."""
    node, key = pair.value, pair.key
    if "#" in text[node.start : node.end]:
        return ()
    below = insert_lines_after(text, max(node.end, key.end), lines, " " * column_of(text, key.start))
    if node.end == node.start:
        return (below,)
    return (Edit(len(text[: node.start].rstrip(" \t")), node.end, ""), below)


def _behind_comments(text: str, at: int, column: int) -> int:
    """Step over the comments below a value that are indented further than its key: they speak of the value."""
    end = at
    while (found := _LINE_BELOW.match(text, at)) is not None:
        indent, mark, rest = found.groups()
        at = found.end()
        if mark and len(indent) > column:
            end = at
        elif mark or rest:
            break
    return end


def _is_set_apart(text: str, mapping: Mapping, pair: Pair) -> bool:
    """Return whether a blank line stands above a key of the case, or above the comments that belong to it."""
    start = first_comment_above(text, line_start(text, pair.key.start))
    end_above = start - (2 if text.startswith("\r\n", start - 2) else 1)
    return start > mapping.start and not text[line_start(text, end_above) : end_above].strip()


# Cases in brackets


def _in_flow(place: InsertionPlace, criteria: Criteria) -> tuple[Edit, ...]:
    text, mapping = place.text, place.node
    brackets = _brackets(text, mapping)
    empty = place.empty_rubrics
    if empty is not None:
        node = empty.value
        if "#" in text[node.start : node.end]:
            return ()
        has_colon = node.end > node.start or ":" in text[empty.key.end : node.start]
        space = "" if node.end > node.start else " "
        return (Edit(node.start, node.end, f"{'' if has_colon else ':'}{space}{in_brackets(criteria, brackets)}"),)
    pair = next(iter(_neighbours(mapping)), None)
    if pair is None:
        return ()
    key = f'"{_KEY}"' if brackets.as_json else _KEY
    entry = f"{key}: {in_brackets(criteria, brackets)}"
    if _have_own_lines(text, own_pairs(mapping)) and not (mapping.meta and mapping.meta.merges):
        return insert_entry(text, mapping, pair, [entry])
    # A comma directly behind the colon of an empty value would be part of the key.
    space = " " if pair.value.start == pair.value.end > pair.key.end else ""
    return (Edit(pair.span.end, pair.span.end, f"{space}, {entry}"),)


def _brackets(text: str, mapping: Mapping) -> ListStyle:
    own = own_pairs(mapping)
    as_json = is_json(mapping)
    if not _have_own_lines(text, own):
        return ListStyle(as_json)
    indent = column_of(text, own[0].key.start)
    levels, step = _levels_and_step(text, own)
    if not step:
        line = text[line_start(text, mapping.start) : line_end(text, mapping.start)].lstrip("\ufeff")
        step = indent - (len(line) - len(line.lstrip(" -")))
    return ListStyle(as_json, levels, indent, step if step > 0 else _USUAL_STEP, line_break_of(text))


def _have_own_lines(text: str, pairs: list[Pair]) -> bool:
    return bool(pairs) and all(_starts_line(text, pair.key) for pair in pairs)


def _levels_and_step(text: str, pairs: list[Pair]) -> tuple[int, int]:
    """Return how many levels of a list have a line for each entry, and by how much these are set in.

    The first list that stands there decides. Where there is none, all levels have; a step of 0 is unknown.
    """
    shown = [(pair, pair.value.items[0]) for pair in pairs if isinstance(pair.value, Sequence) and pair.value.items]
    if not shown:
        return _ALL_LEVELS, 0
    pair, first = shown[0]
    if not _starts_line(text, first):
        return 0, 0
    key = first.pairs[0].key if isinstance(first, Mapping) and first.pairs else None
    levels = _ALL_LEVELS if key is not None and _starts_line(text, key) else 1
    return levels, column_of(text, first.start) - column_of(text, pair.key.start)


def _starts_line(text: str, node: Node) -> bool:
    return not text[line_start(text, node.start) : node.start].strip("\ufeff \t")


# The indents of a file, so that what is inserted looks like its neighbours


class Indents(NamedTuple):
    """By how many columns keys are indented below a key, dashes below a key, and text behind a dash."""

    step: int
    dash: int
    width: int


def complete_indents(seen: dict[str, int]) -> Indents:
    """Return indents in which what was not seen follows from what was."""
    step = seen.get("step") or seen.get("dash") or _USUAL_STEP
    return Indents(step, seen.get("dash", step), seen.get("width") or _NARROWEST_ITEM)


def seen_in(text: str, node: Node) -> dict[str, int]:
    """Return the fields of `Indents` that a node and what is below it show; what stands furthest out counts."""
    found: dict[str, int] = {}
    level = [node]
    while level and len(found) < len(Indents._fields):
        for each in level:
            for kind, columns in _offsets(text, each):
                found.setdefault(kind, columns)
        # What an alias repeats stands elsewhere, and what stands in brackets is not indented by anybody's rule.
        level = [
            child
            for each in level
            for child in children(each)
            if isinstance(child, (Mapping, Sequence)) and not child.flow and child.origin is None
        ]
    return found


def _offsets(text: str, node: Node) -> Iterator[tuple[str, int]]:
    """Yield what a collection in block style shows: by how many columns each thing in it is set in."""
    if isinstance(node, Sequence) and not node.flow:
        dashes = column_of(text, node.start)
        for item in node.items:
            # An item below its dash does not tell how far behind a dash text starts.
            is_beside = text[line_start(text, item.start) : item.start].strip("\ufeff ") == "-"
            if isinstance(item, Mapping) and not item.flow and item.origin is None and is_beside:
                yield "width", max(column_of(text, item.start) - dashes, _NARROWEST_ITEM)
    elif isinstance(node, Mapping) and not node.flow:
        for pair in node.pairs:
            value = pair.value
            if pair.key.origin is None and value.origin is None and value.start > pair.key.end:
                columns = column_of(text, value.start) - column_of(text, pair.key.start)
                if isinstance(value, Sequence) and not value.flow and columns >= 0:
                    yield "dash", columns
                elif isinstance(value, Mapping) and not value.flow and columns > 0:
                    yield "step", columns
