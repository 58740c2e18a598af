"""Inlay hints in the later generations of AgentV."""

from __future__ import annotations

import pytest
from dialect_suites import SUITES
from shown_hints import hints_in, with_hints

from rubric_core.analysis.check import analyse
from rubric_core.text.spans import Span


@pytest.mark.parametrize(("name", "key"), [("agentv-4", "criteria"), ("agentv-5", "value")])
def test_assertions_show_their_share_and_what_a_gate_does(name: str, key: str) -> None:
    """The strings of a list are one assertion that weighs their number, and the suite's assertions count as well."""
    shown = with_hints(SUITES[name])
    assert ', {{ tone }}" «33.3 %»\n' in shown or "- «rubric-1» Names the port «33.3 %»\n" in shown
    assert "- «rubric-2» Gives a reason\n" in shown
    assert "weight: 2 «33.3 %»\n" in shown
    assert "type: contains «16.7 %»\n" in shown
    assert "min_score: 0.6 «below 0.6 the test gets 0»\n" in shown
    assert "min_score: 0.7 «AgentV fails the assertion only»\n" in shown
    assert f"{key}:\n          - id: number\n            outcome: Says 443\n            weight: 3 «75 %»\n" in shown


@pytest.mark.parametrize("name", SUITES)
def test_the_tooltip_of_an_assertion_names_the_test(name: str) -> None:
    """The share is one of the test's score."""
    text = SUITES[name]
    found = [hint.tooltip for hint in hints_in(analyse(text, path="a.eval.yaml"), Span(0, len(text)))]
    assert "This assertion has weight 2 of 6, 1/3 or 33.3 % of the test's score." in found
    assert "The 2 strings of this list have, as one rubric, weight 2 of 6, 1/3 or 33.3 % of the test's score." in found
