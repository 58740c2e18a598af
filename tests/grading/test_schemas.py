"""The schemas of replies: what keeps to one is a valid judgement, and providers accept all that they use."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from scoring_values import item, ranged, scorecard

from rubric_core.grading.judgements import InvalidJudgement, read_checks, read_free_form, read_scorecard
from rubric_core.grading.prompts.llm_judge import free_form_schema, rubric_schema
from rubric_core.grading.prompts.scorecard import scorecard_schema
from rubric_core.schema.scorecards import DIMENSIONS

if TYPE_CHECKING:
    from collections.abc import Iterator

MIXED = (item("names-port"), ranged("speed"))
UNUSUAL = (item("names the port"), ranged("größe"), item("tone"))
SCORECARDS = (scorecard(), scorecard(red_flags=["0.5", "1.0"]), scorecard(red_flags=["0.5"], bonuses=2))

SCHEMAS = {
    "by-id": rubric_schema(MIXED),
    "listed": rubric_schema(UNUSUAL),
    "listed-one-mode": rubric_schema(UNUSUAL[::2]),
    "free-form": free_form_schema(),
    **{f"scorecard-{number}": scorecard_schema(each) for number, each in enumerate(SCORECARDS)},
}


def _objects(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if schema.get("type") == "object":
        yield schema
    below = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    for each in [*below, *([schema["items"]] if "items" in schema else [])]:
        yield from _objects(each)


def _keywords(schema: dict[str, Any]) -> set[str]:
    below = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    found = set(schema)
    for each in [*below, *([schema["items"]] if "items" in schema else [])]:
        found |= _keywords(each)
    return found


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_a_schema_is_one_that_every_strict_mode_accepts(schema: dict[str, Any]) -> None:
    """Objects are closed and all their properties required; bounds and lengths, which some refuse, are not used."""
    Draft202012Validator.check_schema(schema)
    for each in _objects(schema):
        assert each["additionalProperties"] is False
        assert each["required"] == list(each["properties"])
    assert _keywords(schema) <= {"type", "properties", "required", "additionalProperties", "items", "enum", "anyOf"}
    assert schema["type"] == "object"


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_the_reasoning_is_written_before_the_verdict(schema: dict[str, Any]) -> None:
    """A model writes the properties in their order, and what it has written guides what it writes next."""
    verdicts = {"satisfied", "score"}
    judged = [list(each["properties"]) for each in _objects(schema) if verdicts & set(each["properties"])]
    assert judged
    assert all(names[-1] in verdicts and names[-2] == "reasoning" for names in judged)


def test_each_criterion_is_once_in_its_own_mode() -> None:
    """As an object by id, so that none can be left out, repeated or made up."""
    checks = rubric_schema(MIXED)["properties"]["checks"]
    assert checks["required"] == ["names-port", "speed"]
    assert checks["properties"]["names-port"]["properties"]["satisfied"] == {"type": "boolean"}
    assert checks["properties"]["speed"]["properties"]["score"] == {"type": "integer", "enum": list(range(11))}


def test_ids_that_are_no_names_of_properties_are_listed() -> None:
    """Some providers take only plain names, so these checks are a list whose ids are fixed for each mode."""
    checklist, ranges = rubric_schema(UNUSUAL)["properties"]["checks"]["items"]["anyOf"]
    assert checklist["properties"]["id"]["enum"] == ["names the port", "tone"]
    assert ranges["properties"]["id"]["enum"] == ["größe"]
    assert list(ranges["properties"]) == ["id", "reasoning", "score"]


@pytest.mark.parametrize(("place", "lists"), [(0, []), (1, ["red_flags"]), (2, ["red_flags", "bonuses"])])
def test_a_scorecard_asks_only_for_lists_that_can_have_entries(place: int, lists: list[str]) -> None:
    """An empty enum is no schema that a provider takes."""
    schema = scorecard_schema(SCORECARDS[place])
    assert list(schema["properties"]) == ["dimensions", *lists, "overall_reasoning"]
    assert list(schema["properties"]["dimensions"]["properties"]) == list(DIMENSIONS)


def _replies(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Return a strategy for what keeps to a schema of ours."""
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of(*map(_replies, schema["anyOf"]))
    if schema["type"] == "object":
        return st.fixed_dictionaries({name: _replies(each) for name, each in schema["properties"].items()})
    if schema["type"] == "array":
        return st.lists(_replies(schema["items"]), max_size=4)
    return {"string": st.text(), "boolean": st.booleans(), "number": st.sampled_from([0, 0.25, 1])}[schema["type"]]


@given(_replies(SCHEMAS["by-id"]))
def test_what_keeps_to_the_schema_of_criteria_is_valid(reply: dict[str, Any]) -> None:
    """So a provider that enforces it never needs a repair."""
    Draft202012Validator(SCHEMAS["by-id"]).validate(reply)
    judged = read_checks(json.dumps(reply), MIXED)
    assert [check.id for check in judged.checks] == ["names-port", "speed"]


@given(_replies(SCHEMAS["scorecard-2"]), _replies(SCHEMAS["free-form"]))
def test_what_keeps_to_the_other_schemas_is_valid(card: dict[str, Any], free_form: dict[str, Any]) -> None:
    """The bounds of a free-form score are the only thing that a schema leaves to the reader."""
    assert len(read_scorecard(json.dumps(card), SCORECARDS[2]).dimensions) == 7
    assert 0 <= read_free_form(json.dumps(free_form)).score <= 1


@given(_replies(SCHEMAS["listed"]))
def test_a_listed_reply_is_valid_where_it_judges_each_once(reply: dict[str, Any]) -> None:
    """A list cannot be held to that by a schema, so the reader does it."""
    Draft202012Validator(SCHEMAS["listed"]).validate(reply)
    once = sorted(check["id"] for check in reply["checks"]) == sorted(criterion.id for criterion in UNUSUAL)
    try:
        read_checks(json.dumps(reply), UNUSUAL)
    except InvalidJudgement:
        assert not once
    else:
        assert once
