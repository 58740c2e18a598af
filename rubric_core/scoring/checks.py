"""What a judge said of one criterion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeGuard


@dataclass(frozen=True, slots=True)
class Check:
    """A valid judgement of one criterion: `satisfied` in checklist mode, `score` (0 to 10) in score-range mode."""

    id: str
    satisfied: bool | None = None
    score: int | None = None
    reasoning: str = ""


def is_score(value: object, lowest: int, highest: int) -> TypeGuard[int]:
    """Tell whether a value is an integer from the lowest to the highest score. True is 1 to Python, but no score."""
    return isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest
