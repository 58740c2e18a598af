"""The tables of AgentV 4 and AgentV 5 agree with themselves and with what those releases read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from ruamel.yaml import YAML

from rubric_core.dialects.agentv.records import RECORDS as RECORDS_2
from rubric_core.dialects.agentv_4 import DIALECT as AGENTV_4
from rubric_core.dialects.agentv_5 import DIALECT as AGENTV_5
from rubric_core.dialects.registry import DIALECTS
from rubric_core.schema.fields import Effect, Field, FieldType, Record, Role

if TYPE_CHECKING:
    from rubric_core.dialects.dialect import Dialect
    from rubric_core.schema.table import Table


FOUR = AGENTV_4.table
FIVE = AGENTV_5.table
NAMED = (("agentv-4", FOUR), ("agentv-5", FIVE))
TABLES = [pytest.param(table, id=name) for name, table in NAMED]
EVERY_RECORD = [
    pytest.param(record, id=f"{name}:{record.name}") for name, table in NAMED for record in table.records.values()
]
SHAPES = {
    str: FieldType.STRING,
    bool: FieldType.BOOLEAN,
    int: FieldType.INTEGER,
    float: FieldType.FLOAT,
    list: FieldType.SEQUENCE,
    dict: FieldType.MAPPING,
}
COMMON = {
    *("suite", "case", "execution", "turn", "message", "content-part", "tool-call", "criterion", "score-range"),
    *("score-map", "evaluator", "prompt-script", "scorecard", "scorecards", "weights", "red-flag", "bonus"),
    "free-form",
}


def _fields_of(record: Record) -> tuple[Field, ...]:
    return (*record.fields, *([record.entry] if record.entry else []))


@pytest.mark.parametrize("table", TABLES)
def test_records_have_the_names_that_views_look_up(table: Table) -> None:
    """A record is found under its own name, and those that every dialect has are there."""
    assert all(record.name == name for name, record in table.records.items())
    assert set(table.records) >= COMMON
    assert set(RECORDS_2) - set(table.records) == {name for name in RECORDS_2 if name.startswith("evaluator:")} - set(
        table.records
    )


@pytest.mark.parametrize("record", EVERY_RECORD)
def test_a_record_is_documented_and_no_two_of_its_fields_share_a_key(record: Record) -> None:
    """Otherwise one of them could never be written."""
    keys = [key for field in record.fields for key in field.keys]
    assert sorted(keys) == sorted(set(keys))
    assert record.doc.endswith(".")


@pytest.mark.parametrize("table", TABLES)
def test_a_field_is_documented_and_refers_to_records_that_exist(table: Table) -> None:
    """What a field points at is in the same table."""
    for field in (field for record in table.records.values() for field in _fields_of(record)):
        assert field.doc.endswith("."), field.name
        assert field.doc[0].isupper() or field.doc[0] == "`"
        for name in (field.record, field.mapping_record):
            assert name is None or name in table.records
        if field.record is not None:
            assert field.accepts(FieldType.MAPPING | FieldType.SEQUENCE)
        if field.items is not None:
            assert field.accepts(FieldType.SEQUENCE)
        if field.unread is not None:
            assert not field.unread.endswith(".")
            assert not field.required
            assert field.role is None


@pytest.mark.parametrize("record", EVERY_RECORD)
def test_a_placeholder_is_a_value_that_the_field_accepts(record: Record) -> None:
    """What a fix inserts must not be the next problem, and every required field has something to insert."""
    for field in _fields_of(record):
        if field.placeholder is None:
            assert not field.required, field.name
            continue
        value = YAML(typ="safe", pure=True).load(field.placeholder)
        assert field.accepts(SHAPES[type(value)])
        if isinstance(value, list) and field.items is not None:
            assert all(field.items & SHAPES[type(item)] for item in value)
        if field.values:
            assert value in field.values
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            assert field.minimum is None or value >= field.minimum
            assert field.above is None or value > field.above
            assert field.maximum is None or value <= field.maximum


@pytest.mark.parametrize("record", EVERY_RECORD)
def test_a_removed_key_is_no_field_and_names_what_to_write(record: Record) -> None:
    """The new name is a key of the same record, and without one there is advice."""
    for key, removed in record.removed.items():
        assert key not in record.by_key
        assert removed.instead is None or removed.instead in record.by_key
        assert removed.instead is not None or removed.advice is not None
        assert removed.instead not in record.deprecated
        assert removed.advice is None or not removed.advice.endswith(".")


@pytest.mark.parametrize("table", TABLES)
def test_every_type_has_its_record_with_the_keys_of_every_assertion(table: Table) -> None:
    """Only `include` stands by itself."""
    records = {name.removeprefix("evaluator:") for name in table.records if name.startswith("evaluator:")}
    assert records == set(table.types)
    assert len(table.types) == len(set(table.types))
    general = table.records["evaluator"]
    assert general.open
    assert not general.required
    for kind in table.types:
        record = table.records[f"evaluator:{kind}"]
        assert {field.name for field in general.fields} - {field.name for field in record.fields} == {"include"}
        assert set(record.removed) >= set(general.removed)


@pytest.mark.parametrize("table", TABLES)
def test_names_of_types_are_either_of_today_or_old_or_removed(table: Table) -> None:
    """An old or removed name leads to a type of today."""
    names = [*table.types, *table.old_types, *table.removed_types]
    assert len(names) == len(set(names))
    assert set(table.old_types.values()) <= set(table.types)
    for removed in table.removed_types.values():
        assert removed.instead is None or removed.instead in table.types
        assert removed.instead is not None or removed.advice is not None
        assert removed.effect in {Effect.DROPPED, Effect.SKIPPED, Effect.SCORES_0}
    assert set(table.records["evaluator"].by_key["type"].values) == {*table.types, *table.old_types}


@pytest.mark.parametrize("table", TABLES)
def test_roles_stand_in_every_dialect(table: Table) -> None:
    """Views find the text, the gate, the criteria and the assertions by their roles."""
    criterion = table.records["criterion"]
    assert criterion.keys_of(Role.TEXT) == ("outcome", "criteria")
    assert criterion.keys_of(Role.GATE) == ("min_score",)
    assert table.records["score-range"].keys_of(Role.TEXT) == ("outcome",)
    assert table.records["case"].keys_of(Role.TEXT) == ("criteria", "expected_outcome")
    for record in table.records.values():
        for field in record.by_role[Role.EVALUATORS]:
            assert field.record == "evaluator"
        for field in record.by_role[Role.CRITERIA]:
            assert field.record == "criterion"


@pytest.mark.parametrize(
    ("table", "record", "role", "keys"),
    [
        (FOUR, "suite", Role.EVALUATORS, ("assertions", "assert")),
        (FOUR, "suite-execution", Role.EVALUATORS, ("assertions", "assert", "evaluators")),
        (FOUR, "case", Role.EVALUATORS, ("assertions", "evaluators", "assert")),
        (FOUR, "execution", Role.EVALUATORS, ("evaluators",)),
        (FOUR, "turn", Role.EVALUATORS, ("assertions",)),
        (FOUR, "evaluator:composite", Role.EVALUATORS, ("assertions", "assert", "evaluators")),
        (FOUR, "case", Role.CRITERIA, ("rubrics",)),
        (FOUR, "evaluator:rubrics", Role.CRITERIA, ("criteria",)),
        (FOUR, "evaluator:llm-grader", Role.CRITERIA, ("rubrics",)),
        (FOUR, "case", Role.INPUT, ("input",)),
        (FOUR, "suite", Role.INPUT, ("input",)),
        (FOUR, "case", Role.REFERENCE, ("expected_output",)),
        (FIVE, "suite", Role.EVALUATORS, ("assert",)),
        (FIVE, "case", Role.EVALUATORS, ("assert",)),
        (FIVE, "execution", Role.EVALUATORS, ("assert",)),
        (FIVE, "default-test", Role.EVALUATORS, ("assert",)),
        (FIVE, "turn", Role.EVALUATORS, ("assert",)),
        (FIVE, "evaluator:assert-set", Role.EVALUATORS, ("assert",)),
        (FIVE, "evaluator:llm-rubric", Role.CRITERIA, ("value",)),
        (FIVE, "evaluator:agent-rubric", Role.CRITERIA, ("value",)),
        (FIVE, "raw-case", Role.INPUT, ("input",)),
        (FIVE, "raw-case", Role.REFERENCE, ("expected_output",)),
        (FIVE, "case", Role.INPUT, ()),
        (FIVE, "case", Role.REFERENCE, ()),
    ],
)
def test_keys_by_role(table: Table, record: str, role: Role, keys: tuple[str, ...]) -> None:
    """The main name comes first."""
    assert table.records[record].keys_of(role) == keys


@pytest.mark.parametrize(
    ("table", "record", "required"),
    [
        (FOUR, "suite", []),
        (FOUR, "case", ["id", "input"]),
        (FOUR, "criterion", []),
        (FOUR, "score-range", ["score_range", "outcome"]),
        (FOUR, "evaluator:llm-grader", []),
        (FOUR, "evaluator:code-grader", ["command"]),
        (FIVE, "suite", []),
        (FIVE, "case", ["id"]),
        (FIVE, "raw-case", ["id"]),
        (FIVE, "scenario-config", []),
        (FIVE, "scenario-case", []),
        (FIVE, "default-test", []),
        (FIVE, "criterion", []),
        (FIVE, "score-range", ["score_range", "outcome"]),
        (FIVE, "evaluator:llm-rubric", []),
        (FIVE, "evaluator:contains", ["value"]),
    ],
)
def test_required_fields(table: Table, record: str, required: list[str]) -> None:
    """A field is required where a release loses the test or the assertion without it."""
    assert [field.name for field in table.records[record].required] == required


@pytest.mark.parametrize(
    ("table", "record", "key", "effect", "instead"),
    [
        (FOUR, "suite", "evalcases", Effect.READ, "tests"),
        (FOUR, "suite", "cases", Effect.REFUSED, "tests"),
        (FOUR, "case", "input_messages", Effect.SKIPPED, "input"),
        (FOUR, "case", "expected_messages", Effect.IGNORED, "expected_output"),
        (FOUR, "criterion", "required_min_score", Effect.READ, "min_score"),
        (FOUR, "criterion", "expected_outcome", Effect.DROPPED, "outcome"),
        (FOUR, "score-range", "expected_outcome", Effect.SKIPPED, "outcome"),
        (FIVE, "suite", "evalcases", Effect.REFUSED, "tests"),
        (FIVE, "suite", "execution", Effect.REFUSED, None),
        (FIVE, "suite", "graders", Effect.REFUSED, None),
        (FIVE, "suite", "assertions", Effect.IGNORED, "assert"),
        (FIVE, "case", "input", Effect.REFUSED, None),
        (FIVE, "case", "rubrics", Effect.IGNORED, None),
        (FIVE, "execution", "evaluators", Effect.REFUSED, "assert"),
        (FIVE, "criterion", "required_min_score", Effect.SKIPPED, "min_score"),
        (FIVE, "evaluator:llm-rubric", "target", Effect.SKIPPED, "provider"),
        (FIVE, "evaluator:llm-rubric", "criteria", Effect.SKIPPED, "value"),
        (FIVE, "evaluator:script", "script", Effect.SKIPPED, "command"),
        (FIVE, "evaluator:assert-set", "assertions", Effect.DROPPED, "assert"),
    ],
)
def test_removed_keys(table: Table, record: str, key: str, effect: Effect, instead: str | None) -> None:
    """What a release does with a key of an earlier one."""
    removed = table.records[record].removed[key]
    assert (removed.effect, removed.instead) == (effect, instead)


@pytest.mark.parametrize(
    ("table", "kind", "effect", "instead"),
    [
        (FOUR, "llm_judge", Effect.DROPPED, "llm-grader"),
        (FOUR, "code_judge", Effect.DROPPED, "code-grader"),
        (FIVE, "rubrics", Effect.SKIPPED, "llm-rubric"),
        (FIVE, "llm_judge", Effect.SKIPPED, "llm-rubric"),
        (FIVE, "code-grader", Effect.SCORES_0, "script"),
        (FIVE, "code_grader", Effect.SKIPPED, "script"),
        (FIVE, "is_json", Effect.SKIPPED, "is-json"),
        (FIVE, "llm_rubric", Effect.SCORES_0, "llm-rubric"),
        (FIVE, "composite", Effect.SKIPPED, "assert-set"),
        (FIVE, "factuality", Effect.SKIPPED, None),
    ],
)
def test_removed_types(table: Table, kind: str, effect: Effect, instead: str | None) -> None:
    """What a release does with a type of an earlier one, or of promptfoo's."""
    removed = table.removed_types[kind]
    assert (removed.effect, removed.instead) == (effect, instead)


