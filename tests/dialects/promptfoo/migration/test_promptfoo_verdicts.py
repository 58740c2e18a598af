"""A file says the same of the same answers before and after its migration, unless a line is listed."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from judges import AnsweringJudge
from migrations import migrated

from rubric_core import grade
from rubric_core.dialects.registry import BY_NAME
from rubric_core.model.load import load_text

if TYPE_CHECKING:
    from rubric_core.grading.judges.judge import Question

# A judge gives the score that the rubric is.
SCORES = st.sampled_from(["0", "0.4", "0.5", "0.8", "0.9", "1"])
SHARES = st.sampled_from([0, 0.3, 0.5, 0.75, 0.8, 1])
WORDS = st.sampled_from(["port", "8080", "Port", "host", "The port is 8080"])
ANSWERS = st.sampled_from(["The port is 8080", "host", '{"port": 8080}', "", "8080"])
TEXT_TYPES = ("contains", "icontains", "equals", "regex", "starts-with")
LIST_TYPES = ("contains-any", "contains-all", "icontains-any", "icontains-all")
WEIGHT = st.sampled_from([1, 2, 0.5, 0.1, 0])


def some(required: dict[str, Any], **optional: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Return mappings with all of the first keys, and with any of the others."""
    return st.fixed_dictionaries(required, optional=optional)


def checks(*types: str, negations: tuple[str, ...] = (), **optional: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Return assertions of these types with their values."""

    def of(kinds: tuple[str, ...], **value: Any) -> st.SearchStrategy[dict[str, Any]]:
        named = [*kinds, *(f"{each}{kind}" for each in negations for kind in kinds)]
        return some({"type": st.sampled_from(named), **value}, weight=WEIGHT, **optional)

    return st.one_of(
        of(TEXT_TYPES, value=WORDS),
        of(LIST_TYPES, value=st.lists(WORDS, min_size=1, max_size=3)),
        of(("is-json",)),
        some({"type": st.sampled_from(types), "value": SCORES}, weight=WEIGHT),
    )


def listed(members: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Return assertions and sets of them."""
    inner = st.lists(members, min_size=1, max_size=3)
    sets = some({"type": st.just("assert-set"), "assert": inner}, threshold=SHARES, weight=WEIGHT)
    return st.lists(members | members | sets, min_size=1, max_size=3)


def suite(tests: st.SearchStrategy[Any], **optional: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Return a file with tests."""
    required = {
        "prompts": st.just(["Say {{ x }}"]),
        "providers": st.just(["openai:gpt-5"]),
        "tests": st.lists(tests, min_size=1, max_size=2),
    }
    return some(required, **optional)


VARIABLES = st.just({"x": "hello"})
PROMPTFOO_LISTS = listed(checks("llm-rubric", negations=("not-",)))
PROMPTFOO = suite(
    some(
        {"vars": VARIABLES, "assert": PROMPTFOO_LISTS},
        threshold=SHARES,
        options=st.just({"disableDefaultAsserts": True}),
    ),
    defaultTest=some({"threshold": SHARES}, **{"assert": PROMPTFOO_LISTS}),
)
AGENTV_LISTS = listed(checks("llm-rubric", negate=st.booleans()))
AGENTV = suite(
    some(
        {"vars": VARIABLES, "assert": AGENTV_LISTS},
        run=st.fixed_dictionaries({"threshold": SHARES}),
        execution=st.just({"skip_defaults": True}),
    ),
    threshold=SHARES,
    default_test=st.fixed_dictionaries({"threshold": SHARES}),
    **{"assert": AGENTV_LISTS},
)


def said(question: Question) -> str:
    """Reply with the score that the rubric is."""
    return f'{{"hits": [], "misses": [], "reasoning": "", "score": {question.instructions}}}'


def verdicts(text: str, dialect: str, answer: str) -> list[tuple[str | None, str | None]]:
    """Return the verdict and the error of each test with an answer."""
    (suite,) = load_text(text, "a.yaml", dialect=BY_NAME[dialect])
    judge = AnsweringJudge(said)
    results = [asyncio.run(grade(case, answer, judge)) for case in suite.cases]
    return [(each.verdict.value if each.verdict else None, each.error) for each in results]


def compare(data: dict[str, Any], answer: str, source: str, target: str) -> None:
    """Grade a file in both dialects, where nothing is listed."""
    for number, test in enumerate(data["tests"] if source != "promptfoo" else ()):
        test["id"] = f"test-{number}"
    text = json.dumps(data)
    found = migrated(text, source, target)
    assume(not found.findings)
    before = verdicts(text, source, answer)
    assert len(before) == len(data["tests"])
    assert verdicts(found.text, target, answer) == before, found.text


_SETTINGS = settings(deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])


@_SETTINGS
@given(PROMPTFOO, ANSWERS)
def test_verdicts_stay_on_the_way_to_agentv_5(data: dict[str, Any], answer: str) -> None:
    """A configuration of promptfoo."""
    compare(data, answer, "promptfoo", "agentv-5")


@_SETTINGS
@given(AGENTV, ANSWERS)
def test_verdicts_stay_on_the_way_to_promptfoo(data: dict[str, Any], answer: str) -> None:
    """A suite of AgentV 5."""
    compare(data, answer, "agentv-5", "promptfoo")
