"""Assertions of AgentV that need no judge: one small function for each type, in the table `CHECKS`.

They do what AgentV's code does: `equals`, `starts-with` and `ends-with` trim both sides as JavaScript does, and
`icontains` compares in lower case. Without data that a check needs, such as the duration of an answer, the evaluator
is reported as not run.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from operator import eq
from typing import NamedTuple

from rubric_core.dialects.agentv.field_accuracy import compare_fields
from rubric_core.grading.answers import Answer
from rubric_core.grading.evaluators.checks import (
    CONTAINS,
    CheckLine,
    Config,
    Lacking,
    at_most,
    check_line,
    contained,
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
from rubric_core.javascript_regex import SPACES
from rubric_core.model.evaluators import OtherEvaluator
from rubric_core.model.suite import EvalCase
from rubric_core.schema.scales import VerdictMarks
from rubric_core.scoring.grades import verdict_of

EXPLORATION_TOOLS = frozenset(
    {"read", "grep", "glob", "search", "list", "Read", "Grep", "Glob", "WebSearch", "WebFetch"}
)
"""The tools whose calls are exploration."""
_DEFAULT_TOLERANCE = Decimal("0.2")


class Outcome(NamedTuple):
    """The result of a check: a score from 0 to 1, and what was checked."""

    score: Fraction
    lines: tuple[CheckLine, ...]


async def run_assertion(
    evaluator: OtherEvaluator, case: EvalCase, answer: Answer, marks: VerdictMarks
) -> EvaluatorResult:
    """Check an answer. A check that is impossible is an error, and one whose data is missing is not run."""
    return await run_check(evaluator, _checked(evaluator, case, answer, marks))


async def _checked(evaluator: OtherEvaluator, case: EvalCase, answer: Answer, marks: VerdictMarks) -> EvaluatorResult:
    if evaluator.type == _REGEX:
        outcome = await _regex(evaluator.config, answer)
    else:
        outcome = CHECKS[evaluator.type](evaluator.config, case, answer)
    return replace(
        ungraded(evaluator),
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
    if not isinstance(values, list) or not values or not all(isinstance(value, str) for value in values):
        raise CannotGrade("`value` must be a list of texts.")
    return values


def _contains(kind: str, config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    values = _texts(config) if kind.endswith(("-any", "-all")) else [_text(config)]
    return _all_or_nothing(*contained(kind, values, answer.text))


def _compared(what: str, holds: Callable[[str, str], bool], config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    """Compare the answer with the value, both stripped."""
    value = _text(config)
    line = check_line(f'{what} "{value}"', holds=holds(answer.text.strip(SPACES), value.strip(SPACES)))
    return _all_or_nothing(line)


async def _regex(config: Config, answer: Answer) -> Outcome:
    pattern, flags = _text(config), config.get("flags") or ""
    if not isinstance(flags, str):
        raise CannotGrade("`flags` must be a text.")
    return _all_or_nothing(check_line(f"matches /{pattern}/{flags}", holds=await matches(pattern, flags, answer.text)))


def _is_json(_config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    return _all_or_nothing(json_line(answer.text))


def _limited(metric: str, key: str, config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    """Compare one of the metrics with the limit under a key."""
    limit, (what, read) = required_number(config, key), _METRICS[metric]
    return _all_or_nothing(at_most(what, read(answer), limit))


def _token_usage(config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    limits = [(name, number_in(config, f"max_{name}")) for name in ("input", "output", "total")]
    usage: Mapping[str, Decimal] = known_fact(answer.facts.token_usage, "token_usage")
    counts = {**usage, "total": sum(usage.values(), Decimal(0))}
    return _all_or_nothing(
        *(at_most(f"number of {name} tokens", counts[name], limit) for name, limit in limits if limit is not None)
    )


def _execution_metrics(config: Config, _case: EvalCase, answer: Answer) -> Outcome:
    """Return the share of the limits that hold."""
    lines = [
        at_most(what, read(answer), limit)
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
    count: Decimal = known_fact((answer.facts.trace or {}).get(key), f"trace.{key}")
    return count


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


def _field_accuracy(config: Config, case: EvalCase, answer: Answer) -> Outcome:
    compared = compare_fields(config, case.expected_messages, answer.text)
    if compared is None:
        raise Lacking("The test has no structured reference answer to compare with.")
    score, lines = compared
    return Outcome(score, tuple(CheckLine(text, holds) for text, holds in lines))


_REGEX = "regex"
CHECKS: dict[str, Callable[[Config, EvalCase, Answer], Outcome]] = {
    **{kind: partial(_contains, kind) for kind in CONTAINS},
    "equals": partial(_compared, "equals", eq),
    "starts-with": partial(_compared, "starts with", str.startswith),
    "ends-with": partial(_compared, "ends with", str.endswith),
    "is-json": _is_json,
    "latency": partial(_limited, "max_duration_ms", "threshold"),
    "cost": partial(_limited, "max_cost_usd", "budget"),
    "token-usage": _token_usage,
    "execution-metrics": _execution_metrics,
    "field-accuracy": _field_accuracy,
}
"""Every type but `regex`, which runs in another process."""
