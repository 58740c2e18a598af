"""Evaluators that need no judge: one small function for each type, in the table `CHECKS`.

They do what AgentV's code does: `equals`, `starts-with` and `ends-with` trim both sides as JavaScript does, and
`icontains` compares in lower case. What an answer must carry for a check, such as its duration, may be missing: then
the evaluator is not run, and says so.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from rubric_core.grading.answers import Answer
from rubric_core.grading.evaluators.field_accuracy import compare_fields
from rubric_core.grading.evaluators.regex_characters import SPACES
from rubric_core.grading.evaluators.regexes import matches
from rubric_core.grading.failures import CannotGrade, GradingFailed
from rubric_core.grading.results import EvaluatorResult
from rubric_core.model.evaluators import Evaluator, OtherEvaluator
from rubric_core.model.suite import EvalCase
from rubric_core.schema.scales import VerdictMarks
from rubric_core.scoring.grades import verdict_of
from rubric_core.text.writing import plural

Config = Mapping[str, Any]

EXPLORATION_TOOLS = frozenset(
    {"read", "grep", "glob", "search", "list", "Read", "Grep", "Glob", "WebSearch", "WebFetch"}
)
"""The tools whose calls are exploration."""
_DEFAULT_TOLERANCE = Decimal("0.2")


class CheckLine(NamedTuple):
    """One thing that was checked, in words, and whether it holds."""

    text: str
    holds: bool


class Outcome(NamedTuple):
    """What a check says: a score from 0 to 1, and what was checked."""

    score: Fraction
    lines: tuple[CheckLine, ...]


class Lacking(Exception):  # noqa: N818 - reads as a sentence where it is caught.
    """The answer or the case does not carry what a check needs."""


async def run_offline(evaluator: Evaluator, case: EvalCase, answer: Answer, marks: VerdictMarks) -> EvaluatorResult:
    """Check an answer. What cannot be checked is an error, and what lacks its facts is not run."""
    empty = EvaluatorResult(evaluator.name, evaluator.type, evaluator.weight, "error")
    assert isinstance(evaluator, OtherEvaluator)  # noqa: S101 - `reason_not_run` names all others.
    try:
        if evaluator.type == _REGEX:
            outcome = await _regex(evaluator.config, answer)
        else:
            outcome = CHECKS[evaluator.type](evaluator.config, case, answer)
    except Lacking as lacking:
        return replace(empty, status="not run", error=str(lacking))
    except GradingFailed as failure:
        return replace(empty, error=failure.reason)
    return replace(
        empty,
        status="graded",
        score=outcome.score,
        verdict=verdict_of(outcome.score, gates_hold=True, marks=marks),
        hits=tuple(line.text for line in outcome.lines if line.holds),
        misses=tuple(line.text for line in outcome.lines if not line.holds),
    )


def _all_or_nothing(*lines: CheckLine) -> Outcome:
    return Outcome(Fraction(all(line.holds for line in lines)), lines)


def _text(config: Config, key: str = "value") -> str:
    value = config.get(key)
    if not isinstance(value, str):
        raise CannotGrade(f"`{key}` must be a text.")
    return value


def _texts(config: Config) -> list[str]:
    values = config.get("value")
    if not isinstance(values, list) or not values or not all(isinstance(each, str) for each in values):
        raise CannotGrade("`value` must be a list of texts.")
    return values


def number_in(config: Config, key: str) -> Decimal | None:
    """Return a number of the file as it is written; None where there is none."""
    value = config.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise CannotGrade(f"`{key}` must be a number.")
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


def required_number(config: Config, key: str) -> Decimal:
    """Return a number of the file as it is written. Raises CannotGrade where there is none."""
    found = number_in(config, key)
    if found is None:
        raise CannotGrade(f"`{key}` is missing.")
    return found


def _contains(config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    value = _text(config)
    return _all_or_nothing(_held(f'contains "{value}"', holds=value in answer.text))


def _icontains(config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    value = _text(config)
    holds = value.lower() in answer.text.lower()
    return _all_or_nothing(_held(f'contains "{value}" in upper or lower case', holds=holds))


def _contains_any(config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    return _any_of(_texts(config), lambda value: value in answer.text)


def _icontains_any(config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    lower = answer.text.lower()
    return _any_of(_texts(config), lambda value: value.lower() in lower)


def _contains_all(config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    return _all_of(_texts(config), lambda value: value in answer.text)


def _icontains_all(config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    lower = answer.text.lower()
    return _all_of(_texts(config), lambda value: value.lower() in lower)


def _any_of(values: list[str], is_found: Callable[[str], bool]) -> Outcome:
    found = next((value for value in values if is_found(value)), None)
    told = f"any of {plural(len(values), 'text')}" if found is None else f'"{found}"'
    return _all_or_nothing(_held(f"contains {told}", holds=found is not None))


def _all_of(values: list[str], is_found: Callable[[str], bool]) -> Outcome:
    return _all_or_nothing(*(_held(f'contains "{value}"', holds=is_found(value)) for value in values))


def _held(what: str, *, holds: bool) -> CheckLine:
    if holds:
        return CheckLine(f"The answer {what}.", holds=True)
    verb, _, rest = what.partition(" ")
    return CheckLine(f"The answer does not {_PLAIN_VERBS[verb]} {rest}.", holds=False)


_PLAIN_VERBS = {"contains": "contain", "equals": "equal", "starts": "start", "ends": "end", "matches": "match"}


def _equals(config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    value = _text(config)
    return _all_or_nothing(_held(f'equals "{value}"', holds=answer.text.strip(SPACES) == value.strip(SPACES)))


def _starts_with(config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    value = _text(config)
    holds = answer.text.strip(SPACES).startswith(value.strip(SPACES))
    return _all_or_nothing(_held(f'starts with "{value}"', holds=holds))


def _ends_with(config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    value = _text(config)
    holds = answer.text.strip(SPACES).endswith(value.strip(SPACES))
    return _all_or_nothing(_held(f'ends with "{value}"', holds=holds))


async def _regex(config: Config, answer: Answer) -> Outcome:
    pattern, flags = _text(config), config.get("flags") or ""
    if not isinstance(flags, str):
        raise CannotGrade("`flags` must be a text.")
    return _all_or_nothing(_held(f"matches /{pattern}/{flags}", holds=await matches(pattern, flags, answer.text)))


def _is_json(_config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    if is_json(answer.text):
        return _all_or_nothing(CheckLine("The answer is JSON.", holds=True))
    return _all_or_nothing(CheckLine("The answer is not JSON.", holds=False))


def is_json(text: str) -> bool:
    """Return whether a text is JSON as JavaScript reads it: `NaN` and `Infinity` are none."""

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


def _latency(config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    threshold = required_number(config, "threshold")
    return _all_or_nothing(_at_most("duration in ms", known_fact(answer.facts.duration_ms, "duration_ms"), threshold))


def _cost(config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    budget = required_number(config, "budget")
    return _all_or_nothing(_at_most("cost in US dollars", known_fact(answer.facts.cost_usd, "cost_usd"), budget))


def _token_usage(config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    limits = [(name, number_in(config, f"max_{name}")) for name in ("input", "output", "total")]
    usage = answer.facts.token_usage
    if usage is None:
        raise _lacking("token_usage")
    counts = {**usage, "total": sum(usage.values(), Decimal(0))}
    return _all_or_nothing(
        *(_at_most(f"number of {name} tokens", counts[name], limit) for name, limit in limits if limit is not None)
    )


def _execution_metrics(config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    """Return the share of the limits that hold."""
    lines = [
        _at_most(what, read(answer), limit)
        for key, (what, read) in _METRICS.items()
        if (limit := number_in(config, key)) is not None
    ]
    target = number_in(config, "target_exploration_ratio")
    if target is not None:
        lines.append(_exploration(answer, target, number_in(config, "exploration_tolerance")))
    if not lines:
        raise CannotGrade("It has no limit, so that there is nothing to check.")
    return Outcome(Fraction(sum(line.holds for line in lines), len(lines)), tuple(lines))


def _exploration(answer: Answer, target: Decimal, tolerance: Decimal | None) -> CheckLine:
    trace = answer.facts.trace or {}
    calls = known_fact(trace.get("tool_calls"), "trace.tool_calls")
    total = known_fact(trace.get("event_count"), "trace.event_count")
    if not total:
        return CheckLine("There is no call of a tool, so that there is no share of exploration.", holds=False)
    explored = sum((count for tool, count in calls.items() if tool in EXPLORATION_TOOLS), Decimal(0))
    share = Fraction(explored) / Fraction(total)
    allowed = _DEFAULT_TOLERANCE if tolerance is None else tolerance
    holds = abs(share - Fraction(target)) <= Fraction(allowed)
    return CheckLine(f"The share of exploration is {float(share):.2f}; {target} ± {allowed} is allowed.", holds=holds)


def _trace_number(answer: Answer, key: str) -> Decimal:
    found: Decimal = known_fact((answer.facts.trace or {}).get(key), f"trace.{key}")
    return found


def _tokens_without_cached(answer: Answer) -> Decimal:
    usage: Mapping[str, Decimal] = known_fact(answer.facts.token_usage, "token_usage")
    return usage["input"] + usage["output"]


_METRICS: dict[str, tuple[str, Callable[[Answer], Decimal]]] = {
    "max_tool_calls": ("number of tool calls", lambda answer: _trace_number(answer, "event_count")),
    "max_llm_calls": ("number of model calls", lambda answer: _trace_number(answer, "llm_call_count")),
    "max_tokens": ("number of tokens", _tokens_without_cached),
    "max_cost_usd": ("cost in US dollars", lambda answer: known_fact(answer.facts.cost_usd, "cost_usd")),
    "max_duration_ms": ("duration in ms", lambda answer: known_fact(answer.facts.duration_ms, "duration_ms")),
}
"""The limits of `execution-metrics`: what each bounds, and where that is known from."""


def _at_most(what: str, found: Decimal, limit: Decimal) -> CheckLine:
    holds = found <= limit
    return CheckLine(f"The {what} is {found:f}, {'at most' if holds else 'more than'} {limit:f}.", holds=holds)


def known_fact(value: Any, name: str) -> Any:
    """Return what is known of an answer. Raises Lacking where that is nothing."""
    if value is None:
        raise _lacking(name)
    return value


def _lacking(name: str) -> Lacking:
    return Lacking(f"The answer does not say its `{name}`; record it beside the text, which is then under `output`.")


def _field_accuracy(config: Config, case: EvalCase, answer: Answer) -> Outcome:
    compared = compare_fields(config, case.expected_messages, answer.text)
    if compared is None:
        raise Lacking("The test has no structured reference answer to compare with.")
    score, lines = compared
    return Outcome(score, tuple(CheckLine(text, holds) for text, holds in lines))


_REGEX = "regex"
CHECKS: dict[str, Callable[[Config, EvalCase, Answer], Outcome]] = {
    "contains": _contains,
    "contains-any": _contains_any,
    "contains-all": _contains_all,
    "icontains": _icontains,
    "icontains-any": _icontains_any,
    "icontains-all": _icontains_all,
    "equals": _equals,
    "starts-with": _starts_with,
    "ends-with": _ends_with,
    "is-json": _is_json,
    "latency": _latency,
    "cost": _cost,
    "token-usage": _token_usage,
    "execution-metrics": _execution_metrics,
    "field-accuracy": _field_accuracy,
}
"""Every type but `regex`, which runs in another process."""
