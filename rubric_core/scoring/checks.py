"""What a judge said of one criterion."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """A valid judgement of one criterion: `satisfied` in checklist mode, `score` (0 to 10) in score-range mode."""

    id: str
    satisfied: bool | None = None
    score: int | None = None
    reasoning: str = ""
