"""No rule fails, whatever stands in the place of what it looks at."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from rubric_core.analysis import rule_runner
from rubric_core.analysis.check import check_text
from rubric_core.analysis.project import KnownProject

if TYPE_CHECKING:
    from rubric_core.rules.rule import Rule

# Values of every shape, and of every strangeness within a shape.
VALUES = (
    "",
    "~",
    "''",
    "text",
    "7",
    "-0.5",
    ".nan",
    ".inf",
    "1e9999",
    "true",
    "[]",
    "[~]",
    "['', text, 7, [a], {b: c}]",
    "{}",
    "{? [a] : b, c: }",
    "{<<: {a: 1}}",
    "*missing",
    "&own [x]",
    "!tag text",
    "|\n      block\n",
)

# Places of a case that rules of evaluators, messages and scorecards look at; the values go where `@` stands.
PLACES = (
    "input_messages: @",
    "input_messages: [@]",
    "input: [{role: @, content: hello}]",
    "input: [{role: user, content: {}}]",
    "input: [{role: user, tool_calls: {}}]",
    "input: [{role: user, content: [@]}]",
    "input: [{role: user, content: [{type: @, value: a}]}]",
    "input: [{role: user, content: [{type: file, value: {}}]}]",
    "evaluators: @",
    "evaluators: [@]",
    "evaluators: [{name: @, type: cost}, {name: @, type: cost}]",
    "evaluators: [{name: a, type: {}}]",
    "evaluators: [{name: a, type: code_judge, script: @, cwd: {}}]",
    "evaluators: [{name: a, type: llm_judge, prompt: @, target: {}}]",
    "evaluators: [{name: a, type: llm_judge, prompt: {script: {}}}]",
    "evaluators: [{name: a, type: composite, evaluators: @, aggregator: {}}]",
    "execution: @",
    "execution: {target: @, evaluators: {}}",
    "scorecard: @",
    "scorecard: {weights: @, red_flags: @, bonuses: {}}",
    "scorecard: {weights: {correctness: @, safety: 1}}",
    "scorecard: {red_flags: [@, @], bonuses: [@, @]}",
    "scorecard: {red_flags: [{id: @, expected_outcome: @, deduction: {}}]}",
)


@pytest.mark.parametrize("place", PLACES)
def test_no_rule_fails_on_any_value(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine would go on without a rule that fails; here the failure comes out."""
    monkeypatch.setattr(rule_runner, "report_failure", _fail)
    everywhere = KnownProject(known=frozenset(), targets=frozenset({"default"}))
    for value, scorecards in product(VALUES, ("", "scorecards: {a: ~}\n")):
        if value.startswith("|") and not place.endswith(": @"):
            # A block scalar cannot stand in brackets.
            continue
        written = place.replace("@", value)
        text = f"{scorecards}evalcases:\n  - id: a\n    expected_outcome: Names the port\n    {written}\n"
        checked = check_text(text, path="a.eval.yaml", project=everywhere)
        assert checked.ours
        for problem in checked.problems:
            if problem.fixes is not None:
                problem.fixes()


def _fail(rule: Rule, error: Exception) -> None:
    raise AssertionError(rule.code) from error
