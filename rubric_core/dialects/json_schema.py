"""The table of fields as a JSON Schema (draft 2020-12), for editors and tools that support only that.

A JSON Schema cannot say that ranges must not overlap or must cover 0 to 10; the rules do that.
"""

import json
from typing import Any

from rubric_core.dialects.dialect import Dialect
from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.schema.fields import Field, FieldType, Record, ValueLimits

SCHEMA_ID = "urn:rubric-lsp:eval-file"

_JSON_TYPES: tuple[tuple[FieldType, str], ...] = (
    (FieldType.STRING, "string"),
    (FieldType.NUMBER, "number"),
    (FieldType.INTEGER, "integer"),
    (FieldType.BOOLEAN, "boolean"),
    (FieldType.SEQUENCE, "array"),
    (FieldType.MAPPING, "object"),
)

_TEXT = r"\S"
"""A required text holds at least one visible character."""


def _one_of_keys(*keys: str) -> dict[str, Any]:
    return {"anyOf": [{"required": [key]} for key in keys]}


def _demands(record: Record, dialect: Dialect) -> list[dict[str, Any]]:
    """Return the conditions of a record beyond its required fields."""
    demands = {
        "suite": _one_of_keys(*(key for key in (*dialect.case_lists, "scenarios") if record.get(key))),
        "criterion": _one_of_keys(*dialect.text_keys, "score_ranges"),
        "message": _one_of_keys("content", "tool_calls"),
        "evaluator:code_judge": {"required": ["script"]},
    }
    return [
        *(_one_of_keys(*field.keys) for field in record.required if len(field.keys) > 1),
        *([demands[record.name]] if record.name in demands else []),
    ]


def _score_map(dialect: Dialect) -> dict[str, Any]:
    return {
        "description": dialect.records["score-map"].doc,
        "patternProperties": {"^(10|[0-9])$": {"type": "string", "pattern": _TEXT}},
        "required": ["0"],
        "additionalProperties": False,
    }


def build_json_schema(dialect: Dialect = DEFAULT_DIALECT) -> dict[str, Any]:
    """Return the JSON Schema of an eval file as plain data, made anew so that callers may change it."""
    definitions = {_definition_name(name): _record_schema(record, dialect) for name, record in dialect.records.items()}
    if "score-map" in definitions:
        definitions["score-map"] = _score_map(dialect)
    choices = _evaluator_choices(dialect)
    if choices:
        definitions["evaluator"]["allOf"] = [*definitions["evaluator"].get("allOf", ()), *choices]
    # A top-level key may hold nothing but an anchor for use elsewhere, which a JSON Schema cannot see.
    definitions["suite"]["additionalProperties"] = True
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": SCHEMA_ID if dialect is DEFAULT_DIALECT else f"{SCHEMA_ID}:{dialect.name}",
        "title": "Eval file with rubrics",
        "description": "Cases for a language model, with the criteria that its answers are judged by.",
        "type": "object",
        "$ref": "#/$defs/suite",
        "$defs": definitions,
    }


def _definition_name(record_name: str) -> str:
    return record_name.replace(":", "-")


def _reference(record_name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{_definition_name(record_name)}"}


def _record_schema(record: Record, dialect: Dialect) -> dict[str, Any]:
    """Return a record's schema without its type: beside `type: [string, object]` it then applies to objects only."""
    schema: dict[str, Any] = {"description": record.doc}
    if record.fields:
        schema["properties"] = {key: _field_schema(field, key) for field in record.fields for key in field.keys}
    schema["additionalProperties"] = _value_schema(record.entry, record.entry.type) if record.entry else record.open
    required = [field.name for field in record.required if len(field.keys) == 1]
    if required:
        schema["required"] = required
    demands = _demands(record, dialect)
    if demands:
        schema["allOf"] = demands
    if dialect.table.types.own_folder and record.name.partition(":")[0] == "evaluator" and "type" in record.by_key:
        # A project may define types, except those that the dialect has removed.
        kind = schema["properties"]["type"]
        kind |= {"examples": kind.pop("enum"), "not": {"enum": list(dialect.removed_types)}}
    return schema


def _evaluator_choices(dialect: Dialect) -> list[dict[str, Any]]:
    """Return one condition for each evaluator type, which brings in the keys of that type."""
    return [
        {
            "if": {
                "properties": {
                    "type": {"enum": [kind, *(old for old, new in dialect.old_types.items() if new == kind)]}
                },
                "required": ["type"],
            },
            "then": _reference(f"evaluator:{kind}"),
        }
        for kind in dialect.types
    ]


def _field_schema(field: Field, key: str) -> dict[str, Any]:
    schema = {"description": _description(field, key), **_value_schema(field, field.type_of(key))}
    if key in field.aliases.deprecated:
        schema["deprecated"] = True
    default = _json_default(field)
    if default is not None:
        schema["default"] = default
    return schema


def _description(field: Field, key: str) -> str:
    doc = field.doc if key == field.name else f"Another name of `{field.name}`. {field.doc}"
    return f"{doc} Default: {field.default}." if field.default is not None else doc


def _json_default(field: Field) -> Any:
    try:
        return json.loads(field.default or "")
    except ValueError:
        # The default is a description, such as the case's id.
        return None


def _value_schema(field: Field, accepted: FieldType) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    if accepted is not FieldType.ANYTHING:
        schema["type"] = _json_type(accepted)
    if field.values:
        schema["enum"] = list(field.values)
    elif field.required and accepted.value & FieldType.STRING.value:
        schema["pattern"] = _TEXT
    if accepted.value & FieldType.SEQUENCE.value and field.items is not None:
        schema.update(_list_schema(field, field.items))
    elif accepted.value & FieldType.NUMBER.value:
        schema.update(_bounds(field.limits))
    below = field.mapping_record or field.record
    if accepted.value & FieldType.MAPPING.value and below is not None and accepted is not FieldType.ANYTHING:
        schema.update(_reference(below))
    return schema


def _json_type(accepted: FieldType) -> str | list[str]:
    names: list[str] = []
    rest: int = accepted.value
    for shape, name in _JSON_TYPES:
        if rest & shape.value == shape.value:
            names.append(name)
            rest &= ~shape.value
    return names[0] if len(names) == 1 else names


def _list_schema(field: Field, items: FieldType) -> dict[str, Any]:
    item: dict[str, Any] = {"type": _json_type(items)}
    if items.value & FieldType.STRING.value:
        item["pattern"] = _TEXT
    if items.value & FieldType.NUMBER.value:
        item.update(_bounds(field.limits))
    if field.record is not None:
        item.update(_reference(field.record))
    schema: dict[str, Any] = {"items": item}
    if (length := field.limits.length) is not None:
        schema.update(minItems=length, maxItems=length)
    elif field.required:
        schema["minItems"] = 1
    return schema


def _bounds(limits: ValueLimits) -> dict[str, Any]:
    bounds = {"minimum": limits.minimum, "exclusiveMinimum": limits.above, "maximum": limits.maximum}
    keywords: dict[str, Any] = {keyword: bound for keyword, bound in bounds.items() if bound is not None}
    return {**keywords, "pattern": f"^{limits.pattern}$"} if limits.pattern is not None else keywords
