"""From promptfoo to AgentV 5 and back: what both have comes back byte for byte, whatever style it is written in."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from counted_calls import counted_calls
from hypothesis import example, given, settings
from hypothesis import strategies as st
from migrations import comments_of, errors_in, migrated
from suite_styles import STYLES, Style, read, write

from rubric_core.analysis.check import analyse
from rubric_core.config.config import DEFAULT
from rubric_core.migration.registry import TARGET_NAMES, path_between
from rubric_core.migration.steps import Kind

MODELINE = "# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json"
WORDS = st.sampled_from(["port", "8080", "Which port?", "a: b", "it's", "yes"])
SHARES = st.sampled_from([0.5, 0.75, 1])
KINDS = ("contains", "icontains", "equals", "regex", "starts-with")
LISTS = ("contains-any", "contains-all", "icontains-any", "icontains-all")


def some(required: dict[str, Any], **optional: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Return mappings with all of the first keys, and with any of the others."""
    return st.fixed_dictionaries(required, optional=optional)


def negatable(*kinds: str) -> st.SearchStrategy[str]:
    """Return types and their opposites."""
    return st.sampled_from([*kinds, *(f"not-{kind}" for kind in kinds)])


COUNTED: dict[str, Any] = {"weight": st.sampled_from([2, 0.5]), "metric": st.just("accuracy")}
CHECKS = st.one_of(
    some({"type": negatable(*KINDS), "value": WORDS}, **COUNTED),
    some({"type": negatable(*LISTS), "value": st.lists(WORDS, min_size=1, max_size=3)}, **COUNTED),
    some({"type": negatable("is-json")}, **COUNTED),
    some({"type": negatable("cost", "latency"), "threshold": st.sampled_from([1, 500])}, **COUNTED),
    some(
        {"type": st.just("llm-rubric"), "value": WORDS}, threshold=SHARES, transform=st.just("output.trim()"), **COUNTED
    ),
    some({"type": st.just("javascript"), "value": st.just("output.length > 5")}, threshold=SHARES, **COUNTED),
)
SETS = some({"type": st.just("assert-set"), "assert": st.lists(CHECKS, min_size=1, max_size=2)}, threshold=SHARES)
ASSERTIONS = st.lists(CHECKS | SETS, min_size=1, max_size=3)
TESTS = some(
    {"vars": some({"x": WORDS}, y=WORDS), "assert": ASSERTIONS},
    description=WORDS,
    threshold=SHARES,
    metadata=st.just({"level": "easy"}),
    options=st.sampled_from([{"disableDefaultAsserts": True}, {"transform": "output.trim()"}]),
)
SUITES = some(
    {
        "prompts": st.just(["Say {{ x }}", "file://long.txt"]),
        "providers": st.just(["openai:gpt-5", {"id": "openai:gpt-5-mini", "label": "small"}]),
        "tests": st.lists(TESTS, min_size=1, max_size=3),
    },
    description=WORDS,
    defaultTest=some(
        {"vars": st.just({"y": "b"})}, threshold=SHARES, options=st.just({"rubricPrompt": "file://a.txt"})
    ),
    evaluateOptions=some({"maxConcurrency": st.just(4)}, timeoutMs=st.just(500), delay=st.just(10)),
    derivedMetrics=st.just([{"name": "total", "value": "accuracy * 2"}]),
    outputPath=st.just("results.json"),
    scenarios=st.just([{"config": [{"vars": {"x": "a"}}], "tests": [{"assert": [{"type": "is-json"}]}]}]),
)


