"""Assertions that need no judge: a table for each type, with what holds and what does not."""

from __future__ import annotations

import asyncio
import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from judges import AnsweringJudge

from rubric_core import grade
from rubric_core.dialects.agentv.checks import CHECKS
from rubric_core.dialects.parts import GRADER
from rubric_core.dialects.registry import BY_NAME
from rubric_core.grading.answers import Answer, AnswerFacts, read_recorded
from rubric_core.grading.json_text import find_object
from rubric_core.model.load import load_text

if TYPE_CHECKING:
    from rubric_core.grading.results import EvaluatorResult

pytestmark = pytest.mark.needs("agentv-4")


def checked(answer: str | Answer, expected_output: Any = None, **assertion: Any) -> EvaluatorResult:
    """Return the result of one assertion of a test of AgentV 4."""
    case = {"id": "a", "input": "x", "criteria": "y", "assertions": [assertion]}
    case |= {} if expected_output is None else {"expected_output": expected_output}
    (suite,) = load_text(json.dumps({"tests": [case]}), "some.eval.yaml")
    result = asyncio.run(grade(suite.cases[0], answer, AnsweringJudge(lambda _: "")))
    return result.evaluators[0]


TEXTS: list[tuple[str, Any, str, bool]] = [
    ("contains", "b", "abc", True),
    ("contains", "B", "abc", False),
    ("contains", "", "abc", True),
    ("contains", " b", "ab", False),
    ("contains-any", ["x", "b"], "abc", True),
    ("contains-any", ["x", "y"], "abc", False),
    ("contains-all", ["a", "b"], "abc", True),
    ("contains-all", ["a", "x"], "abc", False),
    ("icontains", "B", "abc", True),
    ("icontains", "É", "café", True),
    ("icontains", "x", "abc", False),
    ("icontains-any", ["X", "B"], "abc", True),
    ("icontains-any", ["X", "Y"], "abc", False),
    ("icontains-all", ["A", "B"], "abc", True),
    ("icontains-all", ["A", "X"], "abc", False),
    ("equals", " abc\n", "abc", True),
    ("equals", "abc", "\ufeff\u00a0abc ", True),
    ("equals", "abc", "abc\x85", False),
    ("equals", "abc", "Abc", False),
    ("starts-with", " ab", "  abc", True),
    ("starts-with", "bc", "abc", False),
    ("ends-with", "bc ", "abc\n", True),
    ("ends-with", "ab", "abc", False),
]


@pytest.mark.parametrize(("kind", "value", "answer", "holds"), TEXTS)
def test_texts_are_compared_as_agentv_does(kind: str, value: Any, answer: str, holds: bool) -> None:  # noqa: FBT001
    """Both sides of `equals`, `starts-with` and `ends-with` are trimmed as JavaScript trims."""
    result = checked(answer, type=kind, value=value)
    assert (result.status, result.score) == ("graded", int(holds))
    assert bool(result.misses) is not holds


@pytest.mark.parametrize(
    ("answer", "holds"),
    [
        ('{"a": 1}', True),
        (" [1, 2.5e3, null]\n", True),
        ('"text"', True),
        ("9" * 5000, True),
        ("NaN", False),
        ("[Infinity]", False),
        ("{'a': 1}", False),
        ('\ufeff{"a": 1}', False),
        ("", False),
        ("```json\n{}\n```", False),
    ],
)
def test_is_json_means_what_javascript_reads(answer: str, holds: bool) -> None:  # noqa: FBT001 - a table.
    """No NaN, no byte order mark, and no fence around it."""
    assert checked(answer, type="is-json").score == int(holds)


def test_json_that_is_nested_too_deeply_is_an_error() -> None:
    """Nobody knows whether it is JSON."""
    assert checked("[" * 200_000, type="is-json").status == "error"


