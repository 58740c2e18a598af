"""The placeholders among the texts of a case that is graded all the same, because placeholder-text (RB210) is off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.model.criteria import ScoreRangeCriterion
from rubric_core.model.evaluators import LlmJudge
from rubric_core.views.texts import is_placeholder, is_placeholder_said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rubric_core.model.suite import EvalCase


def count_placeholders(case: EvalCase) -> int:
    """Return how many texts of a case only hold a place."""
    said = (part.value for message in (*case.input_messages, *case.expected_messages) for part in message.parts)
    return sum(map(is_placeholder, _texts(case))) + sum(map(is_placeholder_said, said))


def _texts(case: EvalCase) -> Iterator[str]:
    """Give what the case, its criteria with their score ranges, and its red flags and bonuses expect."""
    yield case.expected_outcome
    for evaluator in case.evaluators:
        for criterion in evaluator.criteria if isinstance(evaluator, LlmJudge) else ():
            yield criterion.expected_outcome or ""
            if isinstance(criterion, ScoreRangeCriterion):
                yield from (each.expected_outcome for each in criterion.score_ranges)
    if case.scorecard is not None:
        yield from (flag.expected_outcome for flag in case.scorecard.red_flags)
        yield from (bonus.expected_outcome for bonus in case.scorecard.bonuses)
