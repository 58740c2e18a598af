"""Hover in the later dialects: their keys and types, their numbers, and what their gates do."""

from __future__ import annotations

import pytest
from dialect_suites import SUITES
from hovers import inside, said_at


def _said(text: str, stretch: str) -> str:
    return said_at(inside(stretch, text))


@pytest.mark.parametrize(
    ("name", "old", "stretch", "expected"),
    [
        ("agentv-5", "", "depends_on", "Since AgentV 4.14."),
        ("agentv-5", "", "metric", "`metric`: a string"),
        ("agentv-4", "depends_on: [web]", "description: x", "never reads it; write it under"),
        (
            "agentv-5",
            "depends_on: [web]",
            "rubrics: [a]",
            "`rubrics` of a test was removed in AgentV 5.1, so it is not",
        ),
        ("agentv-5", "type: contains", "type: composite", "a type that was removed in AgentV 5.1, so"),
        ("agentv-4", "", "type: rub", "`type`: "),
    ],
)
def test_a_key_says_what_becomes_of_it(name: str, old: str, stretch: str, expected: str) -> None:
    """The release that brought it, that nobody reads it, or what is done with one that was removed."""
    text = SUITES[name].replace(old, stretch) if old else SUITES[name]
    assert expected in _said(text, stretch.removeprefix("type: comp") if old else stretch)


@pytest.mark.parametrize("name", SUITES)
def test_a_criterion_has_its_share_and_its_gate_in_the_numbers_of_the_dialect(name: str) -> None:
    """A gate fails the assertion, and not the test in AgentV, but in a grading of ours."""
    said = _said(SUITES[name], "min_score: 0.7")
    assert "Criterion `detail`: score-range criterion, 0 to 10." in said
    assert "Weight 1 of 4, 25 % of the score." in said
    assert (
        "Gate: a score below 0.7 here is a fail of the assertion, and of the test in Rubric. In AgentV the test keeps"
        in said
    )
    assert "With all else perfect: 0-6 fail, 7-10 pass" in said
    assert "borderline" not in said
    assert "below 0.7 the assertion fails" in said


@pytest.mark.parametrize(("name", "total"), [("agentv-4", 6), ("agentv-5", 6)])
def test_an_assertion_has_its_share_of_the_test(name: str, total: int) -> None:
    """All strings are one assertion that weighs their number, and the suite's assertions count as well."""
    said = _said(SUITES[name], "weight: 2")
    assert f"Weight 2 of {total}, 1/3 or 33.3 % of the test's score." in said
    assert "Required: with a score below 0.6 the test gets 0." in said


@pytest.mark.parametrize("name", SUITES)
def test_a_test_is_summed_up(name: str) -> None:
    """With its assertions, those of the suite, and the gates that fail it."""
    said = _said(SUITES[name], "web")
    assert said.startswith(("Test `web`", "`id`"))
    assert "- Gates: `depth` from 0.6" in said
    assert "- Assertions: 2 strings (one rubric, weight 2), `depth` (" in said
    assert "- Assertions, from the suite: 1 string (one rubric, weight 1)" in said
