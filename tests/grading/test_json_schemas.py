"""JSON Schemas as ajv reads them: what matches, what is invalid, and what is not checked."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rubric_core.grading.evaluators.checks import Lacking
from rubric_core.grading.evaluators.json_schemas import schema_problem
from rubric_core.grading.failures import CannotGrade

_LONG = "a" * 64

MATCHES: list[tuple[dict[str, Any], list[Any], list[Any]]] = [
    ({"type": "integer"}, [1, 1.0], [1.5, True, None, "1"]),
    ({"type": "number"}, [1, 0.5], [True, float("inf")]),
    ({"type": "string", "nullable": True}, [None, "a"], [1]),
    ({"type": ["string", "null"]}, [None, "a"], [1]),
    ({"multipleOf": 0.1}, [0.5, 1], [0.3]),
    ({"minLength": 2}, ["ab", "é😀"], ["😀"]),
    ({"pattern": "^\\d$"}, ["2", 5], ["٢", "2\n"]),
    ({"enum": [1, "a", None]}, [1.0, "a", None], [True, "b"]),
    ({"const": False}, [False], [0]),
    ({"uniqueItems": True}, [[1, True]], [[1, 1.0]]),
    ({"required": ["a"]}, [{"a": None}, []], [{}]),
    ({"properties": {"a": {}}, "additionalProperties": False}, [{"a": 1}], [{"b": 1}]),
    ({"properties": {"a": {}}, "additionalProperties": {"type": "string"}}, [{"a": 1, "b": "x"}], [{"b": 1}]),
    ({"patternProperties": {"^x": {"type": "string"}}}, [{"xa": "1", "y": 1}], [{"xa": 1}]),
    ({"patternProperties": {"^x": {}}, "additionalProperties": False}, [{"xa": 1}], [{"y": 1}]),
    ({"items": [{"type": "string"}], "additionalItems": False}, [["a"], []], [["a", 1]]),
    ({"if": {"type": "string"}, "then": {"minLength": 2}}, ["ab", 1], ["a"]),
    # Keywords beside a reference count, and a schema may refer to itself.
    ({"$ref": "#/definitions/a", "maxLength": 1, "definitions": {"a": {"type": "string"}}}, ["a"], ["ab", 1]),
    ({"properties": {"a": {"$ref": "#"}}, "additionalProperties": False}, [{"a": {"a": {}}}], [{"a": {"b": 1}}]),
    # What is in a definition that nobody uses does no harm.
    ({"definitions": {"a": {"unknown": 1}}}, [1], []),
    ({"$schema": "http://json-schema.org/draft-07/schema#"}, [1], []),
    ({"format": "date"}, ["2024-02-29", "0000-02-29", 5], ["2023-02-29", "2024-1-1", "2024-02-29\n"]),
    ({"format": "time"}, ["12:00:00Z", "23:59:60Z", "00:59:60+01:00"], ["12:00:00", "24:00:00Z", "12:00:00+24:00"]),
    ({"format": "date-time"}, ["2024-01-01T12:00:00Z", "2024-01-01 12:00:00.5+0100"], ["2024-01-01"]),
    ({"format": "uri"}, ["http://x", "http://[::1]:80/a?b#c", "mailto:a@b.c", "x:/a:b/c"], ["a/b", "x:", "http://a b"]),
    ({"format": "uri"}, [], ["http://[zz]/", "http://[1::2::3]/", "http://a/%zz"]),
    ({"format": "email"}, ["a+b@c.de"], ["a@b", "a..b@c.de", "a@-b.c"]),
    ({"format": "hostname"}, ["a", "a.b."], ["-a", "", _LONG]),
    ({"format": "ipv4"}, ["1.2.3.4"], ["256.1.1.1", "01.2.3.4"]),
    ({"format": "ipv6"}, ["::1", "::ffff:1.2.3.4"], ["1::2::3", "fe80::1%eth0"]),
    ({"format": "uuid"}, ["urn:uuid:00000000-0000-0000-0000-00000000000A"], ["x"]),
    ({"format": "regex"}, ["a"], ["(", "a\\Z"]),
    ({"format": "int32"}, [1, "x"], [2**31, 1.5]),
    ({"format": "password"}, ["x"], []),
]


@pytest.mark.parametrize(("schema", "matching", "others"), MATCHES, ids=lambda value: json.dumps(value)[:40])
def test_what_matches(schema: dict[str, Any], matching: list[Any], others: list[Any]) -> None:
    """The same values match as with ajv 8 and ajv-formats in strict mode."""
    assert {json.dumps(value): schema_problem(schema, [value]) for value in matching} == dict.fromkeys(
        map(json.dumps, matching)
    )
    assert all(schema_problem(schema, [value]) for value in others)


def test_the_problem_has_a_place() -> None:
    """It says where the value does not match, and why; one value of several is enough."""
    schema = {"properties": {"a": {"items": {"type": "string"}}}}
    assert schema_problem(schema, [{"a": ["x", 5]}]) == "at `/a/1`, 5 is not of type 'string'."
    assert schema_problem(schema, [{"a": [5]}, {}]) is None


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"type": "strin"}, "invalid at `/type`"),
        ({"properties": {"a": {"minimum": "1"}}}, "invalid at `/properties/a/minimum`"),
        ({"properties": {"a": {"requried": ["b"]}}}, "`/properties/a/requried`: requried is no keyword; did you mean"),
        ({"x-note": 1}, "x-note is no keyword."),
        ({"format": "colour"}, "the format colour is not known."),
        ({"enum": []}, "`/enum`"),
        ({"nullable": True}, "nullable has no effect without type."),
        ({"if": {}}, "if has no effect without then or else."),
        ({"additionalItems": False, "items": {}}, "additionalItems has no effect without items."),
        ({"pattern": "("}, "The pattern /(/u cannot be used"),
        ({"properties": {"foo": {}}, "patternProperties": {"^f": {}}}, "foo also matches the pattern ^f."),
        ({"$ref": "#/definitions/a"}, "there is no #/definitions/a in it."),
        ({"$ref": "#/definitions/a", "definitions": {"a": {"foo": 1}}}, "`/definitions/a/foo`"),
        ({"$ref": "http://example.com/schema"}, "refers to http://example.com/schema, which is not in it."),
        ({"$schema": "https://json-schema.org/draft/2020-12/schema"}, "invalid at `/$schema`"),
        ({"$ref": "#"}, "nested too deeply"),
    ],
)
def test_an_invalid_schema_is_an_error_with_its_place(schema: dict[str, Any], reason: str) -> None:
    """What ajv refuses in strict mode is refused; nothing is fetched."""
    with pytest.raises(CannotGrade) as failure:
        schema_problem(schema, [1])
    assert reason in failure.value.reason


@pytest.mark.parametrize("schema", [{"format": "duration"}, {"format": "date", "formatMaximum": "2024-01-01"}])
def test_what_is_not_checked_is_said(schema: dict[str, Any]) -> None:
    """A format that ajv knows and we do not is not passed over."""
    with pytest.raises(Lacking):
        schema_problem(schema, [1])
