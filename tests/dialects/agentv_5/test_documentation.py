"""The field reference of AgentV 5, and the page about migration."""

from __future__ import annotations

from pages import page


def test_the_reference_has_what_is_accepted_and_not_read() -> None:
    """And what an empty value leads to."""
    text = page("fields/agentv-5.md")
    assert "It is accepted and never read; write `metric`." in text
    assert "Empty, the evaluator is dropped." in text
