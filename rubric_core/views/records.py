"""A mapping held against its record in the table of fields: what is unknown, missing, of the wrong type or an alias."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rubric_core.schema.evaluators import evaluator_record
from rubric_core.schema.fields import FieldType
from rubric_core.schema.records import RECORDS, record_below
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import Kind, YamlVersion, is_blank, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.schema.fields import Field, Record

_SHAPES = {
    Kind.NULL: FieldType.NULL,
    Kind.BOOLEAN: FieldType.BOOLEAN,
    Kind.INTEGER: FieldType.INTEGER,
    Kind.FLOAT: FieldType.FLOAT,
    Kind.STRING: FieldType.STRING,
}


class Mistyped(NamedTuple):
    """A value whose shape its field does not accept. `key` is None for an item of a list."""

    key: Pair | None
    value: Node
    field: Field
    shape: FieldType
    accepted: FieldType


class RecordView:
    """One mapping and what the table says of its keys. Every list is empty for a sound mapping."""

    __slots__ = ("aliased", "mapping", "missing", "mistyped", "parent", "record", "unknown")

    def __init__(self, record: Record, mapping: Mapping, parent: RecordView | None) -> None:
        self.record = record
        self.mapping = mapping
        self.parent = parent
        # Keys that the table does not have.
        self.unknown: list[Pair] = []
        self.mistyped: list[Mistyped] = []
        # Required fields that are not there under any name, or that are null or blank.
        self.missing: list[Field] = []
        # Fields under another key than their first name, in the order of the text.
        self.aliased: list[tuple[Pair, Field]] = []

    @property
    def is_sound(self) -> bool:
        """Tell whether there is nothing to report."""
        return not (self.unknown or self.mistyped or self.missing or self.aliased or self.mapping.duplicates)

    def pairs_of(self, field: Field) -> list[Pair]:
        """Return the pairs that stand for a field, under its name or an alias, in the order of the text."""
        keys = field.keys
        return [pair for pair in self.mapping.pairs if pair.name in keys]


def shape_of(node: Node, version: YamlVersion) -> FieldType:
    """Return the shape of a value, in the terms of the table."""
    if isinstance(node, Scalar):
        return _SHAPES[resolve(node, version).kind]
    return FieldType.MAPPING if isinstance(node, Mapping) else FieldType.SEQUENCE


def field_value(mapping: Mapping, field: Field) -> Node | None:
    """Return the value of a field under its name or, if that is absent, the first alias that is there."""
    for key in field.keys:
        pair = mapping.index.get(key)
        if pair is not None:
            return pair.value
    return None


def read_record(record: Record, mapping: Mapping, version: YamlVersion, parent: RecordView | None = None) -> RecordView:
    """Hold a mapping against its record."""
    view = RecordView(record, mapping, parent)
    by_key = record.by_key
    for pair in mapping.pairs:
        name = pair.name
        field = by_key.get(name) if name is not None else None
        if field is None:
            field = record.entry
            if field is None:
                if not record.open:
                    view.unknown.append(pair)
                continue
        elif name != field.name:
            view.aliased.append((pair, field))
        _check_type(view, pair, field, name, version)
    for field in record.required:
        value = field_value(mapping, field)
        if value is None or (isinstance(value, Scalar) and is_blank(value)):
            view.missing.append(field)
    return view


def _check_type(view: RecordView, pair: Pair, field: Field, name: str | None, version: YamlVersion) -> None:
    accepted = field.type_of(name) if name is not None and field.alias_types else field.type
    value = pair.value
    shape = shape_of(value, version)
    # Nothing behind a key counts as absent: the rules for missing fields speak of it where it matters.
    if shape is not FieldType.NULL and not accepted.value & shape.value:
        view.mistyped.append(Mistyped(pair, value, field, shape, accepted))
    elif field.items is not None and isinstance(value, Sequence):
        for item in value.items:
            item_shape = shape_of(item, version)
            if not field.items.value & item_shape.value:
                view.mistyped.append(Mistyped(None, item, field, item_shape, field.items))


def walk_records(
    record: Record,
    mapping: Mapping,
    version: YamlVersion,
    parent: RecordView | None = None,
    skip: frozenset[str] = frozenset(),
) -> Iterator[RecordView]:
    """Give the views of a mapping and of every record below it, outermost first, but not below the keys to skip."""
    view = read_record(record, mapping, version, parent)
    yield view
    for pair in mapping.pairs:
        name = pair.name
        if name in skip:
            continue
        field = record.by_key.get(name, record.entry) if name is not None else record.entry
        if field is None or field.record is None:
            continue
        value = pair.value
        if isinstance(value, Mapping):
            below = record_below(field, FieldType.MAPPING)
            if below is not None and FieldType.MAPPING in field.type_of(name or ""):
                yield from walk_records(_exact(below, value), value, version, view)
        elif isinstance(value, Sequence):
            below = record_below(field, FieldType.SEQUENCE)
            if below is not None:
                for item in value.items:
                    if isinstance(item, Mapping):
                        yield from walk_records(_exact(below, item), item, version, view)


def _exact(record: Record, mapping: Mapping) -> Record:
    """Return the record of an evaluator's own type where the general one is meant."""
    if record.name != "evaluator":
        return record
    kind = mapping.get("type")
    return evaluator_record(kind.value if isinstance(kind, Scalar) else None)


def record_named(name: str) -> Record:
    """Return a record of the table."""
    return RECORDS[name]