FACTS = AnswerFacts(
    duration_ms=Decimal(100),
    cost_usd=Decimal("0.1"),
    token_usage={"input": Decimal(10), "output": Decimal(5), "cached": Decimal(2)},
    trace={
        "event_count": Decimal(4),
        "tool_calls": {"read": Decimal(3), "write": Decimal(1)},
        "llm_call_count": Decimal(2),
    },
)
LIMITS: list[tuple[dict[str, Any], str]] = [
    ({"type": "latency", "threshold": 100}, "1"),
    ({"type": "latency", "threshold": 99}, "0"),
    ({"type": "cost", "budget": 0.1}, "1"),
    ({"type": "cost", "budget": 0.09}, "0"),
    ({"type": "token-usage", "max_input": 10, "max_output": 5, "max_total": 17}, "1"),
    ({"type": "token-usage", "max_total": 16}, "0"),
    ({"type": "token-usage", "max_input": 10, "max_output": 4}, "0"),
    ({"type": "execution-metrics", "max_tool_calls": 4, "max_llm_calls": 2, "max_tokens": 15}, "1"),
    ({"type": "execution-metrics", "max_tool_calls": 3, "max_llm_calls": 2, "max_tokens": 15}, "2/3"),
    ({"type": "execution-metrics", "max_cost_usd": 0.1, "max_duration_ms": 99}, "1/2"),
    ({"type": "execution-metrics", "target_exploration_ratio": 0.55}, "1"),
    ({"type": "execution-metrics", "target_exploration_ratio": 0.54}, "0"),
    ({"type": "execution-metrics", "target_exploration_ratio": 0.5, "exploration_tolerance": 0.25}, "1"),
]


@pytest.mark.parametrize(("assertion", "score"), LIMITS)
def test_limits_are_compared_exactly_with_what_the_answer_carries(assertion: dict[str, Any], score: str) -> None:
    """A value that is the limit is within it; of several metrics the share that holds counts."""
    assert str(checked(Answer("x", facts=FACTS), **assertion).score) == score


@pytest.mark.parametrize("assertion", [each for each, _ in LIMITS], ids=json.dumps)
def test_what_an_answer_does_not_carry_is_not_run(assertion: dict[str, Any]) -> None:
    """It is no failure of the answer, and the reason names what is missing."""
    result = checked("x", **assertion)
    assert (result.status, result.score) == ("not run", None)
    assert "record it next to the text" in (result.error or "")


def test_a_recorded_answer_carries_its_facts_under_the_names_of_agentv() -> None:
    """Calls of tools may be counted, or be a list."""
    text = """{"output": "x", "duration_ms": 100, "cost_usd": 0.1,
               "token_usage": {"input": 10, "output": 5, "cached": 2},
               "trace": {"tool_calls": {"read": 3, "write": 1}, "llm_call_count": 2}}"""
    assert read_recorded(find_object(text).value, "It").facts == FACTS
    listed = '{"output": "x", "tool_calls": [{"tool": "read"}, {"name": "write"}, {"tool": "read"}]}'
    facts = read_recorded(find_object(listed).value, "It").facts
    assert facts.trace == {"tool_calls": {"read": 2, "write": 1}, "event_count": 3}


FIELDS: list[tuple[dict[str, Any], str, str]] = [
    ({"path": "a", "match": "exact"}, '{"a": 1}', "1"),
    ({"path": "a", "match": "exact"}, '{"a": 1.0}', "1"),
    ({"path": "a", "match": "exact"}, '{"a": true}', "0"),
    ({"path": "a", "match": "exact"}, '{"a": "1"}', "0"),
    ({"path": "a", "match": "exact"}, 'Here: ```json\n{"a": 1}\n```', "1"),
    ({"path": "a", "match": "exact"}, "nothing", "0"),
    ({"path": "list[1].b", "match": "exact"}, '{"list": [{}, {"b": "x"}]}', "1"),
    ({"path": "list", "match": "exact"}, '{"list": [{}, {"b": "x"}]}', "1"),
    ({"path": "list", "match": "exact"}, '{"list": [{}]}', "0"),
    ({"path": "missing", "match": "exact"}, '{"a": 1}', "1"),
    ({"path": "sum", "match": "numeric_tolerance", "tolerance": 0.1}, '{"sum": 10.1}', "1"),
    ({"path": "sum", "match": "numeric_tolerance", "tolerance": 0.1}, '{"sum": 10.11}', "0"),
    ({"path": "sum", "match": "numeric_tolerance", "tolerance": 0.1, "relative": True}, '{"sum": "11 EUR"}', "1"),
    ({"path": "sum", "match": "numeric_tolerance"}, '{"sum": "ten"}', "0"),
    ({"path": "day", "match": "date"}, '{"day": "2025-01-15"}', "1"),
    ({"path": "day", "match": "date"}, '{"day": "01/15/2025"}', "1"),
    ({"path": "day", "match": "date"}, '{"day": "15/01/2025"}', "1"),
    ({"path": "day", "match": "date"}, '{"day": "15 January 2025"}', "1"),
    ({"path": "day", "match": "date"}, '{"day": "Jan 15, 2025"}', "1"),
    ({"path": "day", "match": "date"}, '{"day": "15-JAN-2024"}', "0"),
    ({"path": "day", "match": "date"}, '{"day": "soon"}', "0"),
]
REFERENCE = {"a": 1, "list": [{}, {"b": "x"}], "sum": 10, "day": "15-JAN-2025"}