def notation(value: Any) -> str:
    """Return data in the notation of suites, with quotes around texts and none around keys."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {notation(item)}" for key, item in value.items()) + "}"
    return "[" + ", ".join(map(notation, value)) + "]" if isinstance(value, list) else json.dumps(value)


def written(suite: dict[str, Any], style: Style) -> str:
    """Return a suite in a style, with the comment that names its schema where comments can be."""
    found = write(read(notation(suite)), style)
    assert found is not None
    return found.text if style.shape == "json" else f"{MODELINE}{style.line_break}{found.text}"


@settings(deadline=None)
@given(SUITES, st.sampled_from(STYLES))
@example(
    {
        "prompts": ["Say {{ x }}"],
        "tests": [{"vars": {"x": "port"}, "assert": [{"type": "is-json"}], "options": {"disableDefaultAsserts": True}}],
    },
    Style(step=4),
)
def test_what_both_have_comes_back_byte_for_byte(suite: dict[str, Any], style: Style) -> None:
    """On the way it is a suite of AgentV 5 without an error, and nothing is said to be lost."""
    text = written(suite, style)
    there = migrated(text, "promptfoo", "agentv-5")
    assert not there.has(Kind.NO), there.findings
    assert not errors_in(there.text, "agentv-5")
    assert migrated(there.text, "agentv-5", "promptfoo").text == text


@settings(deadline=None)
@given(SUITES)
def test_every_comment_stays(suite: dict[str, Any]) -> None:
    """But for the one that names the dialect."""
    text = written(suite, Style(has_comments=True))
    there = migrated(text, "promptfoo", "agentv-5").text
    assert set(comments_of(text)) - {MODELINE} <= set(comments_of(there))


JSON_LINES = '{"vars": {"x": "a"}, "assert": [{"type": "is-json"}]}\n\n{"vars": {"x": "b"}}\n'


def test_tests_on_lines_of_their_own_get_ids() -> None:
    """Blank lines do not count, and an id that is there stays."""
    there = migrated(JSON_LINES, "promptfoo", "agentv-5", "tests.jsonl").text
    assert [json.loads(line)["id"] for line in there.splitlines() if line] == ["test-1", "test-2"]
    assert migrated(there, "agentv-5", "promptfoo", "tests.jsonl").text == JSON_LINES
    named = JSON_LINES.replace('{"vars"', '{"id": "b", "vars"')
    assert migrated(named, "promptfoo", "agentv-5", "tests.jsonl").text == named


@pytest.mark.parametrize(
    "head",
    [
        f"{MODELINE}\n",
        "# rubric: dialect=promptfoo\n",
        "",
        "\ufeff",
        "---\n",
        f"# a\n---\n{MODELINE}\n",
        f"{MODELINE}\n---\n",
    ],
)
def test_a_configuration_is_recognised_afterwards(head: str) -> None:
    """Whatever its name says, and the other way round."""
    text = f"{head}prompts: [a]\nproviders: [openai:a]\ntests:\n  - vars: {{x: a}}\n    assert: [{{type: is-json}}]\n"
    there = migrated(text, "promptfoo", "agentv-5").text
    assert dialect_of(there, "promptfooconfig.yaml") == "agentv-5"
    back = migrated(there, "agentv-5", "promptfoo").text
    assert dialect_of(back, "a.eval.yaml") == "promptfoo"
    assert MODELINE not in there
    assert MODELINE not in text or back == text


def dialect_of(text: str, path: str) -> str:
    """Return the dialect that a file of this name is taken for."""
    analysis = analyse(text, path=path, config=replace(DEFAULT), is_named=True)
    analysis.refresh()
    return analysis.facts.dialect.name


@pytest.mark.needs("agentv-4")
def test_only_agentv_5_has_a_way_to_promptfoo() -> None:
    """So that a folder migrated to AgentV 4 keeps its configurations of promptfoo."""
    assert TARGET_NAMES[-2:] == ("agentv-5", "promptfoo")
    assert path_between("promptfoo", "agentv-5") == (("promptfoo", "agentv-5"),)
    assert path_between("agentv-5", "promptfoo") == (("agentv-5", "promptfoo"),)
    others = ("agentv-2", "agentv-4")
    assert [path_between(*pair) for each in others for pair in ((each, "promptfoo"), ("promptfoo", each))] == [None] * 4


TEST = """\
  - description: Test {number}
    vars: {{x: a}}
    threshold: 0.5
    options: {{disableDefaultAsserts: true}}
    assert:
      - type: not-contains
        value: b
      - {{type: llm-rubric, value: Is short, threshold: 0.5}}
"""


def calls_for(tests: int) -> int:
    """Return how many calls the way there and back needs."""
    text = f'{MODELINE}\nprompts: ["{{{{ x }}}}"]\nproviders: [openai:gpt-5]\ntests:\n'
    text += "".join(TEST.format(number=number) for number in range(tests))
    with counted_calls() as calls:
        there = migrated(text, "promptfoo", "agentv-5").text
        back = migrated(there, "agentv-5", "promptfoo").text
    assert back.count("disableDefaultAsserts") == back.count("not-contains") == tests
    return calls[0]


@pytest.mark.slow
def test_five_times_the_tests_need_five_times_the_calls() -> None:
    """What is done once for a file makes it less."""
    calls_for(1)  # What is made at the first use is not counted.
    assert calls_for(100) <= 5.05 * calls_for(20)
