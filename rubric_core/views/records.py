"""A mapping held against its record in the table of fields: what is unknown, missing, of the wrong type or an alias."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rubric_core.schema.evaluators import evaluator_record
from rubric_core.schema.fields import FieldType
from rubric_core.schema.records import record_below
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence
from rubric_core.syntax.scalars import Kind, YamlVersion, is_blank, kind_of

if TYPE_CHECKING:
    from rubric_core.schema.fields import Field, Record

# Bits instead of members: both are looked up for every value of every case, and members of an Enum are slow there.
_STRING_KIND = Kind.STRING
_STRING = FieldType.STRING.value
_NULL = FieldType.NULL.value
_MAPPING = FieldType.MAPPING.value
_SEQUENCE = FieldType.SEQUENCE.value
_BITS = {
    Kind.NULL.value: _NULL,
    Kind.BOOLEAN.value: FieldType.BOOLEAN.value,
    Kind.INTEGER.value: FieldType.INTEGER.value,
    Kind.FLOAT.value: FieldType.FLOAT.value,
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

    __slots__ = ("aliased", "mapping", "missing", "mistyped", "record", "unknown")

    def __init__(self, record: Record, mapping: Mapping) -> None:
        self.record = record
        self.mapping = mapping
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
    return FieldType(_shape_bit(node, version))


def _shape_bit(node: Node, version: YamlVersion) -> int:
    if isinstance(node, Scalar):
        kind = kind_of(node, version)
        return _STRING if kind is _STRING_KIND else _BITS[kind.value]
    return _MAPPING if isinstance(node, Mapping) else _SEQUENCE


def field_value(mapping: Mapping, field: Field) -> Node | None:
    """Return the value of a field under its name or, if that is absent, the first alias that is there."""
    for key in field.keys:
        pair = mapping.index.get(key)
        if pair is not None:
            return pair.value
    return None


def read_record(record: Record, mapping: Mapping, version: YamlVersion) -> RecordView:
    """Hold a mapping against its record."""
    view = RecordView(record, mapping)
    _read(view, version, [])
    return view


def unsound_records(
    record: Record, mapping: Mapping, version: YamlVersion, skip: frozenset[str] = frozenset()
) -> list[RecordView]:
    """Return the views that are not sound, of a mapping and of every record below it; none below the keys to skip."""
    found: list[RecordView] = []
    below: list[tuple[Record, Mapping]] = []
    view = RecordView(record, mapping)
    _read(view, version, below, skip)
    if not view.is_sound:
        found.append(view)
        view = RecordView(record, mapping)
    while below:
        # A view that turned out to be sound serves for the next mapping: nearly all of them are.
        view.record, view.mapping = below.pop()
        _read(view, version, below)
        if not view.is_sound:
            found.append(view)
            view = RecordView(view.record, view.mapping)
    return found


def _read(
    view: RecordView, version: YamlVersion, below: list[tuple[Record, Mapping]], skip: frozenset[str] = frozenset()
) -> None:
    """Fill a view, and collect the records directly below its mapping."""
    record, mapping = view.record, view.mapping
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
        _check_type(view, pair, field, version)
        if field.record is not None and name not in skip:
            _collect_below(pair.value, field, name or "", below)
    for field in record.required:
        value = field_value(mapping, field)
        if value is None or (isinstance(value, Scalar) and is_blank(value)):
            view.missing.append(field)


def _check_type(view: RecordView, pair: Pair, field: Field, version: YamlVersion) -> None:
    mask = field.type_of(pair.name).value if field.alias_types and pair.name is not None else field.mask
    value = pair.value
    bit = _shape_bit(value, version)
    # Nothing behind a key counts as absent: the rules for missing fields speak of it where it matters.
    if not mask & bit and bit != _NULL:
        view.mistyped.append(Mistyped(pair, value, field, FieldType(bit), FieldType(mask)))
    elif bit == _SEQUENCE and field.items is not None and isinstance(value, Sequence):
        for item in value.items:
            bit = _shape_bit(item, version)
            if not field.items_mask & bit:
                view.mistyped.append(Mistyped(None, item, field, FieldType(bit), field.items))


def _collect_below(value: Node, field: Field, name: str, below: list[tuple[Record, Mapping]]) -> None:
    """Collect the records that a value holds: itself, or the items of a list."""
    if isinstance(value, Mapping):
        inner = record_below(field, FieldType.MAPPING)
        if inner is not None and field.type_of(name).value & _MAPPING:
            below.append((_exact(inner, value), value))
    elif isinstance(value, Sequence):
        inner = record_below(field, FieldType.SEQUENCE)
        if inner is not None:
            below += [(_exact(inner, item), item) for item in value.items if isinstance(item, Mapping)]


def _exact(record: Record, mapping: Mapping) -> Record:
    """Return the record of an evaluator's own type where the general one is meant."""
    if record.name != "evaluator":
        return record
    kind = mapping.get("type")
    return evaluator_record(kind.value if isinstance(kind, Scalar) else None)
