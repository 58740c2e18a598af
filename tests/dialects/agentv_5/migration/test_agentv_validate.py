"""The real `agentv validate` on suites that were migrated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentv_program import validate
from migrations import migrated

from tests.dialects.agentv_5.migration.test_round_trips import TEXTS

if TYPE_CHECKING:
    from pathlib import Path


def test_what_is_migrated_to_agentv_4_is_valid_there(tmp_path: Path) -> None:
    """Suites of AgentV 2, and the same after a way over AgentV 5, have nothing that AgentV complains about."""
    suites = {name.replace(" ", "-"): text for name, text in TEXTS.items() if "evalcases" in text}
    direct = {name: migrated(text, "agentv-2", "agentv-4").text for name, text in suites.items()}
    over = {
        f"{name}-over-5": migrated(migrated(text, "agentv-2", "agentv-5").text, "agentv-5", "agentv-4").text
        for name, text in suites.items()
    }
    assert validate(tmp_path, {**direct, **over}) == {name: [] for name in (*direct, *over)}
