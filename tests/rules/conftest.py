"""What the tests of rules share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rubric_core.analysis import rule_runner

if TYPE_CHECKING:
    from rubric_core.rules.rule import Rule


@pytest.fixture
def _no_rule_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a rule that raises fail the test; users only lose that rule's findings."""

    def raise_again(_rule: Rule, error: Exception) -> None:
        raise error

    monkeypatch.setattr(rule_runner, "report_failure", raise_again)
