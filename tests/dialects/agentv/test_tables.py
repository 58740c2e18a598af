"""The tables of AgentV 4 and AgentV 5 agree with themselves and with what those releases read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rubric_core.dialects.agentv.records import RECORDS as RECORDS_2
from rubric_core.dialects.registry import BY_NAME, DIALECTS
from rubric_core.schema.fields import Effect, FieldType, Role

if TYPE_CHECKING:
    from rubric_core.dialects.dialect import Dialect
    from rubric_core.schema.table import Table

NAMED = [(name, BY_NAME[name].table) for name in ("agentv-4", "agentv-5") if name in BY_NAME]
TABLES = [pytest.param(table, id=name) for name, table in NAMED]
COMMON = {
    *("suite", "case", "execution", "turn", "message", "content-part", "tool-call", "criterion", "score-range"),
    *("score-map", "evaluator", "prompt-script", "scorecard", "scorecards", "weights", "red-flag", "bonus"),
    "free-form",
}


@pytest.mark.parametrize("table", TABLES)
def test_records_have_the_names_that_views_look_up(table: Table) -> None:
    """A record is found under its own name, and those that every dialect has are there."""
    assert set(table.records) >= COMMON
    assert set(RECORDS_2) - set(table.records) == {name for name in RECORDS_2 if name.startswith("evaluator:")} - set(
        table.records
    )


@pytest.mark.parametrize("dialect", [pytest.param(each, id=each.name) for each in DIALECTS if each.tool == "AgentV"])
def test_every_required_field_has_something_to_insert(dialect: Dialect) -> None:
    """It fits, and what has items is a list."""
    fields = [field for record in dialect.table.records.values() for field in record.fields]
    assert [field.name for field in fields if field.placeholder == "TODO" and not field.accepts(FieldType.STRING)] == []
    assert [field.name for field in fields if field.required and field.placeholder is None] == []
    assert [field.name for field in fields if field.items and not field.accepts(FieldType.SEQUENCE)] == []


@pytest.mark.parametrize("table", TABLES)
def test_every_type_has_its_record_with_the_keys_of_every_assertion(table: Table) -> None:
    """Only `include` is by itself."""
    records = {name.removeprefix("evaluator:") for name in table.records if name.startswith("evaluator:")}
    assert records == set(table.types.names)
    assert set(table.records["evaluator"].by_key["type"].values) == {*table.types.names, *table.types.old}
    assert len(table.types.names) == len(set(table.types.names))
    general = table.records["evaluator"]
    assert general.open
    assert not general.required
    for kind in table.types.names:
        record = table.records[f"evaluator:{kind}"]
        assert {field.name for field in general.fields} - {field.name for field in record.fields} == {"include"}
        assert set(record.removed) >= set(general.removed)


@pytest.mark.parametrize("table", TABLES)
def test_roles_are_in_every_dialect(table: Table) -> None:
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
    ("dialect", "record", "role", "keys"),
    [
        ("agentv-4", "suite", Role.EVALUATORS, ("assertions", "assert")),
        ("agentv-4", "suite-execution", Role.EVALUATORS, ("assertions", "assert", "evaluators")),
        ("agentv-4", "case", Role.EVALUATORS, ("assertions", "evaluators", "assert")),
        ("agentv-4", "execution", Role.EVALUATORS, ("evaluators",)),
        ("agentv-4", "turn", Role.EVALUATORS, ("assertions",)),
        ("agentv-4", "evaluator:composite", Role.EVALUATORS, ("assertions", "assert", "evaluators")),
        ("agentv-4", "case", Role.CRITERIA, ("rubrics",)),
        ("agentv-4", "evaluator:rubrics", Role.CRITERIA, ("criteria",)),
        ("agentv-4", "evaluator:llm-grader", Role.CRITERIA, ("rubrics",)),
        ("agentv-4", "case", Role.INPUT, ("input",)),
        ("agentv-4", "suite", Role.INPUT, ("input",)),
        ("agentv-4", "case", Role.REFERENCE, ("expected_output",)),
        ("agentv-5", "suite", Role.EVALUATORS, ("assert",)),
        ("agentv-5", "case", Role.EVALUATORS, ("assert",)),
        ("agentv-5", "execution", Role.EVALUATORS, ("assert",)),
        ("agentv-5", "default-test", Role.EVALUATORS, ("assert",)),
        ("agentv-5", "turn", Role.EVALUATORS, ("assert",)),
        ("agentv-5", "evaluator:assert-set", Role.EVALUATORS, ("assert",)),
        ("agentv-5", "evaluator:llm-rubric", Role.CRITERIA, ("value",)),
        ("agentv-5", "evaluator:agent-rubric", Role.CRITERIA, ("value",)),
        ("agentv-5", "raw-case", Role.INPUT, ("input",)),
        ("agentv-5", "raw-case", Role.REFERENCE, ("expected_output",)),
        ("agentv-5", "case", Role.INPUT, ()),
        ("agentv-5", "case", Role.REFERENCE, ()),
    ],
)
def test_keys_by_role(dialect: str, record: str, role: Role, keys: tuple[str, ...]) -> None:
    """The main name comes first."""
    assert BY_NAME[dialect].table.records[record].keys_of(role) == keys


@pytest.mark.parametrize(
    ("dialect", "record", "required"),
    [
        ("agentv-4", "suite", []),
        ("agentv-4", "case", ["id", "input"]),
        ("agentv-4", "criterion", []),
        ("agentv-4", "score-range", ["score_range", "outcome"]),
        ("agentv-4", "evaluator:llm-grader", []),
        ("agentv-4", "evaluator:code-grader", ["command"]),
        ("agentv-5", "suite", []),
        ("agentv-5", "case", ["id"]),
        ("agentv-5", "raw-case", ["id"]),
        ("agentv-5", "scenario-config", []),
        ("agentv-5", "scenario-case", []),
        ("agentv-5", "default-test", []),
        ("agentv-5", "criterion", []),
        ("agentv-5", "score-range", ["score_range", "outcome"]),
        ("agentv-5", "evaluator:llm-rubric", []),
        ("agentv-5", "evaluator:contains", ["value"]),
    ],
)
def test_required_fields(dialect: str, record: str, required: list[str]) -> None:
    """A field is required where a release loses the test or the assertion without it."""
    assert [field.name for field in BY_NAME[dialect].table.records[record].required] == required


@pytest.mark.parametrize(
    ("dialect", "record", "key", "effect", "instead"),
    [
        ("agentv-4", "suite", "evalcases", Effect.READ, "tests"),
        ("agentv-4", "suite", "cases", Effect.REFUSED, "tests"),
        ("agentv-4", "case", "input_messages", Effect.SKIPPED, "input"),
        ("agentv-4", "case", "expected_messages", Effect.IGNORED, "expected_output"),
        ("agentv-4", "criterion", "required_min_score", Effect.READ, "min_score"),
        ("agentv-4", "criterion", "expected_outcome", Effect.DROPPED, "outcome"),
        ("agentv-4", "score-range", "expected_outcome", Effect.SKIPPED, "outcome"),
        ("agentv-5", "suite", "evalcases", Effect.REFUSED, "tests"),
        ("agentv-5", "suite", "execution", Effect.REFUSED, None),
        ("agentv-5", "suite", "graders", Effect.REFUSED, None),
        ("agentv-5", "suite", "assertions", Effect.IGNORED, "assert"),
        ("agentv-5", "case", "input", Effect.REFUSED, None),
        ("agentv-5", "case", "rubrics", Effect.IGNORED, None),
        ("agentv-5", "execution", "evaluators", Effect.REFUSED, "assert"),
        ("agentv-5", "criterion", "required_min_score", Effect.SKIPPED, "min_score"),
        ("agentv-5", "evaluator:llm-rubric", "target", Effect.SKIPPED, "provider"),
        ("agentv-5", "evaluator:llm-rubric", "criteria", Effect.SKIPPED, "value"),
        ("agentv-5", "evaluator:script", "script", Effect.SKIPPED, "command"),
        ("agentv-5", "evaluator:assert-set", "assertions", Effect.DROPPED, "assert"),
    ],
)
def test_removed_keys(dialect: str, record: str, key: str, effect: Effect, instead: str | None) -> None:
    """What a release does with a key of an earlier one."""
    removed = BY_NAME[dialect].table.records[record].removed[key]
    assert (removed.effect, removed.instead) == (effect, instead)


@pytest.mark.parametrize(
    ("dialect", "kind", "effect", "instead"),
    [
        ("agentv-4", "llm_judge", Effect.DROPPED, "llm-grader"),
        ("agentv-4", "code_judge", Effect.DROPPED, "code-grader"),
        ("agentv-5", "rubrics", Effect.SKIPPED, "llm-rubric"),
        ("agentv-5", "llm_judge", Effect.SKIPPED, "llm-rubric"),
        ("agentv-5", "code-grader", Effect.SCORES_0, "script"),
        ("agentv-5", "code_grader", Effect.SKIPPED, "script"),
        ("agentv-5", "is_json", Effect.SKIPPED, "is-json"),
        ("agentv-5", "llm_rubric", Effect.SCORES_0, "llm-rubric"),
        ("agentv-5", "composite", Effect.SKIPPED, "assert-set"),
        ("agentv-5", "factuality", Effect.SKIPPED, None),
    ],
)
def test_removed_types(dialect: str, kind: str, effect: Effect, instead: str | None) -> None:
    """What a release does with a type of an earlier one, or of promptfoo's."""
    removed = BY_NAME[dialect].removed_types[kind]
    assert (removed.effect, removed.instead) == (effect, instead)


