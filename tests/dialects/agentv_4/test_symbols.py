"""The outline of a suite of AgentV 4."""

from __future__ import annotations

from dialect_suites import SUITES
from outlines import outline, outline_lines


def test_a_suite_of_agentv_4_shows_its_assertions_and_strings() -> None:
    """Strings of a list are criteria; an assertion without a name is shown by its type and value."""
    assert list(outline_lines(outline(SUITES["agentv-4"]))) == [
        "assertions",
        "  rubric-1 (checklist, weight 1)",
        "tests (2 cases)",
        "  web (Names the port)",
        "    rubric-1 (checklist, weight 1)",
        "    rubric-2 (checklist, weight 1)",
        "    depth (rubrics)",
        "      number (checklist, weight 3)",
        "      detail (score-range, weight 1)",
        "        0-6 (Nothing)",
        "        7-10 (All of it)",
        "    contains (443)",
        "  mail",
        "    llm-grader",
    ]
