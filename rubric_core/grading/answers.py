"""Answers: the text that is graded, with the recorded facts of its execution (cost, duration, tool calls)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.json_text import kind_of
from rubric_core.grading.usage import NOTHING_SPENT, Usage

OUTPUT = "output"
"""The key of the text, in a recorded answer that has more than a text."""
_TOKENS = ("input", "output", "cached")
_TRACES = ("trace_summary", "trace")


@dataclass(frozen=True, slots=True)
class AnswerFacts:
    """The recorded facts of the execution of an answer; None is unknown.

    `token_usage` has `input`, `output` and perhaps `cached`. `trace` has `event_count`, the number of calls of tools,
    `tool_calls`, how often each tool was called, and `llm_call_count`.
    """

    duration_ms: Decimal | None = None
    cost_usd: Decimal | None = None
    token_usage: Mapping[str, Decimal] | None = None
    trace: Mapping[str, Any] | None = None


NO_FACTS = AnswerFacts()


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to grade. `target` names who produced it, and `usage` is what that cost."""

    text: str
    target: str | None = None
    usage: Usage = NOTHING_SPENT
    facts: AnswerFacts = field(default=NO_FACTS)


def read_recorded(value: Mapping[str, Any], named: str) -> Answer:
    """Return an answer recorded as an object, which `named` names in messages. Raises CannotGrade for a wrong value."""
    text = value.get(OUTPUT)
    if not isinstance(text, str):
        difference = "is missing" if OUTPUT not in value else f"is {kind_of(text)}"
        raise CannotGrade(f"{named} must have its text under `{OUTPUT}`, which {difference}.")
    numbers = {name: _number(value.get(name), named, name) for name in ("duration_ms", "cost_usd")}
    return Answer(text, facts=AnswerFacts(**numbers, token_usage=_tokens(value, named), trace=_trace(value, named)))


def _number(value: Any, named: str, key: str) -> Decimal | None:
    if value is None:
        return None
    if not isinstance(value, Decimal) or not value.is_finite() or value < 0:
        raise CannotGrade(f"{named} must have a number of 0 or more under `{key}`, not {kind_of(value)}.")
    return value


def _mapping(value: Mapping[str, Any], key: str, named: str) -> Mapping[str, Any] | None:
    mapping = value.get(key)
    if mapping is not None and not isinstance(mapping, dict):
        raise CannotGrade(f"{named} must have an object under `{key}`, not {kind_of(mapping)}.")
    return mapping


def _tokens(value: Mapping[str, Any], named: str) -> Mapping[str, Decimal] | None:
    tokens = _mapping(value, "token_usage", named)
    if tokens is None:
        return None
    numbers = {key: _number(tokens.get(key), named, f"token_usage.{key}") for key in _TOKENS}
    missing = next((key for key in ("input", "output") if numbers[key] is None), None)
    if missing is not None:
        raise CannotGrade(f"{named} must have a number under `token_usage.{missing}`.")
    return {key: number for key, number in numbers.items() if number is not None}


def _trace(value: Mapping[str, Any], named: str) -> Mapping[str, Any] | None:
    """Return the trace, which may also be a list of tool calls or their counts by name."""
    recorded = next((mapping for key in _TRACES if (mapping := _mapping(value, key, named)) is not None), None)
    calls = (value if recorded is None else recorded).get("tool_calls")
    if recorded is None and calls is None:
        return None
    counts = _counts(calls, named)
    trace = {**(recorded or {}), **({} if counts is None else {"tool_calls": counts})}
    if counts is not None and trace.get("event_count") is None:
        trace["event_count"] = Decimal(sum(counts.values()))
    for key in ("event_count", "llm_call_count"):
        _number(trace.get(key), named, f"trace.{key}")
    return trace


def _counts(calls: Any, named: str) -> dict[str, Decimal] | None:
    if isinstance(calls, dict):
        counts = {str(tool): _number(count, named, f"tool_calls.{tool}") for tool, count in calls.items()}
        return {tool: count for tool, count in counts.items() if count is not None}
    if calls is None:
        return None
    names = [
        call.get("tool") or call.get("name") if isinstance(call, dict) else None
        for call in (calls if isinstance(calls, list) else [None])
    ]
    if not all(isinstance(name, str) for name in names):
        raise CannotGrade(f"{named} must have under `tool_calls` how often each tool was called, or a list of calls.")
    return {str(name): Decimal(names.count(name)) for name in dict.fromkeys(names)}