@pytest.mark.parametrize(
    ("dialect", "old", "new"),
    [
        ("agentv-4", "is_json", "is-json"),
        ("agentv-4", "llm_grader", "llm-grader"),
        ("agentv-4", "rubric", "llm-grader"),
        ("agentv-5", "is_json", None),
    ],
)
def test_old_types(dialect: str, old: str, new: str | None) -> None:
    """AgentV 4 reads underscores as hyphens; AgentV 5 reads them no more."""
    assert BY_NAME[dialect].old_types.get(old) == new


@pytest.mark.parametrize(
    ("dialect", "record", "keys"),
    [
        ("agentv-4", "suite", {"evaluators"}),
        (
            "agentv-4",
            "execution",
            {"assertions", "target", "workers", "cache", "trials", "budget_usd", "fail_on_error"},
        ),
        ("agentv-4", "suite-execution", {"skip_defaults"}),
        ("agentv-4", "case", {"description"}),
        ("agentv-4", "turn", {"assert"}),
        ("agentv-5", "case", {"threshold", "assert_scoring_function"}),
        ("agentv-5", "default-test", {"assert_scoring_function"}),
        ("agentv-5", "evaluator", {"name"}),
        ("agentv-5", "evaluator:contains", {"name"}),
    ],
)
def test_keys_that_are_accepted_and_never_read(dialect: str, record: str, keys: set[str]) -> None:
    """Each says what to write instead."""
    assert {field.name for field in BY_NAME[dialect].table.records[record].fields if field.unread is not None} == keys


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
def test_types_indicate_a_dialect_in_every_list_of_evaluators(dialect: Dialect) -> None:
    """The keys of these lists are beside the marks, since the table of a dialect is loaded only for its files."""
    records = (dialect.records["case"], dialect.records["execution"])
    assert dialect.marks.lists == {key for record in records for key in record.keys_of(Role.EVALUATORS)}
