"""The example of assertions that need no judge."""

from __future__ import annotations

import asyncio
from pathlib import Path

from rubric_core import grade, load
from rubric_core.grading.sources import RecordedAnswers

EXAMPLE = Path(__file__).parents[3] / "examples" / "offline" / "release-notes.eval.yaml"


def test_it_is_graded_without_a_model() -> None:
    """Every case has a recorded answer; no judge is asked."""
    answers = RecordedAnswers(str(EXAMPLE))
    results = [asyncio.run(grade(case, answers.of(case.id) or "", "manual")) for case in load(EXAMPLE).cases]
    scores = {
        result.eval_id: (result.verdict.value if result.verdict else None, str(result.score)) for result in results
    }
    assert scores == {"markdown": ("pass", "1"), "json": ("pass", "8/9")}
