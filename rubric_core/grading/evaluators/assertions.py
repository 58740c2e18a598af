"""Assertions that need no judge and take the output as it is: one small function for each type, in `ASSERTIONS`.

They do what promptfoo's code does: nothing is trimmed, a number is looked for as text, a list may be one text with
commas. What stands before a type to turn it around is not part of the table.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from rubric_core.grading.answers import Answer
from rubric_core.grading.evaluators.offline import CheckLine, Lacking, is_json, known_fact, number_in, required_number
from rubric_core.grading.evaluators.regex_characters import SPACES, units_of
from rubric_core.grading.evaluators.regexes import matches
from rubric_core.grading.failures import CannotGrade, GradingFailed
from rubric_core.grading.results import EvaluatorResult
from rubric_core.model.evaluators import OtherEvaluator
from rubric_core.schema.scales import FILE_URL
from rubric_core.scoring.grades import Verdict
from rubric_core.text.patterns import lazily

Config = Mapping[str, Any]

_DEFAULT_DISTANCE = Decimal(5)
_MOST_STEPS = 20_000_000
"""How many pairs of characters are compared at most, which takes some seconds."""
_SPACE = lazily(f"[{re.escape(SPACES)}]+")
_FIELD = lazily(r'"((?:\\["\\]|""|[^"])*)"|([^,]+)')
_ESCAPED = lazily(r'\\(["\\])|"(")')
_REGEX = "regex"


async def run_assertion(evaluator: OtherEvaluator, answer: Answer, negation: str) -> EvaluatorResult:
    """Check an answer. What cannot be checked is an error, and what lacks something is not run.

    `negation` is what stands before a type that is turned around.
    """
    empty = EvaluatorResult(evaluator.name, evaluator.type, evaluator.weight, "error")
    kind = evaluator.type.removeprefix(negation)
    is_negated = kind != evaluator.type
    try:
        _refuse_file(evaluator.config)
        if kind == _REGEX:
            lines = [await _regex(evaluator.config, answer)]
        else:
            lines = ASSERTIONS[kind](evaluator.config, answer)
    except Lacking as lacking:
        return replace(empty, status="not run", error=str(lacking))
    except GradingFailed as failure:
        return replace(empty, error=failure.reason)
    holds = all(line.holds for line in lines) is not is_negated
    return replace(
        empty,
        status="graded",
        score=Fraction(holds),
        verdict=Verdict.PASS if holds else Verdict.FAIL,
        negated=is_negated,
        hits=tuple(line.text for line in lines if line.holds is not is_negated),
        # Where all texts together must not be there, those that are there do no harm.
        misses=() if holds else tuple(line.text for line in lines if line.holds is is_negated),
    )


def _refuse_file(config: Config) -> None:
    value = config.get("value")
    if isinstance(value, str) and value.startswith(FILE_URL):
        raise Lacking(f"Its value stands in {value.removeprefix(FILE_URL)}, which this grader does not read.")


def _line(what: str, plain: str, *, holds: bool) -> CheckLine:
    """Return what was checked: `The output contains "x".`, or the same with `does not` and the plain verb."""
    verb, _, rest = what.partition(" ")
    return CheckLine(f"The output {verb if holds else f'does not {plain}'} {rest}.", holds=holds)


def text_in(value: Any) -> str:
    """Return a value as JavaScript writes it in a text."""
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _looked_for(config: Config) -> str:
    value = config.get("value")
    if isinstance(value, bool) or not isinstance(value, str | int | float) or value == "":
        raise CannotGrade("`value` must be a text or a number.")
    return text_in(value)


def _texts(config: Config) -> list[str]:
    value = config.get("value")
    if isinstance(value, str) and value:
        return separated(value)
    if not isinstance(value, list):
        raise CannotGrade("`value` must be a list of texts, or a text with commas.")
    return [text_in(each) for each in value]


def separated(text: str) -> list[str]:
    """Return the texts between commas; one between double quotes may have commas. Raises CannotGrade."""
    found: list[str] = []
    place = 0
    while (place := len(text) - len(text[place:].lstrip(f"{SPACES},"))) < len(text):
        field = _FIELD.match(text, place)
        if field is None or (text[place] == '"' and field[1] is None):
            raise CannotGrade("`value` has a double quote that never closes.")
        place = field.end()
        if field[1] is None:
            found.append(field[2].strip(SPACES))
            continue
        found.append(_ESCAPED.sub(lambda each: each[1] or each[2], field[1]))
        rest = text[place:].lstrip(SPACES)
        if rest and not rest.startswith(","):
            raise CannotGrade("`value` has text behind a double quote; write a comma there.")
    return found


def _contains(config: Config, answer: Answer) -> list[CheckLine]:
    value = _looked_for(config)
    return [_line(f'contains "{value}"', "contain", holds=value in answer.text)]


def _icontains(config: Config, answer: Answer) -> list[CheckLine]:
    value = _looked_for(config)
    holds = value.lower() in answer.text.lower()
    return [_line(f'contains "{value}" in upper or lower case', "contain", holds=holds)]


def _contains_any(config: Config, answer: Answer) -> list[CheckLine]:
    return _any_of(_texts(config), lambda value: value in answer.text)


def _icontains_any(config: Config, answer: Answer) -> list[CheckLine]:
    lower = answer.text.lower()
    return _any_of(_texts(config), lambda value: value.lower() in lower)


def _contains_all(config: Config, answer: Answer) -> list[CheckLine]:
    return [_line(f'contains "{value}"', "contain", holds=value in answer.text) for value in _texts(config)]


def _icontains_all(config: Config, answer: Answer) -> list[CheckLine]:
    lower = answer.text.lower()
    return [_line(f'contains "{value}"', "contain", holds=value.lower() in lower) for value in _texts(config)]


def _any_of(values: list[str], is_found: Callable[[str], bool]) -> list[CheckLine]:
    found = next((value for value in values if is_found(value)), None)
    told = f'"{found}"' if found is not None else f"any of {len(values):,} texts"
    return [_line(f"contains {told}", "contain", holds=found is not None)]


def _equals(config: Config, answer: Answer) -> list[CheckLine]:
    value = config.get("value")
    if isinstance(value, dict | list) or value is None:
        holds = value is not None and is_json(answer.text) and same_json(value, _read(answer.text))
        return [_line("equals the JSON of `value`", "equal", holds=holds)]
    text = text_in(value)
    return [_line(f'equals "{text}"', "equal", holds=answer.text == text)]


def _read(text: str) -> Any:
    return json.loads(text, parse_int=float, parse_float=float)


def same_json(one: Any, other: Any) -> bool:
    """Return whether two values of JSON are the same to JavaScript, for which all numbers are binary floats."""
    if isinstance(one, dict):
        same_keys = isinstance(other, dict) and one.keys() == other.keys()
        return same_keys and all(same_json(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        same_length = isinstance(other, list) and len(one) == len(other)
        return same_length and all(map(same_json, one, other))
    if isinstance(one, bool) or isinstance(other, bool) or one is None or isinstance(one, str):
        return type(one) is type(other) and one == other
    return isinstance(other, int | float) and float(one) == float(other)


def _starts_with(config: Config, answer: Answer) -> list[CheckLine]:
    value = config.get("value")
    if not isinstance(value, str) or not value:
        raise CannotGrade("`value` must be a text.")
    return [_line(f'starts with "{value}"', "start", holds=answer.text.startswith(value))]


async def _regex(config: Config, answer: Answer) -> CheckLine:
    pattern = config.get("value")
    if not isinstance(pattern, str) or not pattern:
        raise CannotGrade("`value` must be a text.")
    return _line(f"matches /{pattern}/", "match", holds=await matches(pattern, "", answer.text))


def _is_json(config: Config, answer: Answer) -> list[CheckLine]:
    if not is_json(answer.text):
        return [CheckLine("The output is not JSON.", holds=False)]
    if config.get("value") is not None:
        raise Lacking("Its `value` is a schema, which this grader does not check.")
    return [CheckLine("The output is JSON.", holds=True)]


def _word_count(config: Config, answer: Answer) -> list[CheckLine]:
    count = sum(1 for word in _SPACE.split(answer.text) if word)
    value = config.get("value")
    if isinstance(value, dict):
        least, most = number_in(value, "min"), number_in(value, "max")
        if least is None and most is None:
            raise CannotGrade("`value` must have `min`, `max` or both.")
        if least is not None and most is not None and least > most:
            raise CannotGrade(f"`min` is {least:f}, more than `max`, which is {most:f}.")
    else:
        least = most = _number_of_words(value)
    allowed = " and ".join(
        f"{word} {bound:f}" for word, bound in (("at least", least), ("at most", most)) if bound is not None
    )
    allowed = f"{least:f}" if least is not None and least == most else allowed
    holds = (least is None or count >= least) and (most is None or count <= most)
    return [CheckLine(f"The output has {count:,} words; {allowed} are asked for.", holds=holds)]


def _number_of_words(value: Any) -> Decimal:
    if isinstance(value, str):
        try:
            found = Decimal(value.strip(SPACES))
        except ArithmeticError:
            found = Decimal("nan")
        if found.is_finite():
            return found
        raise CannotGrade("`value` must be a number, or have `min` and `max`.")
    return required_number({"value": value}, "value")


def _levenshtein(config: Config, answer: Answer) -> list[CheckLine]:
    value = config.get("value")
    if not isinstance(value, str):
        raise CannotGrade("`value` must be a text.")
    limit = number_in(config, "threshold")
    limit = _DEFAULT_DISTANCE if limit is None else limit
    found = distance_within(answer.text, value, int(limit // 1)) if limit >= 0 else None
    told = f"more than {limit:f}" if found is None else f"{found:,}"
    line = f'The output is {told} edits away from "{value}"; {limit:f} are allowed.'
    return [CheckLine(line, holds=found is not None)]


def distance_within(one: str, other: str, limit: int) -> int | None:
    """Return how many characters must be put in, taken out or replaced; None where these are more than a limit.

    Characters are units of UTF-16, as in JavaScript. Raises CannotGrade where that takes too long.
    """
    left, right = ("".join(map(units_of, text)) for text in (one, other))
    if abs(len(left) - len(right)) > limit:
        return None
    width = min(limit, max(len(left), len(right)))
    if len(left) * (2 * width + 1) > _MOST_STEPS:
        raise CannotGrade("The texts are too long to count the edits between them; lower the `threshold`.")
    far = width + 1
    row = {place: place for place in range(min(width, len(right)) + 1)}
    for place, unit in enumerate(left, start=1):
        before, row = row, {}
        for column in range(max(0, place - width), min(len(right), place + width) + 1):
            steps = min(before.get(column, far), row.get(column - 1, far)) + 1
            if column:
                steps = min(steps, before.get(column - 1, far) + (unit != right[column - 1]))
            row[column] = min(steps, far)
    found = row.get(len(right), far)
    return found if found <= limit else None


def _latency(config: Config, answer: Answer) -> list[CheckLine]:
    return _at_most("duration in ms", answer.facts.duration_ms, "duration_ms", config)


def _cost(config: Config, answer: Answer) -> list[CheckLine]:
    return _at_most("cost in US dollars", answer.facts.cost_usd, "cost_usd", config)


def _at_most(what: str, fact: Decimal | None, name: str, config: Config) -> list[CheckLine]:
    limit, found = required_number(config, "threshold"), known_fact(fact, name)
    holds = found <= limit
    return [CheckLine(f"The {what} is {found:f}, {'at most' if holds else 'more than'} {limit:f}.", holds=holds)]


ASSERTIONS: dict[str, Callable[[Config, Answer], list[CheckLine]]] = {
    "contains": _contains,
    "contains-any": _contains_any,
    "contains-all": _contains_all,
    "icontains": _icontains,
    "icontains-any": _icontains_any,
    "icontains-all": _icontains_all,
    "equals": _equals,
    "starts-with": _starts_with,
    "is-json": _is_json,
    "word-count": _word_count,
    "levenshtein": _levenshtein,
    "latency": _latency,
    "cost": _cost,
}
"""Every type but `regex`, which runs in another process."""
