"""How a file is indented, read off its nodes, so that what is inserted looks like its neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rubric_core.syntax.edits import column_of
from rubric_core.syntax.nodes import Mapping, Sequence, children
from rubric_core.text.lines import line_start

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.syntax.nodes import Node

_USUAL_STEP = 2
_NARROWEST_ITEM = 2


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
    """Give what a collection in block style shows: by how many columns each thing in it is set in."""
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
