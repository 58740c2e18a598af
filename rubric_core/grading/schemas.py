"""JSON Schemas for replies, built for one question: with a provider that keeps to them, no reply is invalid.

They use only what all providers accept: every object closed, every property required, ranges of integers as `enum`.
The order of the properties is the order in which a model writes, so the reasoning stands before the verdict.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from rubric_core.grading.judgements import HIGHEST_DIMENSION_SCORE, LOWEST_DIMENSION_SCORE
from rubric_core.model.criteria import HIGHEST_SCORE, LOWEST_SCORE, Criterion
from rubric_core.model.scorecards import Scorecard
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.text.patterns import lazily

JsonSchema = dict[str, Any]

_TEXT: JsonSchema = {"type": "string"}
_TEXTS: JsonSchema = {"type": "array", "items": _TEXT}
# Not every provider takes every string as the name of a property.
_PROPERTY_NAME = lazily(r"[A-Za-z0-9_.\-]{1,64}\Z")


def asks_by_id(criteria: Sequence[Criterion]) -> bool:
    """Return whether `checks` is asked for as an object by id, which alone makes a model judge each criterion once.

    Where an id cannot be the name of a property everywhere, `checks` is asked for as a list.
    """
    return all(_PROPERTY_NAME.match(criterion.id) for criterion in criteria)


def rubric_schema(criteria: Sequence[Criterion]) -> JsonSchema:
    """Return the schema for a judgement of exactly these criteria, each in its own mode."""
    if asks_by_id(criteria):
        checks = _object({criterion.id: _object(_verdict(criterion)) for criterion in criteria})
    else:
        checks = {"type": "array", "items": _one_of(_listed_checks(criteria))}
    return _object({"checks": checks, "overall_reasoning": _TEXT})


def scorecard_schema(scorecard: Scorecard) -> JsonSchema:
    """Return the schema for a judgement of the seven dimensions; a list that can only be empty is not asked for."""
    dimension = _object({"reasoning": _TEXT, "score": _integer(LOWEST_DIMENSION_SCORE, HIGHEST_DIMENSION_SCORE)})
    properties = {"dimensions": _object(dict.fromkeys(DIMENSIONS, dimension))}
    for name, known in (("red_flags", scorecard.red_flags), ("bonuses", scorecard.bonuses)):
        if known:
            finding = _object({"explanation": _TEXT, "id": _one_id(each.id for each in known)})
            properties[name] = {"type": "array", "items": finding}
    return _object({**properties, "overall_reasoning": _TEXT})


def free_form_schema() -> JsonSchema:
    """Return the schema for one score from 0 to 1. Its bounds are checked on reading: few providers can keep them."""
    return _object({"hits": _TEXTS, "misses": _TEXTS, "reasoning": _TEXT, "score": {"type": "number"}})


def proposal_schema(*, ranges: bool) -> JsonSchema:
    """Return the schema for new criteria. How many there are is checked on reading: few providers can keep to it."""
    criterion = {"id": _TEXT, "expected_outcome": _TEXT, "weight": {"type": "number"}, "required": {"type": "boolean"}}
    if ranges:
        bounds = {"type": "array", "items": _integer(LOWEST_SCORE, HIGHEST_SCORE)}
        band = _object({"score_range": bounds, "expected_outcome": _TEXT})
        criterion["score_ranges"] = {"type": "array", "items": band}
    return _object({"reasoning": _TEXT, "criteria": {"type": "array", "items": _object(criterion)}})


def _verdict(criterion: Criterion) -> JsonSchema:
    if criterion.mode == "checklist":
        return {"reasoning": _TEXT, "satisfied": {"type": "boolean"}}
    return {"reasoning": _TEXT, "score": _integer(LOWEST_SCORE, HIGHEST_SCORE)}


def _listed_checks(criteria: Sequence[Criterion]) -> list[JsonSchema]:
    """Return the shapes that a check in a list may have: one for each mode, with the ids of that mode."""
    by_mode: dict[str, list[Criterion]] = {}
    for criterion in criteria:
        by_mode.setdefault(criterion.mode, []).append(criterion)
    return [_object({"id": _one_id(each.id for each in group), **_verdict(group[0])}) for group in by_mode.values()]


def _one_of(schemas: list[JsonSchema]) -> JsonSchema:
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


def _one_id(ids: Iterable[str]) -> JsonSchema:
    return {"type": "string", "enum": list(ids)}


def _integer(lowest: int, highest: int) -> JsonSchema:
    return {"type": "integer", "enum": list(range(lowest, highest + 1))}


def _object(properties: JsonSchema) -> JsonSchema:
    # Some providers write the required properties in the order of this list.
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
