"""Criteria are not generated for AgentV 4 yet."""

from __future__ import annotations

from generated_rubrics import generated

from rubric_core.analysis.project import NO_PROJECT
from rubric_core.config.config import DEFAULT
from rubric_core.grading.generation.survey import survey


def test_a_case_is_skipped_with_a_sentence() -> None:
    """Nothing is written into it."""
    text = "tests:\n  - id: a\n    criteria: x\n    input: y\n    assertions: [{type: contains}]\n"
    (skipped,) = survey(text, "suite.eval.yaml", DEFAULT, NO_PROJECT).skipped
    reason = "The file is written for AgentV 4, for which no criteria are generated yet."
    assert (skipped.case_id, skipped.reason) == ("a", reason)
    assert generated(text, "suite.eval.yaml").text == text
