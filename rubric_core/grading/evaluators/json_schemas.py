"""JSON Schemas of draft 7, read as ajv reads them in its strict mode: what it refuses is an error here too.

The library `jsonschema` checks values. This module replaces what differs from ajv: patterns are those of JavaScript,
`nullable` counts, keywords beside `$ref` count, formats are checked, and nothing is fetched.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from operator import methodcaller
from typing import Any

import jsonschema
import referencing.exceptions
from jsonschema import validators
from jsonschema.exceptions import ValidationError, best_match
from jsonschema_specifications import REGISTRY

from rubric_core.grading.evaluators.checks import Lacking
from rubric_core.grading.evaluators.json_formats import NUMBER_FORMATS, TEXT_FORMATS, UNCHECKED_FORMATS, has_format
from rubric_core.grading.evaluators.regexes import check_pattern, matches_now
from rubric_core.grading.failures import CannotGrade
from rubric_core.schema.suggest import closest
from rubric_core.terminal.display import fitted

_LONGEST_MESSAGE = 200
_DRAFT_7 = "http://json-schema.org/draft-07/schema"
_ONE = ("additionalItems", "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then")
_LISTS = ("allOf", "anyOf", "items", "oneOf")
_BY_NAME = ("dependencies", "patternProperties", "properties")
_KEYWORDS = frozenset(
    {
        *(*_ONE, *_LISTS, *_BY_NAME, "definitions", "$defs", "$schema", "$id", "$ref", "$comment", "$vocabulary"),
        *("type", "nullable", "enum", "const", "multipleOf", "required", "format", "pattern", "uniqueItems"),
        *("maximum", "minimum", "exclusiveMaximum", "exclusiveMinimum", "maxLength", "minLength"),
        *("maxItems", "minItems", "maxProperties", "minProperties"),
        *("title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples"),
        *("contentMediaType", "contentEncoding", "contentSchema"),
        *(f"format{which}{bound}" for which in ("", "Exclusive") for bound in ("Maximum", "Minimum")),
    }
)
_SCHEMA = (dict, bool)
_NEEDED: Mapping[str, Mapping[str, type | tuple[type, ...]]] = {
    "nullable": {"type": (str, list)},
    "if": {"then": _SCHEMA, "else": _SCHEMA},
    "then": {"if": _SCHEMA},
    "else": {"if": _SCHEMA},
    "additionalItems": {"items": list},
}
"""Keywords that mean nothing by themselves, each with those of which one must be there, and the type of its value."""
_UNCHECKED_KEYWORDS = frozenset(name for name in _KEYWORDS if name.startswith("format") and name != "format")


def schema_problem(schema: Mapping[str, Any], values: Sequence[Any]) -> str | None:
    """Return in a sentence why none of some values matches a schema; None if one does.

    Raises CannotGrade if the schema is invalid, and Lacking if it uses unsupported keywords.
    """
    validator = _validator(json.dumps(schema, sort_keys=True))
    problem = "there is none."
    try:
        for value in values:
            error = best_match(validator.iter_errors(value))
            if error is None:
                return None
            place = "".join(f"/{step}" for step in error.absolute_path)
            problem = f"{f'at `{place}`, ' if place else ''}{fitted(error.message, _LONGEST_MESSAGE)}."
    except RecursionError:
        raise CannotGrade("The schema or the answer is nested too deeply to be compared.") from None
    except referencing.exceptions.Unresolvable as error:
        raise CannotGrade(f"The schema refers to {error.ref}, which is not in it.") from None
    return problem


@lru_cache(maxsize=64)
def _validator(written: str) -> Any:
    schema = json.loads(written)
    named = schema.get("$schema", _DRAFT_7)
    if not isinstance(named, str) or named.removesuffix("#") != _DRAFT_7:
        raise _invalid("/$schema", f"{named} is not known; use {_DRAFT_7}#, or leave it out.")
    error = best_match(jsonschema.Draft7Validator(jsonschema.Draft7Validator.META_SCHEMA).iter_errors(schema))
    if error is not None:
        place = "".join(f"/{step}" for step in error.absolute_path)
        raise _invalid(place, f"{fitted(error.message, _LONGEST_MESSAGE)}.")
    for place, part in _subschemas(schema, "", schema, set()):
        _check_part(place, part)
    return _CLASS(schema, registry=REGISTRY)


def _invalid(place: str, reason: str) -> CannotGrade:
    return CannotGrade(f"The schema is invalid at `{place or '/'}`: {reason}")


def _subschemas(schema: Any, place: str, root: Any, seen: set[int]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield a schema and those in it, each once, with their places; definitions only where something refers to them."""
    if not isinstance(schema, dict) or id(schema) in seen:
        return
    seen.add(id(schema))
    yield place, schema
    inner = [(name, schema[name]) for name in _ONE if name in schema]
    inner += [(f"{name}/{key}", part) for name in _LISTS for key, part in enumerate(_list(schema.get(name)))]
    inner += [(f"{name}/{key}", part) for name in _BY_NAME for key, part in schema.get(name, {}).items()]
    for name, part in inner:
        yield from _subschemas(part, f"{place}/{name}", root, seen)
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#"):
        yield from _subschemas(_pointed(root, reference, place), reference[1:], root, seen)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _pointed(root: Any, reference: str, place: str) -> Any:
    part = root
    for step in reference[1:].split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~").replace("%25", "%")
        try:
            part = part[int(name)] if isinstance(part, list) else part[name]
        except (KeyError, IndexError, ValueError, TypeError):
            raise _invalid(f"{place}/$ref", f"there is no {reference} in it.") from None
    return part


