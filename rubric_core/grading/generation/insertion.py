"""Write the criteria of a case, as text edits: everything else of the file stays as it is.

They are inserted behind the input of a case and before its execution, or replace an empty `rubrics`: as a block list,
or as a list in brackets on one line or on several.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from rubric_core.model.criteria import Criterion, ScoreRangeCriterion
from rubric_core.syntax import edits
from rubric_core.syntax.entries import first_comment_above, insert_entry
from rubric_core.syntax.nodes import BlockScalar, Mapping, Node, Pair, Sequence
from rubric_core.text.lines import line_break_of, line_end, line_start
from rubric_core.text.patterns import lazily
from rubric_core.text.spans import Edit

Criteria = tuple[Criterion, ...]

_KEY = "rubrics"
# Keys that usually follow the criteria of a case.
_BEHIND_CRITERIA = frozenset({"scorecard", "execution", "evaluators", "evaluator", "metadata"})
_ALL_LEVELS = 100
USUAL_STEP = 2
_LINE_BELOW = lazily(r"(?:\r\n?|\n)([ \t]*)(#?)([^\r\n]*)")


class InsertionPlace(NamedTuple):
    """A case in the text that its node was read from, which starts at `base` in the whole text."""

    text: str
    base: int
    node: Mapping

    @property
    def empty_rubrics(self) -> Pair | None:
        """Return the `rubrics` of the case's own text, if any."""
        pair = self.node.index.get(_KEY)
        return pair if pair is not None and pair in edits.own_pairs(self.node) else None


class Indents(NamedTuple):
    """By how many columns keys are indented below a key, dashes below a key, and text behind a dash."""

    step: int
    dash: int
    width: int


def insertion(place: InsertionPlace, criteria: Criteria, indents: Indents) -> tuple[Edit, ...]:
    """Return the edits of the whole text that insert the criteria of a case; none if that is impossible."""
    changes = _in_flow(place, criteria) if place.node.flow else _in_block(place, criteria, indents)
    return tuple(edit.shifted(place.base) for edit in changes)


# Cases in block style


def _in_block(place: InsertionPlace, criteria: Criteria, indents: Indents) -> tuple[Edit, ...]:
    lines = _block_lines(criteria, indents)
    empty = place.empty_rubrics
    if empty is not None:
        return _replace_empty_value(place.text, empty, lines)
    text = place.text
    for pair in _neighbours(place.node):
        edit = edits.insert_key(text, place.node, _KEY, None, after=pair, lines=lines)
        if edit is not None and not _would_gain_line_break(text, edit.start, pair.value):
            at = _end_of_comments(text, edit.start, edits.column_of(text, pair.key.start))
            space = line_break_of(text) if _has_blank_line_above(text, place.node, pair) else ""
            return (Edit(at, at, space + edit.text),)
    return ()


def _neighbours(mapping: Mapping) -> list[Pair]:
    """Return the pairs that the criteria may be behind, the best one first."""
    last_first = edits.own_pairs(mapping)[::-1]
    return sorted(last_first, key=lambda pair: pair.name in _BEHIND_CRITERIA)


def _would_gain_line_break(text: str, at: int, node: Node) -> bool:
    """Return whether a value is a block scalar at the very end of a text, which a line behind it would change."""
    last = edits.last_leaf(node)
    return at == len(text) and isinstance(last, BlockScalar) and "-" not in last.raw[:3]


def _replace_empty_value(text: str, pair: Pair, lines: list[str]) -> tuple[Edit, ...]:
    """Insert a list below a key without a value; a comment behind the key stays in place."""
    node, key = pair.value, pair.key
    if "#" in text[node.start : node.end]:
        return ()
    below = edits.insert_lines_after(text, max(node.end, key.end), lines, " " * edits.column_of(text, key.start))
    if node.end == node.start:
        return (below,)
    return (Edit(len(text[: node.start].rstrip(" \t")), node.end, ""), below)


def _end_of_comments(text: str, at: int, column: int) -> int:
    """Return the end of the comments that belong to a value: those below it, indented further than its key."""
    end = at
    while (line := _LINE_BELOW.match(text, at)) is not None:
        indent, mark, rest = line.groups()
        at = line.end()
        if mark and len(indent) > column:
            end = at
        elif mark or rest:
            break
    return end


def _has_blank_line_above(text: str, mapping: Mapping, pair: Pair) -> bool:
    """Return whether a blank line is above a key of the case, or above the comments that belong to it."""
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
        return (Edit(node.start, node.end, f"{'' if has_colon else ':'}{space}{_in_brackets(criteria, brackets)}"),)
    pair = next(iter(_neighbours(mapping)), None)
    if pair is None:
        return ()
    key = f'"{_KEY}"' if brackets.as_json else _KEY
    entry = f"{key}: {_in_brackets(criteria, brackets)}"
    if _have_own_lines(text, edits.own_pairs(mapping)) and not (mapping.meta and mapping.meta.merges):
        return insert_entry(text, mapping, pair, [entry])
    # A comma directly behind the colon of an empty value would be part of the key.
    space = " " if pair.value.start == pair.value.end > pair.key.end else ""
    return (Edit(pair.span.end, pair.span.end, f"{space}, {entry}"),)


