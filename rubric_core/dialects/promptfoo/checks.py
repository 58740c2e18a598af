"""Assertions of promptfoo that need no judge: one small function for each type, in the table `ASSERTIONS`.

They do what promptfoo's code does: nothing is trimmed, a number is looked for as text, a list may be one text with
commas, and a value may be in a file. The tables have no negated types.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import PurePath
from typing import Any

from rubric_core.dialects.promptfoo.assertions import NOT
from rubric_core.dialects.promptfoo.embedded_json import objects_in
from rubric_core.dialects.promptfoo.rows import separated
from rubric_core.grading.answers import Answer
from rubric_core.grading.evaluators.checks import (
    CONTAINS,
    CheckLine,
    Config,
    Lacking,
    at_most,
    check_line,
    contained,
    is_json,
    json_line,
    known_fact,
    number_in,
    required_number,
    run_check,
    ungraded,
)
from rubric_core.grading.evaluators.regexes import matches
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.results import EvaluatorResult
from rubric_core.grading.workspace import read_attachment
from rubric_core.javascript_regex import SPACES, code_units
from rubric_core.model.builder import plain
from rubric_core.model.evaluators import OtherEvaluator
from rubric_core.model.suite import EvalCase
from rubric_core.schema.scales import FILE_URL
from rubric_core.scoring.grades import Verdict
from rubric_core.syntax.parse import parse
from rubric_core.text.patterns import lazily

_DEFAULT_DISTANCE = Decimal(5)
_MOST_STEPS = 20_000_000
"""How many pairs of characters are compared at most, which takes some seconds."""
_SPACE = lazily(f"[{re.escape(SPACES)}]+")
_DATA_FILES = (".json", ".yaml", ".yml")
_CODE_FILES = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".py", ".rb")
_PACKAGE = "package:"


async def run_assertion(evaluator: OtherEvaluator, case: EvalCase, answer: Answer) -> EvaluatorResult:
    """Check an answer. A check that is impossible is an error, and one whose data is missing is not run."""
    return await run_check(evaluator, _checked(evaluator, case, answer))


async def _checked(evaluator: OtherEvaluator, case: EvalCase, answer: Answer) -> EvaluatorResult:
    kind = evaluator.type.removeprefix(NOT)
    is_negated = kind != evaluator.type
    config = {**evaluator.config, "value": _value_of(evaluator.config.get("value"), case)}
    if kind in WAITING:
        lines = await WAITING[kind](config, answer)
    else:
        lines = ASSERTIONS[kind](config, answer)
    holds = all(line.holds for line in lines) is not is_negated
    return replace(
        ungraded(evaluator),
        status="graded",
        score=Fraction(holds),
        verdict=Verdict.PASS if holds else Verdict.FAIL,
        negated=is_negated,
        hits=tuple(line.text for line in lines if line.holds is not is_negated),
        # If only all texts together are forbidden, single ones that occur are no evidence.
        misses=() if holds else tuple(line.text for line in lines if line.holds is is_negated),
    )


def _value_of(value: Any, case: EvalCase) -> Any:
    """Return a value or the contents of its file; items of a list may be in files, too."""
    if isinstance(value, list):
        return [_in_file(item, case) if _names_file(item) else item for item in value]
    if isinstance(value, str) and value.startswith(_PACKAGE):
        raise Lacking(f"Its value is the function {value.removeprefix(_PACKAGE)}, which this grader does not run.")
    return _in_file(value, case) if _names_file(value) else value


def _names_file(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(FILE_URL)


def _in_file(value: str, case: EvalCase) -> Any:
    path = value.removeprefix(FILE_URL)
    suffix = PurePath(path.partition(":")[0]).suffix
    if suffix in _CODE_FILES:
        raise Lacking(f"Its value is what {path} returns, which this grader does not run.")
    if suffix not in (*_DATA_FILES, ".txt"):
        raise CannotGrade(f"The value in {path} cannot be read; use a file .json, .yaml, .yml or .txt.")
    text = read_attachment(path, case)
    return text.strip(SPACES) if suffix == ".txt" else read_yaml(text, path)


def read_yaml(text: str, name: str) -> Any:
    """Return the data of a text in YAML or JSON. Raises CannotGrade if it is neither."""
    tree = parse(text)
    if tree.problems or tree.root is None:
        raise CannotGrade(f"{name} is neither YAML nor JSON.")
    return plain(tree.root)


def text_in(value: Any) -> str:
    """Return a value as text, as JavaScript converts it."""
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
        try:
            return separated(value)
        except ValueError as error:
            raise CannotGrade(str(error)) from error
    if not isinstance(value, list):
        raise CannotGrade("`value` must be a list of texts, or a text with commas.")
    return [text_in(item) for item in value]


def _contains(kind: str, config: Config, answer: Answer) -> list[CheckLine]:
    values = _texts(config) if kind.endswith(("-any", "-all")) else [_looked_for(config)]
    return contained(kind, values, answer.text)


def _equals(config: Config, answer: Answer) -> list[CheckLine]:
    value = config.get("value")
    if isinstance(value, dict | list) or value is None:
        holds = value is not None and is_json(answer.text) and same_json(value, _read(answer.text))
        return [check_line("equals the JSON of `value`", holds=holds)]
    text = text_in(value)
    return [check_line(f'equals "{text}"', holds=answer.text == text)]


def _read(text: str) -> Any:
    return json.loads(text, parse_int=float)


def same_json(one: Any, other: Any) -> bool:
    """Return whether two values of JSON are equal in JavaScript, where all numbers are binary floats."""
    if isinstance(one, dict):
        same_keys = isinstance(other, dict) and one.keys() == other.keys()
        return same_keys and all(same_json(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        same_length = isinstance(other, list) and len(one) == len(other)
        return same_length and all(map(same_json, one, other))
    if isinstance(one, bool) or isinstance(other, bool) or one is None or isinstance(one, str):
        return type(one) is type(other) and one == other
    return isinstance(other, int | float) and float(one) == float(other)


def _text(config: Config) -> str:
    value = config.get("value")
    if not isinstance(value, str) or not value:
        raise CannotGrade("`value` must be a text.")
    return value


def _starts_with(config: Config, answer: Answer) -> list[CheckLine]:
    value = _text(config)
    return [check_line(f'starts with "{value}"', holds=answer.text.startswith(value))]


async def _regex(config: Config, answer: Answer) -> list[CheckLine]:
    pattern = _text(config)
    return [check_line(f"matches /{pattern}/", holds=await matches(pattern, "", answer.text))]


async def _is_json(config: Config, answer: Answer) -> list[CheckLine]:
    schema, line = _schema_in(config), json_line(answer.text)
    if schema is None:
        return [line]
    problem = await _schema_problem(schema, [_read(answer.text)] if line.holds else [])
    return [_matching_line("is JSON that", problem) if line.holds else line]


async def _contains_json(config: Config, answer: Answer) -> list[CheckLine]:
    schema, objects = _schema_in(config), objects_in(answer.text)
    problem = None if schema is None else await _schema_problem(schema, objects)
    if schema is None or not objects:
        return [check_line("contains a JSON object", holds=bool(objects))]
    return [_matching_line("contains JSON that", problem)]


async def _schema_problem(schema: Mapping[str, Any], values: Sequence[Any]) -> str | None:
    try:
        from rubric_core.grading.evaluators.json_schemas import schema_problem  # noqa: PLC0415 - seldom needed.
    except ImportError:
        raise Lacking("It has a JSON Schema, and the Python package jsonschema is not installed.") from None
    return await asyncio.to_thread(schema_problem, schema, values)


def _matching_line(what: str, problem: str | None) -> CheckLine:
    if problem is None:
        return CheckLine(f"The answer {what} matches the schema.", holds=True)
    return CheckLine(f"The answer {what} does not match the schema: {problem}", holds=False)


def _schema_in(config: Config) -> Any:
    """Return the JSON Schema of an assertion, which may be a text in YAML; None where it has none."""
    value = config.get("value")
    if not value and not isinstance(value, dict | list):
        return None
    schema = read_yaml(value, "The schema in `value`") if isinstance(value, str) else value
    if not isinstance(schema, dict):
        raise CannotGrade("`value` must be a JSON Schema: a mapping, or a file with one.")
    return schema


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
            number = Decimal(value.strip(SPACES))
        except ArithmeticError:
            number = Decimal("nan")
        if number.is_finite():
            return number
        raise CannotGrade("`value` must be a number, or have `min` and `max`.")
    return required_number({"value": value}, "value")


def _levenshtein(config: Config, answer: Answer) -> list[CheckLine]:
    value = config.get("value")
    if not isinstance(value, str):
        raise CannotGrade("`value` must be a text.")
    limit = number_in(config, "threshold")
    limit = _DEFAULT_DISTANCE if limit is None else limit
    distance = distance_within(answer.text, value, int(limit // 1)) if limit >= 0 else None
    shown = f"more than {limit:f}" if distance is None else f"{distance:,}"
    line = f'The output is {shown} edits away from "{value}"; {limit:f} are allowed.'
    return [CheckLine(line, holds=distance is not None)]


def distance_within(one: str, other: str, limit: int) -> int | None:
    """Return how many characters must be inserted, removed or replaced; None if these are more than a limit.

    Characters are units of UTF-16, as in JavaScript. Raises CannotGrade where that takes too long.
    """
    left, right = map(code_units, (one, other))
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
    distance = row.get(len(right), far)
    return distance if distance <= limit else None


def _limited(what: str, fact: str, config: Config, answer: Answer) -> list[CheckLine]:
    """Compare a fact about the answer with the threshold."""
    limit = required_number(config, "threshold")
    return [at_most(what, known_fact(getattr(answer.facts, fact), fact), limit)]


ASSERTIONS: Mapping[str, Callable[[Config, Answer], list[CheckLine]]] = {
    **{kind: partial(_contains, kind) for kind in CONTAINS},
    "equals": _equals,
    "starts-with": _starts_with,
    "word-count": _word_count,
    "levenshtein": _levenshtein,
    "latency": partial(_limited, "duration in ms", "duration_ms"),
    "cost": partial(_limited, "cost in US dollars", "cost_usd"),
}
WAITING: Mapping[str, Callable[[Config, Answer], Awaitable[list[CheckLine]]]] = {
    "regex": _regex,
    "is-json": _is_json,
    "contains-json": _contains_json,
}
"""The types that match patterns, which may run in another process."""
