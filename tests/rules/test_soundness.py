"""What a glance calls sound has nothing that a rule would report, and what is common is called sound."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rubric_core.analysis import engine
from rubric_core.analysis.check import analyse
from rubric_core.rules.soundness import criteria_are_sound
from rubric_core.syntax.nodes import Mapping
from rubric_core.syntax.parse import parse
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.views import records

if TYPE_CHECKING:
    from collections.abc import Callable

    from rubric_core.rules.problem import Problem
    from rubric_core.syntax.nodes import Node

TEXTS = (
    *(
        "Names port 8080",
        "Names the port",
        "Good quality",
        '"Names port 8080"',
        "names  port 8080.",
        '" names port 8080"',
    ),
    *("Uses the port", "Names the port and explains the firewall", "Writes it; tests it", "''", "~", "5", "yes", "'5'"),
    *(
        "The answer",
        "'TODO: say it'",
        "TODO",
        "'...'",
        "|\n            TBD",
        "Mentions the word and",
        "*a",
        "&a Names it",
        "!!str 5",
        "|\n            Names port 8080",
        "[a]",
        "{}",
    ),
)
RIGHT_TEXTS = ("Names port 8080", "Quotes the log", "Refers to the manual", "Tells the time")
WEIGHTS = ("1", "1.0", "0.5", "2.0", "4", "8", "0", "-1", ".inf", "1e3", "'1'", "x", "0.0000001", "010", "~", "")
GATES = ("0", "3", "4", "6", "10", "11", "0.5", "'4'", "~", "")
REQUIRED = ("true", "false", "True", "yes", "'true'", "~", "")
IDS = ("a", "b", "c", "rubric-1", "rubric-2", "5", "''", "~", "'a'")
RANGES = (
    "{0: No port, 4: A port, 8: The port 8080 in bold}",
    "{0: No port, 4: A port}",
    "{0: Very good, 4: Extremely good}",
    "{0: no port, 4: No port}",
    "{0: No port, 4: ''}",
    "{0: No port, 4: TODO}",
    "{1: No port, 4: A port}",
    "{4: A port, 0: No port}",
    "{0: No port, 0: A port}",
    "{'0': No port, 4: A port}",
    "{0: 1, 4: 2}",
    "{}",
    "[]",
    "",
    "[{score_range: [0, 3], expected_outcome: No port}, {score_range: [4, 10], expected_outcome: A port}]",
    "[{score_range: [0, 3], expected_outcome: No port}, {score_range: [3, 10], expected_outcome: A port}]",
    "[{score_range: [0, 3], expected_outcome: No port}, {score_range: [4, 9], expected_outcome: A port}]",
    "[{score_range: [3, 0], expected_outcome: No port}, {score_range: [4, 10], expected_outcome: A port}]",
    "[{score_range: [0, 3], expected_outcome: No port}, {score_range: [4, 10]}]",
    "[{score_range: [0, 3], description: No port}, {score_range: [4, 10], expected_outcome: A port}]",
    "[{score_range: [0, 10], expected_outcome: Port}]",
    "[{score_range: 3}, a]",
)


KINDS = ("llm_judge", "code_judge", "code", "rubric", "composite", "latency", "llm_jugde", "''", "[a]", "")
SCRIPTS = (
    "[python, judge.py]",
    "python judge.py",
    "[uv, run, mypy]",
    "mypy -q",
    "mypy a",
    "[]",
    "['', a]",
    "[[a]]",
    "''",
    "",
)
NAMES = ("a", "b", "rubric", "' a '", "''", "5", "")
ROLES = ("user", "assistant", "system", "asistant", "User", "'user'", "&b user", "!!null user", "[user]", "")
CONTENTS = (
    *("Hello", "''", "5", "~", "'5'", "!!str 5", "[]", "{}", "[Hello]", "[{type: text, value: Hello}]", ""),
    *(
        "TODO",
        "'TODO: ask'",
        "[{type: text, value: TBD}]",
        "[{type: text, value: ''}]",
        "[{type: text, value: 5}]",
        "[{type: file, value: a.md}]",
        "[{type: file, value: ''}]",
    ),
    *(
        "[{type: txet, value: a}]",
        "[{value: a}]",
        "[{type: text}]",
        "[{type: !!null text, value: a}]",
        "|\n        Hello",
    ),
)


def _mapping(indent: int, **values: tuple[str, ...]) -> st.SearchStrategy[str]:
    """Return items of a list that are mappings with some of these keys."""
    fields = st.fixed_dictionaries({}, optional={name: st.sampled_from(each) for name, each in values.items()})
    lead = " " * indent
    return fields.filter(bool).map(
        lambda pairs: f"{lead}- " + f"{lead}  ".join(f"{name}: {value}\n" for name, value in pairs.items())
    )


def _evaluators() -> st.SearchStrategy[str]:
    evaluator = _mapping(6, name=NAMES, type=KINDS, weight=WEIGHTS, script=SCRIPTS)
    return st.lists(evaluator, max_size=3).map(_under("evaluators"))


def _messages() -> st.SearchStrategy[str]:
    message = _mapping(6, role=ROLES, content=CONTENTS, tool_calls=("[]", "[{name: a}]"))
    return st.lists(message, max_size=2).map(_under("input_messages"))


def _under(key: str) -> Callable[[list[str]], str]:
    """Return what puts items below a key of a case, or nothing where there are no items."""
    return lambda items: f"    {key}:\n{''.join(items)}" if items else ""


def _criteria() -> st.SearchStrategy[str]:
    mapping = _mapping(
        6,
        id=IDS,
        expected_outcome=TEXTS,
        description=TEXTS,
        weight=WEIGHTS,
        required=REQUIRED,
        required_min_score=GATES,
        score_ranges=RANGES,
        wieght=WEIGHTS,
    )
    text = st.sampled_from(TEXTS).map(lambda text: f"      - {text}\n")
    # Where each criterion is right by itself, the list as a whole may still be unbalanced.
    right = _mapping(6, expected_outcome=RIGHT_TEXTS, weight=("1", "4", "8"), required=("true", "false"))
    scored = _mapping(6, weight=("1", "9"), required_min_score=("4", "5"), score_ranges=RANGES[:2])
    lists = st.lists(text | mapping, min_size=1, max_size=4) | st.lists(right | scored, min_size=1, max_size=3)
    return lists.map(_under("rubrics"))


def _suite(*parts: str) -> str:
    """Return a suite with one case; an anchor, which is not for the fast parser, only where it is needed."""
    rest = "".join(parts)
    note = "    note: &a Names the host\n" if "*a" in rest else ""
    return f"evalcases:\n  - id: x\n{note}    expected_outcome: y\n{rest}"


def _found(text: str) -> list[tuple[object, ...]]:
    def parts(problem: Problem) -> tuple[object, ...]:
        return problem.code, problem.span, problem.message

    return [parts(problem) for problem in analyse(text).problems()]


def _without_a_glance(text: str) -> list[tuple[object, ...]]:
    with pytest.MonkeyPatch.context() as patch:
        for name in ("criteria_are_sound", "evaluators_are_sound", "message_is_sound"):
            patch.setattr(engine, name, lambda *_: False)
        patch.setattr(records, "_looks_sound", lambda *_: False)
        return _found(text)


@pytest.mark.slow
@given(st.builds(_suite, _criteria()))
@settings(max_examples=400, deadline=None)
def test_a_glance_at_criteria_misses_nothing(text: str) -> None:
    """Any list of criteria gives the same problems when every rule looks at it, and at every mapping."""
    assert _found(text) == _without_a_glance(text)


@pytest.mark.slow
@given(st.builds(_suite, _messages(), st.just("    rubrics: [Names it]\n") | st.just(""), _evaluators()))
@settings(max_examples=400, deadline=None)
def test_a_glance_at_evaluators_and_messages_misses_nothing(text: str) -> None:
    """Any evaluators and messages give the same problems when every rule looks at them."""
    assert _found(text) == _without_a_glance(text)


SOUND = (
    "- Names port 8080\n",
    "- Names port 8080\n- Names the host\n",
    """\
