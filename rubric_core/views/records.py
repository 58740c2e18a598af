"""A mapping compared with its record in the table of fields: unknown, missing and mistyped fields, and aliases."""

from collections.abc import Collection
from typing import NamedTuple

from rubric_core.dialects.dialect import Dialect
from rubric_core.schema.fields import FREE_FORM, Field, FieldType, Record, Role
from rubric_core.schema.suggest import closest
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, ScalarStyle, Sequence
from rubric_core.syntax.scalars import (
    LONGEST_WORD,
    NUMBER_STARTS,
    ScalarKind,
    YamlVersion,
    is_blank,
    kind_of,
)
from rubric_core.views.texts import first_filled

# Constants of bits, since these are looked up for every value of every case, and members of an Enum are slow.
_PLAIN = ScalarStyle.PLAIN
_CRITERIA = Role.CRITERIA
_V1_2 = YamlVersion.V1_2
_STRING = FieldType.STRING.value
_NULL = FieldType.NULL.value
_MAPPING = FieldType.MAPPING.value
_SEQUENCE = FieldType.SEQUENCE.value
_BITS = {
    ScalarKind.STRING: _STRING,
    ScalarKind.NULL: _NULL,
    ScalarKind.BOOLEAN: FieldType.BOOLEAN.value,
    ScalarKind.INTEGER: FieldType.INTEGER.value,
    ScalarKind.FLOAT: FieldType.FLOAT.value,
}


class Mistyped(NamedTuple):
    """A value whose shape its field does not accept. `key` is None for an item of a list."""

    key: Pair | None
    value: Node
    field: Field
    shape: FieldType
    accepted: FieldType


class RecordView:
    """One mapping compared with the table. Every list is empty if the mapping fits its record."""

    __slots__ = (
        *("aliased", "empty", "mapping", "misplaced", "missing", "mistyped", "record", "removed", "unknown"),
        "unread",
    )

    def __init__(self, record: Record, mapping: Mapping) -> None:
        self.record = record
        self.mapping = mapping
        # Keys that the table does not have, and those that earlier releases had.
        self.unknown: list[Pair] = []
        self.removed: list[Pair] = []
        # Keys that belong elsewhere.
        self.misplaced: list[Pair] = []
        # Keys that are legal and never read, each with its field.
        self.unread: list[tuple[Pair, Field]] = []
        self.mistyped: list[Mistyped] = []
        # Empty lists where the upstream tool needs an item, each with its field.
        self.empty: list[tuple[Pair, Field]] = []
        # Required fields that are absent under all names, null or blank.
        self.missing: list[Field] = []
        # Fields under another key than their first name, in the order of the text.
        self.aliased: list[tuple[Pair, Field]] = []

    @property
    def is_clean(self) -> bool:
        """Return whether the mapping fits its record and repeats no key."""
        keys = self.unknown or self.removed or self.misplaced or self.unread or self.missing or self.aliased
        return not (keys or self.lacks_all or self.mistyped or self.empty or self.mapping.duplicates)

    @property
    def lacks_all(self) -> bool:
        """Return whether all fields are absent of which the record requires one."""
        return _lacks_all(self.record, self.mapping.index)

    def pairs_of(self, field: Field) -> list[Pair]:
        """Return the pairs of a field, under its name or an alias, in the order of the text."""
        keys = field.keys
        return [pair for pair in self.mapping.pairs if pair.name in keys]


def _lacks_all(record: Record, names: Collection[str | None]) -> bool:
    return record.reports_missing and bool(record.one_of) and not any(name in names for name in record.one_of)


def shape_of(node: Node, version: YamlVersion) -> FieldType:
    """Return the shape of a value, in the terms of the table."""
    return FieldType(_shape_bit(node, version))


def _shape_bit(node: Node, version: YamlVersion) -> int:
    if isinstance(node, Scalar):
        return _BITS[kind_of(node, version)]
    return _MAPPING if isinstance(node, Mapping) else _SEQUENCE


def is_empty_list(node: Node | None) -> bool:
    """Return whether a value is a list without items."""
    return isinstance(node, Sequence) and not node.items


def field_value(mapping: Mapping, field: Field) -> Node | None:
    """Return the value of a field under its name or, if that is absent or blank, under the first filled alias."""
    pair = first_filled(mapping, field.keys)
    return pair.value if pair is not None else None


def read_record(record: Record, mapping: Mapping, version: YamlVersion, dialect: Dialect) -> RecordView:
    """Compare a mapping with its record."""
    return _read(_sheets[dialect, record.name], mapping, version, []) or RecordView(record, mapping)


