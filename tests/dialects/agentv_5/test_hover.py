"""Hover in AgentV 5: types, what the suite adds, and the pass mark."""

from __future__ import annotations

from dialect_suites import SUITES
from hovers import inside, said_at

FIVE = SUITES["agentv-5"]


def _said(text: str, stretch: str) -> str:
    return said_at(inside(stretch, text))


def test_a_type_lists_the_keys_of_its_dialect() -> None:
    """As an assertion, which is what it is called there."""
    said = _said(FIVE, "contains")
    assert said.startswith("`contains`: an assertion type.")
    assert "`value` (required): The text." in said
    assert "As every assertion: `metric`" in said


def test_a_type_that_has_a_negated_form_says_what_that_does() -> None:
    """The form with `not-` is a type of its own."""
    assert "`not-` before it turns the result around." in _said(FIVE.replace("contains", "skill-used"), "skill-used")
    assert "`not-`" not in _said(FIVE, "contains")


def test_a_test_may_do_without_the_suite() -> None:
    """`skip_defaults` leaves out what the suite adds."""
    text = FIVE.replace("  - id: web\n", "  - id: web\n    execution: {skip_defaults: true}\n")
    assert "from the suite" not in _said(text, "web")
    assert "Weight 2 of 5, 40 % of the test's score." in _said(text, "weight: 2")


def test_an_assertion_that_is_dropped_counts_nothing() -> None:
    """The others share the score."""
    text = FIVE.replace('      - type: contains\n        value: "443"\n', "      - {metric: lost, type: llm-rubric}\n")
    assert "No effect on the score: AgentV drops it, because it does not define what to judge." in _said(text, "lost")
    assert "Weight 2 of 5, 40 % of the test's score." in _said(text, "weight: 2")


def test_a_gate_takes_the_pass_mark_of_its_test() -> None:
    """Before that of the suite."""
    text = FIVE.replace("        min_score: 0.6\n", "").replace(
        "  - id: web\n", "  - id: web\n    run: {threshold: 0.4}\n"
    )
    assert "Required: with a score below 0.4 the test gets 0." in _said(text, "weight: 2")
