"""The table agrees with the format and with itself."""

from __future__ import annotations

from decimal import Decimal

import pytest

from rubric_core.dialects.agentv.evaluators import EVALUATOR_RECORDS, EVALUATOR_TYPES, OLD_EVALUATOR_TYPES
from rubric_core.dialects.agentv.records import CASE_LIST_NAMES, RECORDS
from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.schema.fields import FieldType
from rubric_core.schema.scorecards import DIMENSIONS


@pytest.mark.parametrize(
    ("record", "required"),
    [
        ("case", ["id", "expected_outcome", "input_messages"]),
        ("evaluator", ["name", "type"]),
        ("criterion", []),
        ("score-range", ["score_range", "expected_outcome"]),
        ("weights", list(DIMENSIONS)),
    ],
)
def test_required_fields(record: str, required: list[str]) -> None:
    """What the format demands is marked as required."""
    assert [field.name for field in RECORDS[record].required] == required


@pytest.mark.parametrize(
    ("record", "alias", "name", "deprecated"),
    [
        ("suite", "eval_cases", "evalcases", False),
        ("suite", "cases", "evalcases", False),
        ("suite", "tests", "evalcases", False),
        ("case", "outcome", "expected_outcome", True),
        ("case", "criteria", "expected_outcome", False),
        ("case", "input", "input_messages", False),
        ("case", "expected_output", "expected_messages", False),
        ("criterion", "description", "expected_outcome", True),
        ("score-range", "description", "expected_outcome", True),
    ],
)
def test_aliases(record: str, alias: str, name: str, deprecated: bool) -> None:  # noqa: FBT001 - a column of the table.
    """Every alias leads to its field, and only the format's three are deprecated."""
    assert RECORDS[record].by_key[alias].name == name
    assert (alias in RECORDS[record].deprecated) is deprecated


def test_only_outcome_and_description_are_deprecated() -> None:
    """No other record declares a deprecated alias."""
    found = {(record.name, key) for record in RECORDS.values() for key in record.deprecated}
    described = {(name, "description") for name in ("criterion", "score-range", "red-flag", "bonus")}
    assert found == {("case", "outcome"), *described}


@pytest.mark.parametrize("kind", EVALUATOR_TYPES)
def test_each_evaluator_type_has_its_record(kind: str) -> None:
    """The record of a type holds the three fields that every evaluator has."""
    record = DEFAULT_DIALECT.evaluator(kind)
    assert record.name == f"evaluator:{kind}"
    assert {"name", "type", "weight"} <= set(record.by_key)


def test_unknown_keys_are_judged_only_in_judge_evaluators() -> None:
    """Code judges and the seven other types have keys of their own."""
    assert [kind for kind, record in EVALUATOR_RECORDS.items() if not record.open] == ["llm_judge", "rubric"]


@pytest.mark.parametrize(("old", "new"), OLD_EVALUATOR_TYPES.items())
def test_old_evaluator_names_lead_to_the_new_record(old: str, new: str) -> None:
    """`code` is a code judge, `expected_tool_calls` a tool trajectory."""
    assert DEFAULT_DIALECT.evaluator(old) is DEFAULT_DIALECT.evaluator(new)


@pytest.mark.parametrize("kind", [None, "", "llm_jugde"])
def test_an_unknown_evaluator_type_gives_the_general_open_record(kind: str | None) -> None:
    """Without a known type nobody can tell which keys are right."""
    assert DEFAULT_DIALECT.evaluator(kind) is RECORDS["evaluator"]
    assert DEFAULT_DIALECT.evaluator(kind).open


def test_the_records_below_score_ranges_depend_on_the_form() -> None:
    """The list form holds ranges, the mapping form lower bounds."""
    field = RECORDS["criterion"].by_key["score_ranges"]
    assert DEFAULT_DIALECT.below(field, FieldType.SEQUENCE) is RECORDS["score-range"]
    assert DEFAULT_DIALECT.below(field, FieldType.MAPPING) is RECORDS["score-map"]
    assert DEFAULT_DIALECT.below(RECORDS["criterion"].by_key["weight"], FieldType.MAPPING) is None
    assert DEFAULT_DIALECT.below(RECORDS["suite"].by_key["execution"], FieldType.MAPPING) is RECORDS["execution"]


def test_the_default_dimension_weights_sum_to_one() -> None:
    """The methodology's weights are 0.25, 0.20, 0.15, 0.15, 0.10, 0.10 and 0.05."""
    assert sum(Decimal(field.default or "nan") for field in RECORDS["weights"].fields) == 1


def test_the_case_list_names_are_the_keys_of_the_suite_field() -> None:
    """Other layers look for the case list by these names."""
    assert RECORDS["suite"].by_key["evalcases"].keys == CASE_LIST_NAMES
