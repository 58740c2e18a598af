"""Inlay hints in AgentV 5: gates, and what the suite adds."""

from __future__ import annotations

from dialect_suites import SUITES
from shown_hints import hints_in, with_hints

from rubric_core.analysis.check import analyse
from rubric_core.assist.hints import HintKind
from rubric_core.text.spans import Span

FIVE = SUITES["agentv-5"]


def test_hints_at_gates_have_a_switch() -> None:
    """Nothing else is missing without them."""
    analysis = analyse(FIVE, path="a.eval.yaml")
    everything, only = (hints_in(analysis, Span(0, len(FIVE)), kinds) for kinds in (tuple(HintKind), {HintKind.GATE}))
    assert only == [hint for hint in everything if hint.kind is HintKind.GATE]
    assert only


def test_a_gate_without_a_score_takes_the_pass_mark_of_the_suite() -> None:
    """0.8 where the suite has no `threshold`."""
    text = FIVE.replace("        min_score: 0.6\n", "")
    assert "required: true «below 0.8 the test gets 0»\n" in with_hints(text)
    assert "required: true «below 0.5 the test gets 0»\n" in with_hints(f"threshold: 0.5\n{text}")


def test_without_the_suite_an_assertion_counts_more() -> None:
    """`skip_defaults` leaves out what the suite adds."""
    text = FIVE.replace("  - id: web\n", "  - id: web\n    execution: {skip_defaults: true}\n")
    assert "weight: 2 «40 %»\n" in with_hints(text)
