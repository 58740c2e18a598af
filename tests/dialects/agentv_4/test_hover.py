"""Hover in AgentV 4."""

from __future__ import annotations

from hovers import said_at

_RULER = "0 1 2 3 4 5 6 7 8 9 10"


def test_ranges_of_a_later_dialect_are_shown() -> None:
    """They are under other keys there."""
    suite = """\
tests:
  - id: a
    input: b
    assertions:
      - type: rubrics
        criteria:
          - id: c
            score_ranges:
              0: Low
              5: High
"""
    assert _RULER in said_at(suite.replace("5: High", "$05: High"))
    assert "assertions" in said_at(suite.replace("    assertions", "    ass$0ertions"))