def records_with_problems(
    record: Record, mapping: Mapping, version: YamlVersion, dialect: Dialect, skip: frozenset[str] = frozenset()
) -> list[RecordView]:
    """Return the views that are not clean, of a mapping and of every record below it; none below the keys to skip."""
    views: list[RecordView] = []
    below: list[tuple[_Sheet, Mapping]] = []
    general = _sheets[dialect, "evaluator"]
    view = _read(_sheets[dialect, record.name], mapping, version, below, skip)
    while True:
        if view is not None:
            views.append(view)
        if not below:
            return views
        sheet, mapping = below.pop()
        if sheet is general:
            sheet = _sheets[dialect, _exact(mapping, dialect).name]
        view = _read(sheet, mapping, version, below)


# What is valid under one key: the bits of the shapes of the value and of its items, whether it is required, the records
# of a mapping and of the items of a list, and the field. The bits of the items are 0 if the list may have anything.
# This is a plain tuple because unpacking one is twice as fast.
_Slot = tuple[int, int, bool, "_Sheet | None", "_Sheet | None", Field]


class _Plan(NamedTuple):
    """The entries of the table for a list of keys, None for unknown keys, and whether the keys alone are clean."""

    slots: tuple[_Slot | None, ...]
    is_clean: bool


class _Sheet:
    """A record of a dialect, and the plans for the lists of keys that mappings of it have had.

    The keys are the same few lists in every case of a file, so each list is compared with the record once.
    """

    __slots__ = ("dialect", "plans", "record")

    def __init__(self, record: Record, dialect: Dialect) -> None:
        self.record = record
        self.dialect = dialect
        self.plans: dict[tuple[str | None, ...], _Plan] = {}


_MOST_WORDS = 4096
_plain_bits: dict[str, int] = {}
_MOST_PLANS = 1024


class _Sheets(dict[tuple[Dialect, str], _Sheet]):
    """Every sheet by its dialect and the name of its record, made on demand."""

    def __missing__(self, key: tuple[Dialect, str]) -> _Sheet:
        dialect, name = key
        sheet = self[key] = _Sheet(dialect.records[name], dialect)
        return sheet


_sheets = _Sheets()


def _make_plan(sheet: _Sheet, names: tuple[str | None, ...]) -> _Plan:
    record, dialect, plans = sheet.record, sheet.dialect, sheet.plans
    fields = [record.by_key.get(name, record.entry) if name is not None else record.entry for name in names]
    has_own_names = all(
        _is_allowed(record, name) if field is None else name == field.name or field is record.entry
        for name, field in zip(names, fields, strict=True)
    )
    is_complete = all(field.name in names for field in record.required)
    is_complete = is_complete and not _lacks_all(record, names)
    slots = tuple(
        None if field is None else _make_slot(field, None if field is record.entry else name, dialect)
        for name, field in zip(names, fields, strict=True)
    )
    is_read = not any(field is not None and field.unread for field in fields)
    if len(plans) >= _MOST_PLANS:
        plans.clear()
    plan = plans[names] = _Plan(slots, has_own_names and is_complete and is_read)
    return plan


def _is_allowed(record: Record, name: str | None) -> bool:
    """Return whether a record allows a key that is not in it."""
    if name in record.removed or name in record.other_keys.misplaced:
        return False
    if name is not None and record.other_keys.allow(name):
        return True
    if not record.open or name is None or record.other_keys.misspelt is None:
        return record.open
    return closest(name, record.by_key) is None


def _make_slot(field: Field, name: str | None, dialect: Dialect) -> _Slot:
    mask = field.type_of(name).value if name is not None else field.mask
    in_mapping = dialect.below(field, FieldType.MAPPING) if field.record is not None and mask & _MAPPING else None
    in_sequence = dialect.below(field, FieldType.SEQUENCE) if field.record is not None else None
    sheets = [_sheets[dialect, record.name] if record is not None else None for record in (in_mapping, in_sequence)]
    return mask, field.items_mask, field.required, sheets[0], sheets[1], field


