"""Find JSON in untrusted text. Numbers are exact, repeated keys are reported, and the cost is bounded."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from rubric_core.grading.failures import CannotGrade
from rubric_core.text.patterns import lazily

_BLANK = " \t\r\n"
_BYTE_ORDER_MARK = "\ufeff"
# A brace alone is common in prose and code. One before a quoted name starts a JSON object.
_OBJECT_START = lazily(r'\{[ \t\r\n]*"')
_NOT_A_NUMBER = Decimal("NaN")


class NotJson(ValueError):  # noqa: N818 - reads as a sentence where it is caught.
    """A text without the expected JSON. The message is one sentence."""


@dataclass(frozen=True, slots=True)
class FoundObject:
    """A JSON object with decimals, its text as it is written, and the keys that occur twice in any object of it."""

    value: dict[str, Any]
    repeated_keys: tuple[str, ...] = ()
    text: str = ""


def find_object(text: str) -> FoundObject:
    """Return the JSON object in a text, amid prose or in a fence. Raises NotJson for none, several or a broken one."""
    whole = text.strip(_BLANK + _BYTE_ORDER_MARK)
    if not whole:
        raise NotJson("The reply is empty.")
    try:
        json_object, end = _decoded(whole, 0)
    except json.JSONDecodeError:
        return _search(whole)
    if end < len(whole):
        return _search(whole)
    if not isinstance(json_object.value, dict):
        raise NotJson(f"The reply is {kind_of(json_object.value)}, not a JSON object.")
    return json_object


def _search(text: str) -> FoundObject:
    json_object: FoundObject | None = None
    at = 0
    while (start := _OBJECT_START.search(text, at)) is not None:
        if json_object is not None:
            raise NotJson("The reply holds more than one JSON object.")
        try:
            json_object, at = _decoded(text, start.start())
        except json.JSONDecodeError as error:
            # Objects inside of a broken one are ignored: a part of a judgement is not a judgement.
            raise NotJson(_broken(text, error)) from None
    if json_object is None:
        raise NotJson("The reply holds no JSON object.")
    return json_object


def _decoded(text: str, at: int) -> tuple[FoundObject, int]:
    repeated: list[str] = []

    def build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        built: dict[str, Any] = {}
        for key, value in pairs:
            if key in built:
                repeated.append(key)
            else:
                built[key] = value
        return built

    decoder = json.JSONDecoder(
        object_pairs_hook=build,
        parse_int=_number,
        parse_float=_number,
        parse_constant=Decimal,
        # Models write line breaks into strings, which are unambiguous.
        strict=False,
    )
    try:
        value, end = decoder.raw_decode(text, at)
    except RecursionError:
        raise NotJson("The JSON is nested too deeply.") from None
    return FoundObject(value, tuple(dict.fromkeys(repeated)), text[at:end]), end


def _number(token: str) -> Decimal:
    """Read a number as written. One beyond the range of decimals is invalid."""
    try:
        return Decimal(token)
    except InvalidOperation:
        return _NOT_A_NUMBER


def _broken(text: str, error: json.JSONDecodeError) -> str:
    if error.pos >= len(text) or error.msg.startswith("Unterminated string"):
        return "The JSON object ends before it is complete."
    return f"The JSON is broken at line {error.lineno}, column {error.colno} ({error.msg})."


def kind_of(value: object) -> str:
    """Return the type of a JSON value in words."""
    if value is None:
        return "null"
    kinds = {dict: "a JSON object", list: "a JSON list", str: "a JSON string", bool: "a JSON boolean"}
    return kinds.get(type(value), "a JSON number")


def members(text: str) -> list[tuple[str, str]]:
    """Return the members of a JSON object as written, including repeated ones. Raises NotJson for anything else."""
    return list(_items(text, dict))


def elements(text: str) -> list[str]:
    """Return the elements of a JSON list as written. Raises NotJson for anything else."""
    return [written for _, written in _items(text, list)]


def entries_by_case(text: str, path: object, what: str) -> Iterator[tuple[str, str]]:
    """Yield case ids and their values in a JSON object, as written. Raises CannotGrade if one is repeated."""
    seen: set[str] = set()
    try:
        entries = members(text)
    except NotJson as error:
        raise CannotGrade(f"{path} is no JSON object from case id to {what}. {error}") from None
    for case_id, written in entries:
        if case_id in seen:
            raise CannotGrade(f"{path} holds the case {case_id} twice; keep one of its {what}s.")
        seen.add(case_id)
        yield case_id, written


def _items(text: str, kind: type) -> Iterator[tuple[str, str]]:
    """Yield the values of a JSON object, or of a list, as they are written, each with its key, empty in a list."""
    at = _after_blanks(text, 0)
    try:
        decoded, end = _decoded(text, at)
    except json.JSONDecodeError as error:
        raise NotJson(_broken(text, error)) from None
    if _after_blanks(text, end) < len(text):
        raise NotJson("Something follows the end of the JSON.")
    if not isinstance(decoded.value, kind):
        raise NotJson(f"It is {kind_of(decoded.value)}, not {kind_of(kind())}.")
    at = _after_blanks(text, at + 1)
    while text[at] not in "}]":
        key = ""
        if kind is dict:
            decoded, at = _decoded(text, at)
            key, at = str(decoded.value), _after_blanks(text, _after_blanks(text, at) + 1)
        _, end = _decoded(text, at)
        yield key, text[at:end]
        at = _after_blanks(text, end)
        if text[at] == ",":
            at = _after_blanks(text, at + 1)


def _after_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at
