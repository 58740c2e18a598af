"""Cases of texts, graded by a judge that answers by a function."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from judges import AnsweringJudge, all_met

from rubric_core import grade
from rubric_core.grading.options import Options

if TYPE_CHECKING:
    from collections.abc import Callable

    from rubric_core.grading.answers import Answer
    from rubric_core.grading.judges.judge import Question
    from rubric_core.grading.results import CaseResult
    from rubric_core.model.suite import EvalCase


def graded(
    case: EvalCase,
    answer: str | Answer = "Port 80.",
    reply: Callable[[Question], str] = all_met,
    options: Options | None = None,
) -> CaseResult:
    """Grade an answer."""
    return asyncio.run(grade(case, answer, AnsweringJudge(reply), options=options or Options()))


def says(result: CaseResult) -> tuple[str, str]:
    """Return score and verdict, or the error."""
    return (str(result.score), result.verdict.value) if result.verdict else ("error", result.error or "")