def _brackets(text: str, mapping: Mapping) -> ListStyle:
    own = edits.own_pairs(mapping)
    as_json = edits.is_json(mapping)
    if not _have_own_lines(text, own):
        return ListStyle(as_json)
    indent = edits.column_of(text, own[0].key.start)
    levels, step = _levels_and_step(text, own)
    if not step:
        line = text[line_start(text, mapping.start) : line_end(text, mapping.start)].lstrip("\ufeff")
        step = indent - (len(line) - len(line.lstrip(" -")))
    return ListStyle(as_json, levels, indent, step if step > 0 else USUAL_STEP, line_break_of(text))


def _have_own_lines(text: str, pairs: list[Pair]) -> bool:
    return bool(pairs) and all(_starts_line(text, pair.key) for pair in pairs)


def _levels_and_step(text: str, pairs: list[Pair]) -> tuple[int, int]:
    """Return how many levels of a list have a line for each entry, and by how much these are set in.

    The first existing list decides. Without one, all levels have; a step of 0 is unknown.
    """
    shown = [(pair, pair.value.items[0]) for pair in pairs if isinstance(pair.value, Sequence) and pair.value.items]
    if not shown:
        return _ALL_LEVELS, 0
    pair, first = shown[0]
    if not _starts_line(text, first):
        return 0, 0
    key = first.pairs[0].key if isinstance(first, Mapping) and first.pairs else None
    levels = _ALL_LEVELS if key is not None and _starts_line(text, key) else 1
    return levels, edits.column_of(text, first.start) - edits.column_of(text, pair.key.start)


def _starts_line(text: str, node: Node) -> bool:
    return not text[line_start(text, node.start) : node.start].strip("\ufeff \t")


# Criteria as text


class ListStyle(NamedTuple):
    """How a list is written in brackets.

    `levels` is how many levels of it have a line for each entry: 0 is all on one line. `indent` is the column of the
    line that the list starts on, `step` by how much each level is set in.
    """

    as_json: bool = False
    levels: int = 0
    indent: int = 0
    step: int = USUAL_STEP
    line_break: str = "\n"

    @property
    def inner(self) -> ListStyle:
        """Return the same for one level further in."""
        return self._replace(levels=max(self.levels - 1, 0), indent=self.indent + self.step)


def _block_lines(criteria: Criteria, indents: Indents) -> list[str]:
    """Return the items of a block list, indented from the column of the key that the list belongs to."""
    first, further = (" " * indents.dash + dash.ljust(indents.width) for dash in ("-", ""))
    items = [list(_field_lines(_fields_of(criterion), indents.step)) for criterion in criteria]
    return [(further if place else first) + line for item in items for place, line in enumerate(item)]


def _in_brackets(criteria: Criteria, brackets: ListStyle) -> str:
    return _written([_fields_of(criterion, ranges_as_list=brackets.as_json) for criterion in criteria], brackets)


def _fields_of(criterion: Criterion, *, ranges_as_list: bool = False) -> dict[str | int, edits.Data]:
    """Return the fields of a criterion as they are written, without those that have their default."""
    fields: dict[str | int, edits.Data] = {
        "id": criterion.id,
        "expected_outcome": criterion.expected_outcome,
        "weight": None if criterion.weight == 1 else criterion.weight,
    }
    if not isinstance(criterion, ScoreRangeCriterion):
        fields["required"] = None if criterion.required else False
    else:
        fields["required_min_score"] = criterion.required_min_score
        # In the short form band range runs up to the next one; a key of JSON could not be a number.
        fields["score_ranges"] = (
            [
                {"score_range": [band.minimum, band.maximum], "expected_outcome": band.expected_outcome}
                for band in criterion.score_ranges
            ]
            if ranges_as_list
            else {band.minimum: band.expected_outcome for band in criterion.score_ranges}
        )
    return {name: value for name, value in fields.items() if value is not None}


def _field_lines(fields: dict[str | int, edits.Data], step: int) -> Iterator[str]:
    for key, value in fields.items():
        if isinstance(value, dict):
            yield f"{key}:"
            yield from (" " * step + line for line in _field_lines(value, step))
        else:
            yield f"{key}: {_scalar(value)}"


def _scalar(value: edits.Data, *, flow: bool = False, as_json: bool = False) -> str:
    # Numbers are written without an exponent: 1E+2 is text for some parsers.
    return format(value, "f") if isinstance(value, Decimal) else edits.render(value, flow=flow, as_json=as_json)


def _written(value: edits.Data, brackets: ListStyle) -> str:
    if isinstance(value, dict):
        quote = '"' if brackets.as_json else ""
        entries = [f"{quote}{key}{quote}: {_written(item, brackets.inner)}" for key, item in value.items()]
        return _enclosed("{", entries, "}", brackets)
    if isinstance(value, list):
        # The two bounds of a range always share a line.
        own = brackets._replace(levels=0) if value and isinstance(value[0], int) else brackets
        return _enclosed("[", [_written(item, own.inner) for item in value], "]", own)
    return _scalar(value, flow=True, as_json=brackets.as_json)


def _enclosed(opening: str, entries: list[str], closing: str, brackets: ListStyle) -> str:
    if not brackets.levels:
        return opening + ", ".join(entries) + closing
    outer = brackets.line_break + " " * brackets.indent
    inner = outer + " " * brackets.step
    return opening + ",".join(inner + entry for entry in entries) + outer + closing
