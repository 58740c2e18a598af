"""What the store knows of the time before some results, for charts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal
    from fractions import Fraction

MOST_CHARTED = 30
"""So many gradings of a skill or a case are shown: older ones say little, and more do not fit."""


class Evaluated(Protocol):
    """One evaluation in the history of a skill, as the store keeps it."""

    @property
    def id(self) -> str:
        """Return the id, which a scorecard of a result names too."""

    @property
    def timestamp(self) -> str:
        """Return when it was graded."""

    @property
    def dimensions(self) -> Mapping[str, int]:
        """Return the score of each dimension."""

    @property
    def final_score(self) -> Decimal:
        """Return the final score."""


class CaseKey(NamedTuple):
    """A case, by the file that its result names, and by its id."""

    file: str
    case_id: str


class PastScore(NamedTuple):
    """The score of a case in an earlier grading, or in the one that is shown."""

    timestamp: str
    score: Fraction


@dataclass(frozen=True, slots=True)
class Past:
    """The last evaluations of skills and the last scores of cases, each the oldest first."""

    skills: Mapping[str, Sequence[Evaluated]] = field(default_factory=dict)
    cases: Mapping[CaseKey, Sequence[PastScore]] = field(default_factory=dict)


NO_PAST = Past()
