"""A mapping held against its record in the table of fields: what is unknown, missing, of the wrong type or an alias."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rubric_core.schema.evaluators import EVALUATOR, evaluator_record
from rubric_core.schema.fields import FieldType
from rubric_core.schema.records import FREE_FORM, record_below
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, Sequence, Style
from rubric_core.syntax.scalars import (
    LONGEST_WORD,
    NOT_ONLY_STRINGS,
    NUMBER_STARTS,
    Kind,
    YamlVersion,
    is_blank,
    kind_of,
)
from rubric_core.views.texts import first_filled

if TYPE_CHECKING:
    from collections.abc import Container

    from rubric_core.schema.fields import Field, Record

# Bits instead of members: both are looked up for every value of every case, and members of an Enum are slow there.
_PLAIN = Style.PLAIN
_V1_2 = YamlVersion.V1_2
_STRING = FieldType.STRING.value
_NULL = FieldType.NULL.value
_MAPPING = FieldType.MAPPING.value
_SEQUENCE = FieldType.SEQUENCE.value
_BITS = {
    Kind.STRING: _STRING,
    Kind.NULL: _NULL,
    Kind.BOOLEAN: FieldType.BOOLEAN.value,
    Kind.INTEGER: FieldType.INTEGER.value,
    Kind.FLOAT: FieldType.FLOAT.value,
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
        return _BITS[kind_of(node, version)]
    return _MAPPING if isinstance(node, Mapping) else _SEQUENCE


def field_value(mapping: Mapping, field: Field) -> Node | None:
    """Return the value of a field under its name or, if that is absent or blank, under the first alias that is not."""
    pair = first_filled(mapping, field.keys)
    return pair.value if pair is not None else None


def read_record(record: Record, mapping: Mapping, version: YamlVersion) -> RecordView:
    """Hold a mapping against its record."""
    view = RecordView(record, mapping)
    _read(view, version, [])
    return view


def unsound_records(
    record: Record,
    mapping: Mapping,
    version: YamlVersion,
    skip: frozenset[str] = frozenset(),
    settled: Container[int] = frozenset(),
) -> list[RecordView]:
    """Return the views that are not sound, of a mapping and of every record below it; none below the keys to skip.

    `settled` holds the ids of the lists whose items are known to be sound, so that these need not be looked at again.
    """
    found: list[RecordView] = []
    below: list[tuple[Record, Mapping]] = []
    if skip:
        _read_unsound(record, mapping, version, below, found, skip)
    else:
        below.append((record, mapping))
    while below:
        record, mapping = below.pop()
        if record is EVALUATOR:
            record = _exact(mapping)
        # What a quick look collected below a mapping that turned out to be unsound is collected again.
        count = len(below)
        if not _looks_sound(record, mapping, version, below, settled):
            del below[count:]
            _read_unsound(record, mapping, version, below, found)
    return found


def _read_unsound(  # noqa: PLR0913, PLR0917 - what is known of the mapping, and the lists that grow.
    record: Record,
    mapping: Mapping,
    version: YamlVersion,
    below: list[tuple[Record, Mapping]],
    found: list[RecordView],
    skip: frozenset[str] = frozenset(),
) -> None:
    view = RecordView(record, mapping)
    _read(view, version, below, skip)
    if not view.is_sound:
        found.append(view)


class _Slot(NamedTuple):
    """What may stand behind one key: bits of the shapes of the value and of its items, and the records below it.

    The bits of the items are 0 where anything may stand in the list.
    """

    mask: int
    items_mask: int
    required: bool
    in_mapping: Record | None
    in_sequence: Record | None


# The keys of mappings are the same few lists in every case of a file, so each list is held against its record once.
# None stands for keys that have something to report.
_MOST_PLANS = 4096
_plans: dict[str, dict[tuple[str, ...], tuple[_Slot, ...] | None]] = {}
_plain_bits: dict[str, int] = {}
_ANYTHING = FieldType.ANYTHING.value


def _looks_sound(  # noqa: C901, PLR0911, PLR0912 - a call for each value would double its time.
    record: Record,
    mapping: Mapping,
    version: YamlVersion,
    below: list[tuple[Record, Mapping]],
    settled: Container[int],
) -> bool:
    """Tell whether a mapping is sound, and collect the records below it; rare shapes may be called unsound.

    This is what `_read` finds for nearly all mappings, at a third of the cost.
    """
    index = mapping.index
    if len(index) != len(mapping.pairs):
        return False
    names = tuple(index)
    known = _plans.get(record.name)
    if known is None:
        known = _plans[record.name] = {}
    if names in known:
        plan = known[names]
    else:
        if len(known) >= _MOST_PLANS:
            known.clear()
        plan = known[names] = _plan(record, names)
    if plan is None:
        return False
    for (mask, items_mask, required, in_mapping, in_sequence), pair in zip(plan, index.values(), strict=False):
        value = pair.value
        if isinstance(value, Scalar):
            if value.style is _PLAIN and version is _V1_2 and value.meta is None:
                text = value.value
                bit = _STRING if text and text[0] not in NOT_ONLY_STRINGS else _plain_bits.get(text) or _plain_bit(text)
                if not mask & bit or (required and bit == _NULL):
                    return False
            elif not mask & _shape_bit(value, version) or (required and is_blank(value)):
                return False
        elif isinstance(value, Mapping):
            if not mask & _MAPPING:
                return False
            # In a free-form mapping only a repeated key can be wrong.
            if in_mapping is not None and (in_mapping is not FREE_FORM or value.duplicates):
                below.append((in_mapping, value))
        else:
            if not mask & _SEQUENCE:
                return False
            if not (items_mask or in_sequence) or id(value) in settled:
                continue
            for item in value.items:  # type: ignore[attr-defined]
                if isinstance(item, Mapping):
                    if items_mask and not items_mask & _MAPPING:
                        return False
                    if in_sequence is not None:
                        below.append((in_sequence, item))
                elif items_mask and not items_mask & (
                    _plain_bits.get(item.value) or _plain_bit(item.value)
                    if isinstance(item, Scalar) and item.style is _PLAIN and version is _V1_2 and item.meta is None
                    else _shape_bit(item, version)
                ):
                    return False
    return True


def _plain_bit(text: str) -> int:
    """Return the shape of a plain scalar by YAML 1.2, and remember that of a short one: most are weights and scores."""
    if len(text) > LONGEST_WORD and text[0] not in NUMBER_STARTS:
        return _STRING
    if len(_plain_bits) >= _MOST_PLANS:
        _plain_bits.clear()
    result = _plain_bits[text] = _shape_bit(Scalar(0, 0, text, _PLAIN), _V1_2)
    return result


def _plan(record: Record, names: tuple[str, ...]) -> tuple[_Slot, ...] | None:
    """Return what may stand behind each of the keys; None where the keys themselves have something to report."""
    slots: list[_Slot] = []
    for name in names:
        field = record.by_key.get(name)
        if field is None:
            field = record.entry
            if field is None and not record.open:
                return None
        elif name != field.name:
            return None
        slots.append(_slot(field) if field is not None else _FREE)
    missing = any(field.name not in names for field in record.required)
    return None if missing else tuple(slots)


def _slot(field: Field) -> _Slot:
    in_mapping = record_below(field, FieldType.MAPPING) if field.record is not None and field.mask & _MAPPING else None
    in_sequence = record_below(field, FieldType.SEQUENCE) if field.record is not None else None
    return _Slot(field.mask, field.items_mask, field.required, in_mapping, in_sequence)


_FREE = _Slot(_ANYTHING, 0, required=False, in_mapping=None, in_sequence=None)


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
            below.append((inner, value))
    elif isinstance(value, Sequence):
        inner = record_below(field, FieldType.SEQUENCE)
        if inner is not None:
            below += [(inner, item) for item in value.items if isinstance(item, Mapping)]


def _exact(mapping: Mapping) -> Record:
    """Return the record of an evaluator of its own type."""
    kind = mapping.get("type")
    return evaluator_record(kind.value if isinstance(kind, Scalar) else None)