def _read(  # noqa: C901, PLR0912 - a call for each value would double its time.
    sheet: _Sheet,
    mapping: Mapping,
    version: YamlVersion,
    below: list[tuple[_Sheet, Mapping]],
    skip: frozenset[str] = frozenset(),
) -> RecordView | None:
    """Return the view of a mapping that is not clean, and collect the records directly below it."""
    index, pairs = mapping.index, mapping.pairs
    names = tuple(index) if len(index) == len(pairs) else tuple(pair.name for pair in pairs)
    plan = sheet.plans.get(names) or _make_plan(sheet, names)
    mistyped: list[Mistyped] = []
    is_clean = plan.is_clean and not mapping.duplicates
    for slot, pair in zip(plan.slots, pairs, strict=False):
        if slot is None:
            continue
        mask, items_mask, required, in_mapping, in_sequence, field = slot
        value = pair.value
        if isinstance(value, Scalar):
            if value.style is not _PLAIN or value.meta is not None or version is not _V1_2:
                bit = _shape_bit(value, version)
                is_missing = required and is_blank(value)
            else:
                text = value.value
                is_word = len(text) > LONGEST_WORD and text[0] not in NUMBER_STARTS
                bit = _STRING if is_word else _plain_bits.get(text) or _plain_bit(text)
                if mask & bit and not required:
                    continue
                is_missing = required and (bit == _NULL or text.isspace())
            if is_missing:
                is_clean = False
            # A key without a value counts as absent: the rules for missing fields report it.
            if not mask & bit and bit != _NULL:
                mistyped.append(Mistyped(pair, value, field, FieldType(bit), FieldType(mask)))
        elif isinstance(value, Mapping):
            if not mask & _MAPPING or (in_mapping and _is_lone_item(in_mapping.record, value, field)):
                mistyped.append(Mistyped(pair, value, field, FieldType.MAPPING, FieldType(mask & ~_MAPPING)))
            # In a free-form mapping only a repeated key can be wrong.
            elif (
                in_mapping
                and (in_mapping.record is not FREE_FORM or value.duplicates)
                and (pair.name not in skip or field.mapping_record is not None)
            ):
                below.append((in_mapping, value))
        else:
            items: list[Node] = value.items  # type: ignore[attr-defined]
            mappings = [(in_sequence, item) for item in items if isinstance(item, Mapping)] if in_sequence else []
            if not mask & _SEQUENCE:
                mistyped.append(Mistyped(pair, value, field, FieldType.SEQUENCE, FieldType(mask)))
            elif items_mask and (not items_mask & _MAPPING or len(mappings) != len(items)):
                mistyped += _mistyped_items(items, items_mask, field, version)
            # If a text is allowed, a list of mappings without any key of the record is a text for the judge.
            is_text = mask & _STRING and field.role is _CRITERIA and mappings and not _resemble(mappings)
            if not is_text and pair.name not in skip:
                below += mappings
            if not items and field.limits.empty is not None:
                is_clean = False
    return None if is_clean and not mistyped else _view(sheet.record, mapping, plan, mistyped)


def _is_lone_item(record: Record, mapping: Mapping, field: Field) -> bool:
    """Return whether a mapping that is valid alone or as an item is neither."""
    without, key = record.condition
    is_other = field.mapping_record is not None and key is not None
    return is_other and key not in mapping.index and without.isdisjoint(mapping.index)


def _resemble(mappings: list[tuple[_Sheet, Mapping]]) -> bool:
    """Return whether one of the mappings has a key that its record has or had."""
    record = mappings[0][0].record
    keys = record.by_key.keys() | record.removed.keys()
    return any(not keys.isdisjoint(mapping.index) for _, mapping in mappings)


def _view(record: Record, mapping: Mapping, plan: _Plan, mistyped: list[Mistyped]) -> RecordView | None:
    if not record.condition.holds(mapping.index):
        return None
    view = RecordView(record, mapping)
    view.mistyped = mistyped
    for slot, pair in zip(plan.slots, mapping.pairs, strict=True):
        if slot is None:
            if pair.name in record.removed:
                view.removed.append(pair)
            elif pair.name in record.other_keys.misplaced:
                view.misplaced.append(pair)
            elif not _is_allowed(record, pair.name):
                view.unknown.append(pair)
            continue
        field = slot[-1]
        if field.unread:
            view.unread.append((pair, field))
        if field.limits.empty is not None and is_empty_list(pair.value):
            view.empty.append((pair, field))
        if pair.name != field.name and field is not record.entry:
            view.aliased.append((pair, field))
    for field in record.required:
        value = field_value(mapping, field)
        if value is None or is_blank(value):
            view.missing.append(field)
    return None if view.is_clean else view


def _mistyped_items(items: list[Node], mask: int, field: Field, version: YamlVersion) -> list[Mistyped]:
    mistyped: list[Mistyped] = []
    for item in items:
        if isinstance(item, Scalar) and item.style is _PLAIN and version is _V1_2 and item.meta is None:
            text = item.value
            is_word = len(text) > LONGEST_WORD and text[0] not in NUMBER_STARTS
            bit = _STRING if is_word else _plain_bits.get(text) or _plain_bit(text)
        else:
            bit = _shape_bit(item, version)
        if not mask & bit:
            mistyped.append(Mistyped(None, item, field, FieldType(bit), FieldType(mask)))
    return mistyped


def _plain_bit(text: str) -> int:
    """Return the shape of a plain scalar by YAML 1.2, and cache it: most short ones are weights and scores."""
    if len(_plain_bits) >= _MOST_WORDS:
        _plain_bits.clear()
    result = _plain_bits[text] = _shape_bit(Scalar(0, 0, text, _PLAIN), _V1_2)
    return result


def _exact(mapping: Mapping, dialect: Dialect) -> Record:
    """Return the record of an evaluator of its own type."""
    kind = mapping.get("type")
    return dialect.evaluator(kind.value if isinstance(kind, Scalar) else None)