@pytest.mark.parametrize(
    ("old", "new"), [("is_json", "is-json"), ("llm_grader", "llm-grader"), ("rubric", "llm-grader")]
)
def test_old_types_of_agentv_4(old: str, new: str) -> None:
    """Underscores are read as hyphens; AgentV 5 reads them no more."""
    assert FOUR.old_types[old] == new
    assert not FIVE.old_types


@pytest.mark.parametrize(
    ("table", "record", "keys"),
    [
        (FOUR, "suite", {"evaluators"}),
        (FOUR, "execution", {"assertions", "target", "workers", "cache", "trials", "budget_usd", "fail_on_error"}),
        (FOUR, "suite-execution", {"skip_defaults"}),
        (FOUR, "case", {"description"}),
        (FOUR, "turn", {"assert"}),
        (FIVE, "case", {"threshold", "assert_scoring_function"}),
        (FIVE, "default-test", {"assert_scoring_function"}),
        (FIVE, "evaluator", {"name"}),
        (FIVE, "evaluator:contains", {"name"}),
    ],
)
def test_keys_that_are_accepted_and_never_read(table: Table, record: str, keys: set[str]) -> None:
    """Each says what to write instead."""
    assert {field.name for field in table.records[record].fields if field.unread is not None} == keys


@pytest.mark.parametrize("table", TABLES)
def test_items_that_are_no_mappings_are_accepted(table: Table) -> None:
    """A test may be a reference, and an assertion may be a criterion in words."""
    tests = table.records["suite"].by_key["tests"]
    assert tests.accepts(FieldType.STRING)
    assert tests.items == FieldType.STRING | FieldType.MAPPING
    name = table.records["suite"].keys_of(Role.EVALUATORS)[0]
    assert table.records["suite"].by_key[name].items == FieldType.STRING | FieldType.MAPPING
    assert table.records["message"].by_key["content"].items == FieldType.STRING | FieldType.MAPPING


@pytest.mark.parametrize("table", TABLES)
def test_scorecards_are_in_every_dialect(table: Table) -> None:
    """They are this tool's own, so no release changes them."""
    for name in ("scorecard", "scorecards", "weights", "red-flag", "bonus"):
        assert table.records[name] is RECORDS_2[name]
    assert table.records["case"].by_key["scorecard"] is RECORDS_2["case"].by_key["scorecard"]
    assert table.records["suite"].by_key["scorecards"] is RECORDS_2["suite"].by_key["scorecards"]


@pytest.mark.parametrize("dialect", [pytest.param(each, id=each.name) for each in DIALECTS if each.marks.types])
def test_types_tell_a_dialect_in_every_list_of_evaluators(dialect: Dialect) -> None:
    """The keys of these lists stand beside the marks, since the table of a dialect is loaded only for its files."""
    records = (dialect.records["case"], dialect.records["execution"])
    assert dialect.marks.lists == {key for record in records for key in record.keys_of(Role.EVALUATORS)}
