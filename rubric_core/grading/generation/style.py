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
    """By how many columns keys are set in below a key, dashes below a key, and text behind a dash."""

    step: int = _USUAL_STEP
    dash: int = _USUAL_STEP
    width: int = _NARROWEST_ITEM


class SeenListStyle(NamedTuple):
    """The same as far as a stretch of text shows it; None where it does not."""

    step: int | None = None
    dash: int | None = None
    width: int | None = None

    def filled_from(self, other: SeenListStyle) -> SeenListStyle:
        """Return the same with what only the other stretch shows."""
        return SeenListStyle(*(mine if mine is not None else theirs for mine, theirs in zip(self, other, strict=True)))

    @property
    def is_complete(self) -> bool:
        """Tell whether nothing is left to look for."""
        return None not in self

    def settled(self) -> Indents:
        """Return indents in which what was not seen follows from what was."""
        step = self.step or self.dash or _USUAL_STEP
        dash = step if self.dash is None else self.dash
        return Indents(step, dash, self.width or _NARROWEST_ITEM)


def seen_in(text: str, node: Node) -> SeenListStyle:
    """Read the indents off a node and what is below it; what stands furthest out counts."""
    found: dict[str, int] = {}
    level = [node]
    while level and len(found) < len(SeenListStyle._fields):
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
    return SeenListStyle(**found)


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
