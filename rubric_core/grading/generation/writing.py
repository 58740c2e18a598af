"""Criteria as text: the lines of a block list, or a list in brackets on one line or on several."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple, Union

from rubric_core.model.criteria import ScoreRangeCriterion
from rubric_core.syntax.edits import render
from rubric_core.syntax.nodes import Scalar, ScalarStyle
from rubric_core.syntax.scalars import ScalarKind, YamlVersion, resolve
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rubric_core.grading.generation.style import Indents
    from rubric_core.model.criteria import ChecklistCriterion, ScoreRange

    Criteria = Sequence[ChecklistCriterion | ScoreRangeCriterion]

# What ends a plain scalar, or makes something else of it: a colon before a space, a comment, a first character that
# means something to YAML. A dash, a question mark or a colon may come first if text follows directly.
_NOT_PLAIN = lazily(r"[\s,\[\]{}#&*!|>'\"%@`]|[-?:](?:\s|\Z)|.*(?::(?:\s|\Z)|\s#)")
# In brackets, some readers take every colon for the end of a key and every question mark for the start of one.
_NOT_PLAIN_IN_FLOW = lazily(r"[-?:]|.*[,\[\]{}:?]")
# YAML 1.1 has types that this project does not tell from text: dates, the merge key and the default value.
_OTHER_TYPE = lazily(r"\d{4}-\d\d?-\d\d?|(?:<<|=)\Z")

# What a criterion is made of.
Value = Union[str, int, Decimal, list["Value"], dict[str | int, "Value"]]  # noqa: UP007 - it names itself.
Fields = dict[str | int, Value]


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
    return [" " * indents.dash + line for criterion in criteria for line in _item_lines(criterion, indents)]


def in_brackets(criteria: Criteria, brackets: ListStyle) -> str:
    """Return the list in brackets, as YAML or as JSON."""
    return _written([fields_of(each, ranges_as_list=brackets.as_json) for each in criteria], brackets)


def fields_of(criterion: ChecklistCriterion | ScoreRangeCriterion, *, ranges_as_list: bool = False) -> Fields:
    """Return the fields of a criterion as they are written; what is the default anyway is left out."""
    fields: Fields = {"id": criterion.id}
    if criterion.expected_outcome is not None:
        fields["expected_outcome"] = criterion.expected_outcome
    if criterion.weight != 1:
        fields["weight"] = criterion.weight
    if not isinstance(criterion, ScoreRangeCriterion):
        return fields if criterion.required else {**fields, "required": False}
    if criterion.required_min_score is not None:
        fields["required_min_score"] = criterion.required_min_score
    ranges = criterion.score_ranges
    fields["score_ranges"] = [_range_fields(each) for each in ranges] if ranges_as_list else _range_map(ranges)
    return fields


def _range_fields(band: ScoreRange) -> Fields:
    return {"score_range": [band.minimum, band.maximum], "expected_outcome": band.expected_outcome}


def _range_map(bands: Sequence[ScoreRange]) -> Fields:
    """Return the short form, in which each band runs up to the next one; a key of JSON could not be a number."""
    return {band.minimum: band.expected_outcome for band in bands}


def _item_lines(criterion: ChecklistCriterion | ScoreRangeCriterion, indents: Indents) -> Iterator[str]:
    front = "-".ljust(indents.width)
    for line in _field_lines(fields_of(criterion), indents.step):
        yield front + line
        front = " " * indents.width


def _field_lines(fields: Fields, step: int) -> Iterator[str]:
    for key, value in fields.items():
        if isinstance(value, dict):
            yield f"{key}:"
            yield from (" " * step + line for line in _field_lines(value, step))
        else:
            yield f"{key}: {_plain_value(value)}"


def _plain_value(value: Value) -> str:
    return scalar(value) if isinstance(value, str) else _number(value)


def _number(value: Value) -> str:
    """Return a number or a boolean, never with an exponent: 1E+2 is text to some readers."""
    return format(value, "f") if isinstance(value, Decimal) else str(value).lower()


def _written(value: Value, brackets: ListStyle) -> str:
    if isinstance(value, dict):
        entries = [f"{_key(key, brackets)}: {_written(item, brackets.inner)}" for key, item in value.items()]
        return _enclosed("{", entries, "}", brackets)
    if isinstance(value, list):
        # The two bounds of a range always share a line.
        own = brackets._replace(levels=0) if value and isinstance(value[0], int) else brackets
        return _enclosed("[", [_written(item, own.inner) for item in value], "]", own)
    if isinstance(value, str):
        return render(value, as_json=True) if brackets.as_json else scalar(value, flow=True)
    return _number(value)


def _key(key: str | int, brackets: ListStyle) -> str:
    return f'"{key}"' if brackets.as_json else str(key)


def _enclosed(opening: str, entries: list[str], closing: str, brackets: ListStyle) -> str:
    if not brackets.levels:
        return opening + ", ".join(entries) + closing
    outer = brackets.line_break + " " * brackets.indent
    inner = outer + " " * brackets.step
    return opening + ",".join(inner + entry for entry in entries) + outer + closing


def scalar(text: str, *, flow: bool = False) -> str:
    """Return text as it is written in YAML: plain where every reader takes it for the same string, else quoted."""
    return text if is_plain(text, flow=flow) else render(text, as_json=True)


def is_plain(text: str, *, flow: bool = False) -> bool:
    """Tell whether text needs no quotes; `flow` tells that it stands in brackets."""
    if not text or not text.isprintable() or text[-1].isspace() or _NOT_PLAIN.match(text) or _OTHER_TYPE.match(text):
        return False
    if flow and _NOT_PLAIN_IN_FLOW.match(text):
        return False
    plain = Scalar(0, 0, text, ScalarStyle.PLAIN)
    return all(resolve(plain, version).kind is ScalarKind.STRING for version in YamlVersion)
