"""`field-accuracy`: the fields of a structured answer against those of the reference answer, as in AgentV."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any, NamedTuple

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.json_text import NotJson, find_object
from rubric_core.model.suite import Message
from rubric_core.text.patterns import lazily

_MISSING = object()
_FENCE = lazily(r"```json\n?|```")
_OBJECT = lazily(r"\{.*\}", re.DOTALL)
_PART = lazily(r"[^.\[\]]+")
_LEADING_NUMBER = lazily(r"\s*([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
_ISO = lazily(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[T ].*)?\Z")
_NUMERIC = lazily(r"([0-9]{1,2})[/-]([0-9]{1,2})[/-]([0-9]{4})\Z")
_NAMED = lazily(r"([0-9]{1,2})[- ]([A-Za-z]{3,9})[- ,]+([0-9]{4})\Z")
_NAME_FIRST = lazily(r"([A-Za-z]{3,9})\.? ([0-9]{1,2}),? ([0-9]{4})\Z")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTHS_OF_A_YEAR = 12

Line = tuple[str, bool]


class _FieldScore(NamedTuple):
    text: str
    holds: bool
    weight: Decimal


def compare_fields(
    config: Mapping[str, Any], expected: Sequence[Message], answer: str
) -> tuple[Fraction, tuple[Line, ...]] | None:
    """Return the score and a line for each field; None without a structured reference answer.

    Raises CannotGrade if the fields to compare cannot be read.
    """
    fields = config.get("fields")
    if not isinstance(fields, list) or not fields or not all(isinstance(field, dict) for field in fields):
        raise CannotGrade("`fields` must be a list of mappings with a `path`.")
    reference = _reference(expected)
    if reference is None:
        return None
    answered = _parsed(answer)
    if answered is None:
        return Fraction(0), (("The answer is no JSON object.", False),)
    scores = [_compared(field, answered, reference) for field in fields]
    lines = tuple((score.text, score.holds) for score in scores)
    if config.get("aggregation") == "all_or_nothing":
        return Fraction(all(score.holds for score in scores)), lines
    total = sum((score.weight for score in scores), Decimal(0))
    earned = sum((score.weight for score in scores if score.holds), Decimal(0))
    return (Fraction(earned) / Fraction(total) if total else Fraction(0)), lines


def _reference(expected: Iterable[Message]) -> Mapping[str, Any] | None:
    """Return the data of the last message of the assistant with data."""
    for message in reversed(list(expected)):
        if message.role != "assistant" or not message.content:
            continue
        if isinstance(message.content, dict):
            return {key: _exact(value) for key, value in message.content.items()}
        parsed = _parsed(message.content) if isinstance(message.content, str) else None
        if parsed is not None:
            return parsed
    return None


def _exact(value: Any) -> Any:
    """Return data of the file with numbers as decimals, as in answers."""
    if isinstance(value, dict):
        return {key: _exact(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_exact(item) for item in value]
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def _parsed(text: str) -> Mapping[str, Any] | None:
    """Return the object in a text, from its first brace to its last, without code fences."""
    whole = _OBJECT.search(_FENCE.sub("", text).strip())
    if whole is None:
        return None
    try:
        answered = find_object(whole[0])
        json.loads(whole[0], parse_int=str, parse_float=str)
    except (NotJson, ValueError, RecursionError):
        return None
    return answered.value


def _compared(field: Mapping[str, Any], answered: Mapping[str, Any], reference: Mapping[str, Any]) -> _FieldScore:
    path = field.get("path")
    if not isinstance(path, str):
        raise CannotGrade("Each of `fields` must have a `path`.")
    weight = _exact(field.get("weight", 1))
    if not isinstance(weight, Decimal) or not weight.is_finite() or weight < 0:
        raise CannotGrade(f"The weight of {path} must be a number of 0 or more.")
    value, expected = _at(answered, path), _at(reference, path)
    if expected is _MISSING:
        return _FieldScore(f"{path}: nothing is expected.", holds=True, weight=weight)
    if value is _MISSING:
        if field.get("required", True):
            return _FieldScore(f"{path} is missing.", holds=False, weight=weight)
        return _FieldScore(f"{path} is missing, and may be.", holds=True, weight=Decimal(0))
    match = field.get("match", "exact")
    compare = _MATCHES.get(match)
    if compare is None:
        raise CannotGrade(f"The match {match} of {path} is none of {', '.join(_MATCHES)}.")
    holds = compare(value, expected, field)
    return _FieldScore(f"{path} {'is' if holds else 'is not'} what is expected.", holds, weight)


def _at(data: Any, path: str) -> Any:
    """Return the value at a path such as `lines[0].amount`."""
    for part in _PART.findall(path):
        if isinstance(data, list) and part.isdecimal() and part.isascii():
            data = data[int(part)] if int(part) < len(data) else _MISSING
        elif isinstance(data, dict):
            data = data.get(part, _MISSING)
        else:
            return _MISSING
    return data if path else _MISSING


def _same(value: Any, expected: Any, _field: Mapping[str, Any]) -> bool:
    # True is 1 to Python; in JSON it is not.
    if isinstance(value, bool) or isinstance(expected, bool):
        return value is expected
    if isinstance(value, dict) and isinstance(expected, dict):
        return value.keys() == expected.keys() and all(_same(value[key], expected[key], _field) for key in value)
    if isinstance(value, list) and isinstance(expected, list):
        pairs = zip(value, expected, strict=False)
        return len(value) == len(expected) and all(_same(one, other, _field) for one, other in pairs)
    return bool(value == expected)


def _close(value: Any, expected: Any, field: Mapping[str, Any]) -> bool:
    number, target, tolerance = _number(value), _number(expected), _exact(field.get("tolerance", 0))
    if number is None or target is None or not isinstance(tolerance, Decimal):
        return False
    difference = abs(Fraction(number) - Fraction(target))
    if field.get("relative") and target:
        difference /= abs(Fraction(target))
    return difference <= Fraction(tolerance)


def _number(value: Any) -> Decimal | None:
    """Return a number, or the number at the start of a text."""
    if isinstance(value, str):
        leading = _LEADING_NUMBER.match(value)
        try:
            value = Decimal(leading[1]) if leading else None
        except InvalidOperation:
            return None
    return value if isinstance(value, Decimal) and value.is_finite() else None


def _same_day(value: Any, expected: Any, _field: Mapping[str, Any]) -> bool:
    day, target = _day(value), _day(expected)
    return day is not None and day == target


def _day(value: Any) -> date | None:
    """Return the day of a text: `2025-01-15`, `15-JAN-2025`, `Jan 15, 2025`, `01/15/2025`, or `15/01/2025`.

    If two numbers may both be the month, it is the first one, as in JavaScript, whatever the formats are.
    """
    text = str(value).strip()
    try:
        if written := _ISO.match(text):
            return date(int(written[1]), int(written[2]), int(written[3]))
        if written := _NUMERIC.match(text):
            first, second, year = map(int, written.groups())
            return date(year, second, first) if first > _MONTHS_OF_A_YEAR else date(year, first, second)
        if written := _NAMED.match(text):
            return date(int(written[3]), _month(written[2]), int(written[1]))
        if written := _NAME_FIRST.match(text):
            return date(int(written[3]), _month(written[1]), int(written[2]))
    except ValueError:
        return None
    return None


def _month(name: str) -> int:
    return _MONTHS.index(name[:3].lower()) + 1


_MATCHES = {"exact": _same, "numeric_tolerance": _close, "date": _same_day}
