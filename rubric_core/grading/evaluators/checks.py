"""Helpers for assertions without a judge in all dialects: lines in words, numbers, JSON, texts."""

import json
from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, NamedTuple

from rubric_core.grading.failures import CannotGrade, GradingFailed
from rubric_core.grading.results import EvaluatorResult
from rubric_core.model.evaluators import Evaluator
from rubric_core.text.writing import plural

Config = Mapping[str, Any]

CONTAINS = frozenset(f"{prefix}contains{which}" for prefix in ("", "i") for which in ("", "-any", "-all"))
"""The types that look for texts in the answer."""
_PLAIN_VERBS = {"contains": "contain", "equals": "equal", "starts": "start", "ends": "end", "matches": "match"}


class CheckLine(NamedTuple):
    """One thing that was checked, in words, and whether it holds."""

    text: str
    holds: bool


class Lacking(Exception):  # noqa: N818 - reads as a sentence where it is caught.
    """The answer or the case does not have the data of a check."""


async def run_check(evaluator: Evaluator, check: Coroutine[Any, Any, EvaluatorResult]) -> EvaluatorResult:
    """Return the result of a check. One that is impossible is an error, and one whose data is missing is not run."""
    try:
        return await check
    except Lacking as lacking:
        return replace(ungraded(evaluator), status="not run", error=str(lacking))
    except GradingFailed as failure:
        return replace(ungraded(evaluator), error=failure.reason)


def ungraded(evaluator: Evaluator) -> EvaluatorResult:
    """Return a result without a score."""
    return EvaluatorResult(evaluator.name, evaluator.type, evaluator.weight, "error")


def check_line(what: str, *, holds: bool) -> CheckLine:
    """Return a line of a check: `The answer contains "x".`, or `The answer does not contain "x".`."""
    verb, _, rest = what.partition(" ")
    return CheckLine(f"The answer {verb if holds else f'does not {_PLAIN_VERBS[verb]}'} {rest}.", holds=holds)


def contained(kind: str, values: Sequence[str], text: str) -> list[CheckLine]:
    """Return for one of the types of `CONTAINS` which of the values a text contains: any of them, or each."""
    ignores_case = kind.startswith("i")
    looked_in = text.lower() if ignores_case else text
    checked = [(value, (value.lower() if ignores_case else value) in looked_in) for value in values]
    if kind.endswith("-any"):
        contained_value = next((value for value, holds in checked if holds), None)
        description = f"any of {plural(len(values), 'text')}" if contained_value is None else f'"{contained_value}"'
        return [check_line(f"contains {description}", holds=contained_value is not None)]
    note = " in upper or lower case" if kind == "icontains" else ""
    return [check_line(f'contains "{value}"{note}', holds=holds) for value, holds in checked]


def at_most(what: str, number: Decimal, limit: Decimal) -> CheckLine:
    """Return whether a number is within a limit."""
    holds = number <= limit
    return CheckLine(f"The {what} is {number:f}, {'at most' if holds else 'more than'} {limit:f}.", holds=holds)


def number_in(config: Config, key: str) -> Decimal | None:
    """Return a number of the file as written, or None."""
    value = config.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise CannotGrade(f"`{key}` must be a number.")
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def required_number(config: Config, key: str) -> Decimal:
    """Return a number of the file as written. Raises CannotGrade without one."""
    number = number_in(config, key)
    if number is None:
        raise CannotGrade(f"`{key}` is missing.")
    return number


def known_fact(value: Any, name: str) -> Any:
    """Return a fact about an answer. Raises Lacking if it is unknown."""
    if value is None:
        raise Lacking(f"The answer has no recorded `{name}`; record it next to the text, which is then under `output`.")
    return value


def json_line(text: str) -> CheckLine:
    """Return whether an answer is JSON."""
    holds = is_json(text)
    return CheckLine(f"The answer is {'' if holds else 'not '}JSON.", holds=holds)


def is_json(text: str) -> bool:
    """Return whether a text is JSON as JavaScript reads it, without `NaN` and `Infinity`."""

    def refuse(name: str) -> None:
        raise ValueError(name)

    try:
        # Numbers are not converted: Python refuses to read very long ones.
        json.loads(text, parse_int=str, parse_float=str, parse_constant=refuse)
    except ValueError:
        return False
    except RecursionError:
        raise CannotGrade("The answer is nested too deeply to be read as JSON.") from None
    return True