- id: a
  expected_outcome: Names port 8080
  weight: 2.0
- id: b
  expected_outcome: Says so
  weight: 0.5
  required: false
- Names the host
""",
    """\
- id: a
  required_min_score: 4
  score_ranges:
    0: No port
    4: Another port
    8: Port 8080
- Names the host
""",
    """\
- required_min_score: 5
  score_ranges:
    - score_range: [0, 4]
      expected_outcome: No port
    - {score_range: [5, 10], expected_outcome: Port 8080}
""",
    "- |\n  Names port 8080.\n- 'Names the host'\n",
)


@pytest.mark.parametrize("text", SOUND)
def test_the_common_kind_is_called_sound(text: str) -> None:
    """Otherwise nothing would be gained."""
    assert criteria_are_sound(_node(text), YamlVersion.V1_2)


def test_other_versions_of_yaml_are_left_to_the_rules() -> None:
    """There `yes` is true, and more."""
    assert not criteria_are_sound(_node(SOUND[0]), YamlVersion.V1_1)


@pytest.mark.parametrize("text", ["a: 1\n", "[]", "x"])
def test_what_is_no_list_is_left_to_the_rules(text: str) -> None:
    """An empty list is a problem, too."""
    assert not criteria_are_sound(_node(text), YamlVersion.V1_2)


def _node(text: str) -> Node:
    root = parse(f"rubrics:\n  {text.rstrip().replace(chr(10), chr(10) + '  ')}\n").root
    assert isinstance(root, Mapping)
    node = root.get("rubrics")
    assert node is not None
    return node