@pytest.mark.parametrize(("field", "answer", "score"), FIELDS)
def test_fields_are_compared_with_those_of_the_reference_answer(field: dict[str, Any], answer: str, score: str) -> None:
    """By their paths, each in its own way."""
    result = checked(answer, REFERENCE, type="field-accuracy", fields=[field])
    assert (result.status, str(result.score)) == ("graded", score)


def test_fields_have_weights_and_may_be_missing() -> None:
    """An optional field that is missing counts nothing; `all_or_nothing` wants all others."""
    fields = [
        {"path": "a", "match": "exact", "weight": 3},
        {"path": "sum", "match": "exact"},
        {"path": "day", "match": "exact", "required": False},
    ]
    answer = '{"a": 1, "sum": 11}'
    assert str(checked(answer, REFERENCE, type="field-accuracy", fields=fields).score) == "3/4"
    whole = checked(answer, REFERENCE, type="field-accuracy", fields=fields, aggregation="all_or_nothing")
    assert whole.score == 0


def test_fields_without_a_reference_answer_are_not_run() -> None:
    """There is nothing to compare with."""
    result = checked("{}", "plain text", type="field-accuracy", fields=[{"path": "a", "match": "exact"}])
    assert (result.status, result.error) == (
        "not run",
        "The test has no structured reference answer to compare with.",
    )


@pytest.mark.parametrize(
    ("assertion", "reason"),
    [
        ({"type": "contains"}, "`value` must be a text."),
        ({"type": "contains-any", "value": [3]}, "`value` must be a list of texts."),
        ({"type": "regex", "value": "a", "flags": 3}, "`flags` must be a text."),
        ({"type": "latency"}, "`threshold` is missing."),
        ({"type": "latency", "threshold": "fast"}, "`threshold` must be a number."),
        ({"type": "field-accuracy"}, "`fields` must be a list of mappings with a `path`."),
        ({"type": "field-accuracy", "fields": [{"match": "exact"}]}, "Each of `fields` must have a `path`."),
        ({"type": "field-accuracy", "fields": [{"path": "a", "weight": -1}]}, "The weight of a must be a number"),
        ({"type": "field-accuracy", "fields": [{"path": "a", "match": "fuzzy"}]}, "The match fuzzy of a is none of"),
    ],
)
def test_an_assertion_that_cannot_be_checked_is_an_error(assertion: dict[str, Any], reason: str) -> None:
    """Rules report most of them; whoever silenced these gets no score."""
    result = checked(Answer('{"a": 1}', facts=FACTS), {"a": 1}, **assertion)
    assert (result.status, result.score) == ("error", None)
    assert reason in (result.error or "")


@pytest.mark.parametrize("dialect", ["agentv-4", "agentv-5"])
def test_every_offline_type_of_the_graders_has_its_function(dialect: str) -> None:
    """`regex` runs elsewhere."""
    assert GRADER.of(BY_NAME[dialect]).offline_types == {*CHECKS, "regex"}
