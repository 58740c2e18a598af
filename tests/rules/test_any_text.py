"""Whatever stands in a file, no rule raises, every problem has its place, and every fix keeps its promise."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rubric_core.analysis.check import check_text
from rubric_core.dialects.agentv.evaluators import EVALUATOR_TYPES
from rubric_core.dialects.agentv.records import RECORDS
from rubric_core.rules.problem import Severity
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.text.spans import apply_edits

pytestmark = pytest.mark.usefixtures("_no_rule_fails")

_KEYS = sorted({key for record in RECORDS.values() for key in record.by_key})
_WORDS = [
    "",
    " ",
    "no",
    "2",
    "3-5",
    "user",
    "file",
    "text",
    "Names port 8080",
    "names-port",
    "judge.py",
    *EVALUATOR_TYPES,
]
_SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 13),
    st.sampled_from([0.5, 1.5, -0.1, 1e300, float("inf"), float("nan")]),
    st.sampled_from(_WORDS),
    st.text(max_size=6),
)
_RANGES = st.fixed_dictionaries(
    {},
    optional={
        "score_range": st.lists(st.integers(-2, 12), max_size=3),
        "expected_outcome": _SCALARS,
        "description": _SCALARS,
    },
)
_CRITERIA = st.fixed_dictionaries(
    {},
    optional={
        "id": _SCALARS,
        "expected_outcome": _SCALARS,
        "weight": _SCALARS,
        "required": _SCALARS,
        "required_min_score": _SCALARS,
        "score_ranges": st.one_of(
            st.lists(_RANGES, max_size=4), st.dictionaries(st.integers(-1, 11).map(str), _SCALARS, max_size=4)
        ),
    },
)
_ANYTHING = st.recursive(
    st.one_of(_SCALARS, _CRITERIA),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.one_of(st.sampled_from(_KEYS), st.sampled_from(DIMENSIONS)), inner, max_size=4),
    ),
    max_leaves=12,
)
_MESSAGES = st.lists(
    st.fixed_dictionaries({}, optional=dict.fromkeys(("role", "content", "name", "tool_calls"), _ANYTHING)), max_size=2
)
_EVALUATORS = st.lists(
    st.fixed_dictionaries(
        {"type": st.sampled_from([*EVALUATOR_TYPES, "code", "oracle", "", None])},
        optional={
            **dict.fromkeys(("name", "weight", "script", "prompt"), _SCALARS),
            "rubrics": st.lists(_CRITERIA, max_size=2),
        },
    ),
    max_size=3,
)
_ADJUSTMENTS = st.lists(
    st.one_of(
        _SCALARS, st.fixed_dictionaries({}, optional=dict.fromkeys(("id", "expected_outcome", "deduction"), _SCALARS))
    ),
    max_size=6,
)
_SCORECARD = st.fixed_dictionaries(
    {},
    optional={
        "skill": _SCALARS,
        "weights": st.dictionaries(st.sampled_from([*DIMENSIONS, "safty"]), _SCALARS, max_size=8),
        "red_flags": _ADJUSTMENTS,
        "bonuses": _ADJUSTMENTS,
    },
)
_SHAPED = {
    "id": _SCALARS,
    "expected_outcome": _SCALARS,
    "input_messages": _MESSAGES,
    "rubrics": st.lists(st.one_of(_CRITERIA, _SCALARS), max_size=4),
    "execution": st.fixed_dictionaries({"evaluators": _EVALUATORS}),
    "scorecard": st.one_of(_SCORECARD, st.sampled_from(["network", "netwrok"])),
}
_CASES = st.one_of(
    st.fixed_dictionaries({}, optional=_SHAPED),
    st.dictionaries(st.sampled_from([*RECORDS["case"].by_key, "assert", "weigth"]), _ANYTHING, max_size=6),
)
_SUITES = st.fixed_dictionaries(
    {"evalcases": st.lists(st.one_of(_CASES, _ANYTHING), max_size=3)},
    optional={
        **dict.fromkeys(("description", "target", "tests", "vars", "other"), _ANYTHING),
        "execution": st.one_of(_SHAPED["execution"], _ANYTHING),
        "scorecards": st.one_of(st.fixed_dictionaries({"network": _SCORECARD}), _ANYTHING),
    },
)


def _as_block(data: Any, indent: int = 0) -> str:
    """Write data as block-style YAML; scalars are JSON, which is YAML, too."""
    pad = " " * indent
    if isinstance(data, dict) and data:
        return "".join(f"\n{pad}{json.dumps(key)}:{_as_block(value, indent + 2)}" for key, value in data.items())
    if isinstance(data, list) and data:
        return "".join(f"\n{pad}-{_as_block(item, indent + 2)}" for item in data)
    return " " + _as_flow(data)


def _as_flow(data: Any) -> str:
    """Write data as JSON; YAML has its own words for what is no finite number."""
    return json.dumps(data).replace("NaN", ".nan").replace("Infinity", ".inf")


@pytest.mark.slow
@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(suite=_SUITES, flow=st.booleans())
def test_any_suite_is_checked_without_a_failure(suite: dict[str, Any], flow: bool) -> None:  # noqa: FBT001 - drawn.
    """Problems lie inside the text, are said in a sentence, and their fixes remove them without a new error."""
    text = (_as_flow(suite) if flow else _as_block(suite).lstrip("\n")) + "\n"
    checked = check_text(text, path="suite.eval.yaml")
    errors = sum(problem.severity is Severity.ERROR for problem in checked.problems)
    for problem in checked.problems:
        assert problem.code != "RB001", text
        assert 0 <= problem.span.start <= problem.span.end <= len(text)
        assert problem.message.endswith((".", "?")), problem.message
        assert all(0 <= other.span.start <= other.span.end <= len(text) for other in problem.related)
        for fix in problem.fixes() if problem.fixes is not None else ():
            after = check_text(apply_edits(text, fix.edits), path="suite.eval.yaml").problems
            said = f"{problem.code} {fix.title}\n{text}"
            assert not any(other.code == "RB001" for other in after), said
            assert sum(other.severity is Severity.ERROR for other in after) <= errors, said
            same = [sum(other.code == problem.code for other in each) for each in (checked.problems, after)]
            assert same[1] < same[0], said
