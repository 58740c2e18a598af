"""What a report says about a rule beside the problem itself."""

from __future__ import annotations

from typing import NamedTuple


class RuleFacts(NamedTuple):
    """A rule in words: one sentence, and its whole page in Markdown."""

    severity: str
    summary: str
    page: str


def rule_facts(code: str, name: str) -> RuleFacts:
    """Return what is known of a code; a problem of the configuration has no page of its own."""
    return RuleFacts("warning", name, name)
