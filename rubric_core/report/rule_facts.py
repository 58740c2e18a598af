"""What is said about a rule beside its problems: one sentence, its page, whether it has fixes."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rubric_core.rules.rule import Rule

_FIXES = {True: "safe", False: "unsafe", None: ""}


class RuleFacts(NamedTuple):
    """A rule in words. `fixes` is `safe`, `unsafe` or empty."""

    code: str
    name: str
    severity: str
    summary: str
    page: str
    fixes: str = ""


@lru_cache(maxsize=1)
def all_rule_facts() -> Mapping[str, RuleFacts]:
    """Return the facts of all rules by code, in the order of the registry."""
    from rubric_core.rules.registry import RULES  # noqa: PLC0415 - it imports all rules, and most reports need none.

    facts: dict[str, RuleFacts] = {}
    for rule in RULES:
        if rule.code not in facts:
            # A code may stand for several checks; the first one has the page.
            facts[rule.code] = _facts(rule)
    return facts


def _facts(rule: Rule) -> RuleFacts:
    fixes = _FIXES[rule.fixes_are_safe]
    about = f"Default severity: {rule.severity.value}. Fix: {fixes or 'none'}."
    return RuleFacts(
        rule.code,
        rule.name,
        rule.severity.value,
        first_sentences(rule.page) or rule.name,
        f"# {rule.code}: {rule.name}\n\n{about}\n\n{rule.page}".rstrip() + "\n",
        fixes,
    )


def rule_facts(code: str, name: str) -> RuleFacts:
    """Return what is known of a code; one that is not in the registry has its name only."""
    return all_rule_facts().get(code) or RuleFacts(code, name, "error", name, name)


def first_sentences(page: str) -> str:
    """Return the first paragraph of a page of Markdown in one line, without headings."""
    for paragraph in page.split("\n\n"):
        lines = [line.strip() for line in paragraph.splitlines() if line.strip() and not line.startswith("#")]
        if lines:
            return " ".join(lines)
    return ""
