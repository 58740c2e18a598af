"""Ranks of scorecards and of results; ties share a rank."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from typing import Generic, NamedTuple, TypeVar

from rubric_core.scoring.grades import Verdict, standing
from rubric_core.scoring.scorecards import ScorecardScore

_Entry = TypeVar("_Entry")
Key = tuple["Decimal | Fraction | int", ...]
"""What entries are compared by, the most important first; more is better."""


@dataclass(frozen=True, slots=True)
class Rank(Generic[_Entry]):
    """A place, counted from 1, and who is on it. Several are equivalent, and the places after them stay empty."""

    place: int
    entries: tuple[_Entry, ...]

    @property
    def is_shared(self) -> bool:
        """Return whether several are on this place."""
        return len(self.entries) > 1


@dataclass(frozen=True, slots=True)
class Ranking(Generic[_Entry]):
    """All places, best first, and the entries without a key."""

    places: tuple[Rank[_Entry], ...]
    unranked: tuple[_Entry, ...] = ()


def rank(entries: Iterable[_Entry], key: Callable[[_Entry], Key | None]) -> Ranking[_Entry]:
    """Rank entries by their keys, as in a competition: 1, 2, 2, 4. One whose key is None is not ranked."""
    keyed = [(key(entry), entry) for entry in entries]
    ranked = [(value, entry) for value, entry in keyed if value is not None]
    # Sorting is stable in reverse as well: equivalent entries stay in the order in which they came.
    ranked.sort(key=lambda pair: pair[0], reverse=True)
    places: list[Rank[_Entry]] = []
    place = 1
    for _, group in groupby(ranked, key=lambda pair: pair[0]):
        tied = tuple(entry for _, entry in group)
        places.append(Rank(place, tied))
        place += len(tied)
    return Ranking(tuple(places), tuple(entry for value, entry in keyed if value is None))


class TieBreak(NamedTuple):
    """One step of the comparison of two scorecards: its name, and a number that is better if it is larger."""

    name: str
    value: Callable[[ScorecardScore], Decimal | int]


def _dimension(name: str) -> TieBreak:
    return TieBreak(name, lambda card: next(row.score for row in card.dimensions if row.name == name))


STEPS = (
    TieBreak("final score", lambda card: card.final_score),
    *map(
        _dimension,
        ("correctness", "safety", "completeness", "actionability", "adherence", "efficiency", "consistency"),
    ),
    # Unique flags count, including those beyond the cap on deductions.
    TieBreak("fewer red flags", lambda card: -len(card.deductions)),
    TieBreak("more bonuses", lambda card: len(card.bonuses)),
)
"""The final score, then the nine steps that break a tie, in their order."""


def scorecard_key(card: ScorecardScore) -> Key:
    """Return the sort key of scorecards: the final score, then the nine steps."""
    return tuple(step.value(card) for step in STEPS)


def deciding_step(first: ScorecardScore, second: ScorecardScore) -> TieBreak | None:
    """Return the step that distinguishes two scorecards; None if they are equivalent."""
    return next((step for step in STEPS if step.value(first) != step.value(second)), None)


def result_key(score: Fraction | None, verdict: Verdict | None) -> Key | None:
    """Return the sort key of results: the score, then the verdict; None without them, as after an error."""
    return None if score is None or verdict is None else (score, standing(verdict))
