"""The outline of a suite of AgentV 5."""

from __future__ import annotations

from dialect_suites import SUITES
from outlines import outline, outline_lines


def test_a_suite_of_agentv_5_shows_default_tests_and_scenarios() -> None:
    """The assertions of `default_test` are shown at its key, and the tests of a scenario below it."""
    assert list(outline_lines(outline(SUITES["agentv-5"]))) == [
        "default_test",
        "  rubric-1 (checklist, weight 1)",
        "tests (2 cases)",
        "  web",
        "    rubric-1 (checklist, weight 1)",
        "    rubric-2 (checklist, weight 1)",
        "    depth (llm-rubric)",
        "      number (checklist, weight 3)",
        "      detail (score-range, weight 1)",
        "        0-6 (Nothing)",
        "        7-10 (All of it)",
        "    contains (443)",
        "  mail",
        "    llm-rubric (Names 25)",
        "scenarios (1 scenario)",
        "  Both protocols",
        "    plain",
        "      rubric-1 (checklist, weight 1)",
    ]