def _check_part(place: str, schema: Mapping[str, Any]) -> None:
    """Refuse what ajv refuses in its strict mode, and unsupported keywords."""
    for name in schema:
        if name not in _KEYWORDS:
            similar = closest(name, _KEYWORDS)
            raise _invalid(f"{place}/{name}", f"{name} is no keyword{f'; did you mean {similar}?' if similar else '.'}")
        if name in _UNCHECKED_KEYWORDS:
            raise Lacking(f"Its schema has `{name}`, which this grader does not check.")
    for name, needed in _NEEDED.items():
        if name in schema and not any(isinstance(schema.get(key), kind) for key, kind in needed.items()):
            raise _invalid(f"{place}/{name}", f"{name} has no effect without {' or '.join(needed)}.")
    if schema.get("enum") == []:
        raise _invalid(f"{place}/enum", "it has no values.")
    format_name = schema.get("format")
    if format_name in UNCHECKED_FORMATS:
        raise Lacking(f"Its schema has the format {format_name}, which this grader does not check.")
    if format_name is not None and format_name not in {*TEXT_FORMATS, *NUMBER_FORMATS}:
        raise _invalid(f"{place}/format", f"the format {format_name} is not known.")
    _check_patterns(place, schema)


def _check_patterns(place: str, schema: Mapping[str, Any]) -> None:
    by_pattern = schema.get("patternProperties", {})
    for pattern in (*([schema["pattern"]] if "pattern" in schema else []), *by_pattern):
        check_pattern(pattern, "u")
    for name in schema.get("properties", {}):
        for pattern in by_pattern:
            if matches_now(pattern, "u", name):
                raise _invalid(f"{place}/properties/{name}", f"{name} also matches the pattern {pattern}.")


def _pattern(_validator: Any, pattern: str, value: Any, _schema: Any) -> Iterator[ValidationError]:
    if isinstance(value, str) and not matches_now(pattern, "u", value):
        yield ValidationError(f"{value!r} does not match {pattern!r}")


def _pattern_properties(validator: Any, patterns: Any, value: Any, _schema: Any) -> Iterator[ValidationError]:
    for pattern, inner in patterns.items() if isinstance(value, dict) else ():
        for name, member in value.items():
            if matches_now(pattern, "u", name):
                yield from validator.descend(member, inner, path=name, schema_path=pattern)


def _additional_properties(validator: Any, allowed: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
    for name, member in value.items() if isinstance(value, dict) else ():
        listed = name in schema.get("properties", {})
        if listed or any(matches_now(pattern, "u", name) for pattern in schema.get("patternProperties", {})):
            continue
        if allowed is False:
            yield ValidationError(f"{name!r} is not allowed")
        else:
            yield from validator.descend(member, allowed, path=name)


def _type(validator: Any, types: Any, value: Any, schema: Any) -> Iterator[ValidationError]:
    if value is not None or schema.get("nullable") is not True:
        yield from jsonschema.Draft7Validator.VALIDATORS["type"](validator, types, value, schema)


def _format(_validator: Any, name: str, value: Any, _schema: Any) -> Iterator[ValidationError]:
    if not has_format(name, value):
        yield ValidationError(f"{value!r} does not have the format {name}")


def _is_number(_checker: Any, value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


_CLASS: Any = validators.create(
    meta_schema=jsonschema.Draft7Validator.META_SCHEMA,
    validators={
        **jsonschema.Draft7Validator.VALIDATORS,
        "additionalProperties": _additional_properties,
        "format": _format,
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "type": _type,
    },
    type_checker=jsonschema.Draft7Validator.TYPE_CHECKER.redefine("number", _is_number),
    # Keywords beside `$ref` count, although draft 7 ignores them.
    applicable_validators=methodcaller("items"),
)
