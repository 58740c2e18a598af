"""The tables of all dialects agree with themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from ruamel.yaml import YAML

from rubric_core.dialects.registry import DIALECTS
from rubric_core.schema.fields import Effect, Field, FieldType

if TYPE_CHECKING:
    from rubric_core.dialects.dialect import Dialect

every_dialect = pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
SHAPES = {
    str: FieldType.STRING,
    bool: FieldType.BOOLEAN,
    int: FieldType.INTEGER,
    float: FieldType.FLOAT,
    list: FieldType.SEQUENCE,
    dict: FieldType.MAPPING,
}


def fields_of(dialect: Dialect) -> list[Field]:
    """Return the fields of all records, those of keys of any name among them."""
    records = dialect.table.records.values()
    return [field for record in records for field in (*record.fields, *([record.entry] if record.entry else []))]


@every_dialect
def test_a_record_is_documented_and_no_two_of_its_fields_share_a_key(dialect: Dialect) -> None:
    """Otherwise one of them could never be written. It is found under its own name."""
    for name, record in dialect.table.records.items():
        keys = [key for field in record.fields for key in field.keys]
        assert sorted(keys) == sorted(set(keys)), name
        assert record.doc.endswith("."), name
        assert record.name == name


@every_dialect
def test_a_field_is_documented_and_refers_to_records_that_exist(dialect: Dialect) -> None:
    """What a field points at is in the same table."""
    for field in fields_of(dialect):
        assert field.doc.endswith("."), field.name
        assert field.doc[0].isupper() or field.doc[0] == "`", field.name
        assert set(dict(field.aliases.types)) <= set(field.keys)
        for name in (field.record, field.mapping_record):
            assert name is None or name in dialect.table.records
        if field.record is not None:
            assert field.accepts(FieldType.MAPPING | FieldType.SEQUENCE)
        if field.unread is not None:
            assert not field.unread.endswith(".")
            assert not field.required
            assert field.role is None


@every_dialect
def test_a_placeholder_is_a_value_that_the_field_accepts(dialect: Dialect) -> None:
    """What a fix inserts must not be the next problem."""
    for field in [field for field in fields_of(dialect) if field.placeholder is not None]:
        value = YAML(typ="safe", pure=True).load(field.placeholder)
        # Where `TODO` does not fit, there is no fix, since fixes are verified.
        assert field.accepts(SHAPES[type(value)]) or value == "TODO"
        if isinstance(value, list) and field.items is not None:
            assert all(field.items & SHAPES[type(item)] for item in value)
        if field.values:
            assert value in field.values
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            assert field.limits.minimum is None or value >= field.limits.minimum
            assert field.limits.above is None or value > field.limits.above
            assert field.limits.maximum is None or value <= field.limits.maximum


@every_dialect
def test_a_removed_key_is_no_field_and_names_what_to_write(dialect: Dialect) -> None:
    """The new name is a key of the same record, and without one there is advice."""
    removals = [(record, *item) for record in dialect.table.records.values() for item in record.removed.items()]
    for record, key, removed in removals:
        assert key not in record.by_key
        assert removed.instead is None or removed.instead in record.by_key
        assert removed.instead is not None or removed.advice is not None
        assert removed.instead not in record.deprecated
        assert removed.advice is None or not removed.advice.endswith(".")


@every_dialect
def test_names_of_types_are_either_of_today_or_old_or_removed(dialect: Dialect) -> None:
    """Each type has a record; an old or removed name leads to a type of today."""
    table = dialect.table
    assert {f"evaluator:{kind}" for kind in table.types.names} <= set(table.records)
    names = [*table.types.names, *table.types.old, *table.types.removed]
    assert len(names) == len(set(names))
    assert set(table.types.old.values()) <= set(table.types.names)
    for removed in table.types.removed.values():
        assert removed.instead is None or removed.instead in table.types.names
        assert removed.instead is not None or removed.advice is not None
        assert removed.effect in {Effect.DROPPED, Effect.SKIPPED, Effect.SCORES_0}
