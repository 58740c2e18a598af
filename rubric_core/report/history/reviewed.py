"""Evaluations with what the ones before them say of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from rubric_core.grading.store.rows import Evaluation
from rubric_core.scoring.scorecards import WINDOW, HistoryReport, history_report


@dataclass(frozen=True, slots=True)
class Reviewed:
    """An evaluation, and how far it lies from those before it."""

    evaluation: Evaluation
    report: HistoryReport


def reviewed(evaluations: Sequence[Evaluation], most: int) -> tuple[Reviewed, ...]:
    """Return the last evaluations, each compared with those before it; what is given must go back far enough."""
    scores = [each.dimensions for each in evaluations]
    return tuple(
        Reviewed(evaluations[at], history_report(evaluations[at].skill, scores[at], scores[max(0, at - WINDOW) : at]))
        for at in range(max(0, len(evaluations) - most), len(evaluations))
    )
