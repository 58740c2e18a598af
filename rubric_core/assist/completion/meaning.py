"""What the branches of a sketch mean in the table of fields."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rubric_core.schema.evaluators import evaluator_record
from rubric_core.schema.fields import FieldType
from rubric_core.schema.records import RECORDS, record_below

if TYPE_CHECKING:
    from rubric_core.assist.completion.parts import Branch, TypedEntry
    from rubric_core.schema.fields import Field, Record

# Nothing of the format is nested deeper.
_DEEPEST = 40


class Meaning(NamedTuple):
    """The record of a mapping, or of the items of a list; `field` is the one whose value it is, where there is one."""

    record: Record | None
    field: Field | None = None


_NOTHING = Meaning(None)


def meaning_of(branch: Branch) -> Meaning:
    """Return what a list or a mapping is for; an empty answer where the table does not know it."""
    chain = [branch]
    while (owner := chain[-1].owner) is not None and owner.branch is not None:
        chain.append(owner.branch)
        if len(chain) > _DEEPEST:
            return _NOTHING
    top = chain.pop()
    if top.record is None:
        return _NOTHING
    meaning, parent = Meaning(RECORDS[top.record]), top
    for child in reversed(chain):
        meaning, parent = _below(meaning, parent, child), child
    return meaning


def _below(meaning: Meaning, parent: Branch, child: Branch) -> Meaning:
    if meaning.record is None or child.owner is None:
        return _NOTHING
    if parent.is_list:
        # A list directly in a list is nothing that the format has.
        return _NOTHING if child.is_list else Meaning(_exact(meaning.record, child), meaning.field)
    key = child.owner.key
    field = meaning.record.get(key) or meaning.record.entry
    shape = FieldType.SEQUENCE if child.is_list else FieldType.MAPPING
    if field is None or not field.accepts(shape, key):
        return _NOTHING
    record = record_below(field, shape)
    return Meaning(_exact(record, child) if record is not None and not child.is_list else record, field)


def _exact(record: Record, mapping: Branch) -> Record:
    """Return the record of an evaluator's own type where the general one is meant."""
    if record.name != "evaluator":
        return record
    kind = mapping.get("type")
    return evaluator_record(kind.word if kind is not None else None)


def field_of(entry: TypedEntry) -> Field | None:
    """Return the field that a key means."""
    record = meaning_of(entry.branch).record if entry.branch is not None else None
    return (record.get(entry.key) or record.entry) if record is not None else None
