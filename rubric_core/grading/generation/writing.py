"""Criteria as text: the lines of a block list, or a list in brackets on one line or on several."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from rubric_core.model.criteria import Criterion, ScoreRangeCriterion
from rubric_core.syntax.edits import Data, render

if TYPE_CHECKING:
    from rubric_core.grading.generation.insertion import Indents

    Criteria = Sequence[Criterion]


class ListStyle(NamedTuple):
    """How a list is written in brackets.

    `levels` is how many levels of it have a line for each entry: 0 is all on one line. `indent` is the column of the
    line that the list starts on, `step` by how much each level is set in.
    """

    as_json: bool = False
    levels: int = 0
    indent: int = 0
    step: int = 2
    line_break: str = "\n"

    @property
    def inner(self) -> ListStyle:
        """Return the same for what stands one level further in."""
        return self._replace(levels=max(self.levels - 1, 0), indent=self.indent + self.step)


def block_lines(criteria: Criteria, indents: Indents) -> list[str]:
    """Return the items of a block list, indented from the column of the key that the list belongs to."""
    first, further = (" " * indents.dash + dash.ljust(indents.width) for dash in ("-", ""))
    items = [list(_field_lines(_fields_of(each), indents.step)) for each in criteria]
    return [(further if place else first) + line for item in items for place, line in enumerate(item)]


def in_brackets(criteria: Criteria, brackets: ListStyle) -> str:
    """Return the list in brackets, as YAML or as JSON."""
    return _written([_fields_of(each, ranges_as_list=brackets.as_json) for each in criteria], brackets)


def _fields_of(criterion: Criterion, *, ranges_as_list: bool = False) -> dict[str | int, Data]:
    """Return the fields of a criterion as they are written, without those that have their default."""
    fields: dict[str | int, Data] = {
        "id": criterion.id,
        "expected_outcome": criterion.expected_outcome,
        "weight": None if criterion.weight == 1 else criterion.weight,
    }
    if not isinstance(criterion, ScoreRangeCriterion):
        fields["required"] = None if criterion.required else False
    else:
        fields["required_min_score"] = criterion.required_min_score
        # In the short form each range runs up to the next one; a key of JSON could not be a number.
        fields["score_ranges"] = (
            [
                {"score_range": [each.minimum, each.maximum], "expected_outcome": each.expected_outcome}
                for each in criterion.score_ranges
            ]
            if ranges_as_list
            else {each.minimum: each.expected_outcome for each in criterion.score_ranges}
        )
    return {name: value for name, value in fields.items() if value is not None}


def _field_lines(fields: dict[str | int, Data], step: int) -> Iterator[str]:
    for key, value in fields.items():
        if isinstance(value, dict):
            yield f"{key}:"
            yield from (" " * step + line for line in _field_lines(value, step))
        else:
            yield f"{key}: {_scalar(value)}"


def _scalar(value: Data, *, flow: bool = False, as_json: bool = False) -> str:
    # No number has an exponent: 1E+2 is text to some readers.
    return format(value, "f") if isinstance(value, Decimal) else render(value, flow=flow, as_json=as_json)


def _written(value: Data, brackets: ListStyle) -> str:
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
