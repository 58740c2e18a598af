"""What loading refuses, checking reports, and neither names the library that validates the models."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.analysis.check import check_text
from rubric_core.model.load import load_text
from rubric_core.rules.problem import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

WEIGHTS = {
    "correctness": 0.25,
    "completeness": 0.2,
    "adherence": 0.15,
    "actionability": 0.15,
    "efficiency": 0.1,
    "safety": 0.1,
    "consistency": 0.05,
}
CRITERIA = [
    {"id": "met", "expected_outcome": "It names the port", "weight": 1, "required": True},
    {
        "id": "depth",
        "weight": 2,
        "required_min_score": 5,
        "score_ranges": [
            {"score_range": [0, 4], "expected_outcome": "Says little"},
            {"score_range": [5, 10], "expected_outcome": "Says much"},
        ],
    },
    {"id": "map", "score_ranges": {"0": "Says little", "5": "Says much"}},
]
EVALUATORS = [
    {"name": "e", "type": "llm_judge", "prompt": "Judge it", "weight": 1, "target": "t", "model": "m", "config": {}},
    {"name": "p", "type": "rubric", "prompt": {"script": ["true"], "config": {}}, "rubrics": CRITERIA[:1]},
    {"name": "f", "type": "code_judge", "script": ["true"], "cwd": ".", "target": {"max_calls": 2}},
    {"name": "g", "type": "composite", "evaluators": [{"name": "h", "type": "cost", "budget": 1}], "aggregator": {}},
    {"name": "i", "type": "tool_trajectory", "mode": "exact", "expected": [{"tool": "x"}]},
]
CASE = {
    "id": "c",
    "expected_outcome": "The answer names the port",
    "input_messages": [{"role": "user", "name": "n", "content": [{"type": "text", "value": "Which port?"}]}],
    "expected_messages": [{"role": "assistant", "content": "8080", "tool_calls": [{"tool": "x"}]}],
    "conversation_id": "k",
    "reference_answer": "r",
    "note": "n",
    "description": "d",
    "metadata": {"a": 1},
    "rubrics": CRITERIA,
    "execution": {"target": "t", "evaluators": EVALUATORS},
    "scorecard": {
        "skill": "s",
        "weights": WEIGHTS,
        "red_flags": [{"id": "f1", "expected_outcome": "Lies", "deduction": 0.5}, "Shouts"],
        "bonuses": [{"id": "b1", "expected_outcome": "Links"}, "Thanks"],
    },
}
SUITE = {
    "name": "s",
    "description": "d",
    "version": "1",
    "dataset": "d",
    "target": "t",
    "execution": {"target": "t", "evaluators": EVALUATORS[:3]},
    "scorecards": {"shared": {"skill": "s", "red_flags": ["Lies"]}},
    "evalcases": [CASE, {**CASE, "id": "d", "scorecard": "shared", "execution": {}, "expected_messages": []}],
}
VALUES = (
    *(None, "", "  ", "x", "5", "true", "\0", "TODO", "{{ x }}", " shared "),
    *(5, -1, 0, 1.5, 1e308, 10**30, True, False),
    *([], {}, ["x"], [None], [[]], [{}], [5], {"a": 1}, {"": None}, {"script": ""}, {"script": {}}, {"script": [{}]}),
)
KEYS = (
    *("deduction", "weight", "score_ranges", "type", "required", "name", "value", "amount", "prompt", "config"),
    *("script", "cwd", "role", "content", "tool_calls", "evaluators", "rubrics", "description", "id", "target"),
)
# Words of pydantic and of Python's types, which no reader of a YAML file knows.
INTERNAL = re.compile(
    r"pydantic|constrained|PromptScript|ContentPart|LlmJudge|CodeJudge|Criterion\b|tuple\[|dict\[|\bstr\b|\bint\b|\bbool\b|"
    r"Input should|Extra inputs|Field required|Value error|cannot be used as it is written|None\b"
)


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Return the path of each value inside of another one."""
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*path, key)
        yield from places(inner, (*path, key))


PLACES = sorted(places(SUITE), key=str)


def changed(suite: dict[str, Any], path: tuple[str | int, ...], value: Any, added: str | None) -> dict[str, Any]:
    """Return a suite with one value replaced, or with a key more where a mapping is."""
    copy: Any = deepcopy(suite)
    owner = copy
    try:
        for key in path[:-1]:
            owner = owner[key]
        if added is not None and isinstance(owner[path[-1]], dict):
            owner[path[-1]].setdefault(added, value)
        else:
            owner[path[-1]] = value
    except (IndexError, KeyError, TypeError):
        return suite
    return dict(copy) if isinstance(copy, dict) else suite


def refused_without_word(suite: dict[str, Any]) -> list[str]:
    """Return what loading leaves out of a suite in which checking finds no error; every message is plain."""
    text = json.dumps(suite)
    problems = check_text(text, path="a.eval.yaml").problems
    built = load_text(text, "a.eval.yaml", problems=problems) if isinstance(suite.get("evalcases"), list) else ()
    reasons = [each.reason for one in built for each in one.left_out]
    for message in (*reasons, *(problem.message for problem in problems)):
        assert not INTERNAL.search(message), message
    return [] if any(problem.severity is Severity.ERROR for problem in problems) else reasons


def test_a_suite_without_problems_is_built_whole() -> None:
    """The suite that the other tests change has no error, and all of it is built."""
    problems = check_text(json.dumps(SUITE), path="a.eval.yaml").problems
    assert not [problem.message for problem in problems if problem.severity is Severity.ERROR]
    assert refused_without_word(SUITE) == []


@pytest.mark.parametrize(
    ("path", "value", "added"),
    [
        (("evalcases", 0, "execution", "evaluators", 0, "prompt"), {}, None),
        (("evalcases", 0, "execution", "evaluators", 0, "prompt"), {"a": 1}, None),
        (("evalcases", 0, "execution", "evaluators", 1, "prompt", "script"), [], None),
        (("evalcases", 0, "scorecard"), "", None),
        (("evalcases", 0, "scorecard"), "{{ x }}", None),
        (("evalcases", 1, "scorecard"), " shared ", None),
        (("evalcases", 0, "scorecard", "red_flags", 0, "deduction"), "", None),
        (("evalcases", 0, "scorecard", "bonuses", 0), 1, "deduction"),
        (("evalcases", 0, "input_messages", 0, "content", 0), "x", "name"),
    ],
)
def test_what_loading_refuses_is_an_error(path: tuple[str | int, ...], value: object, added: str | None) -> None:
    """These were clean in `check`, and stopped `grade`."""
    assert refused_without_word(changed(SUITE, path, value, added)) == []


@given(
    st.lists(st.tuples(st.sampled_from(PLACES), st.sampled_from(VALUES), st.none() | st.sampled_from(KEYS)), max_size=3)
)
def test_whatever_is_written_is_reported_or_built(
    changes: list[tuple[tuple[str | int, ...], Any, str | None]],
) -> None:
    """Values of every shape are in every place, up to three at once, and keys where they do not belong."""
    suite = SUITE
    for path, value, added in changes:
        suite = changed(suite, path, value, added)
    assert refused_without_word(suite) == []
