"""Who is ahead among results, by their scores or by their scorecards, and what told equal scores apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rubric_core.scoring.ranking import deciding_step, rank, result_key, scorecard_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rubric_core.grading.results import CaseResult
    from rubric_core.scoring.ranking import Key
    from rubric_core.scoring.scorecards import ScorecardScore

By = Literal["score", "scorecard"]


@dataclass(frozen=True, slots=True)
class RankingEntry:
    """A result, and where it comes from."""

    source: str
    result: CaseResult

    @property
    def card(self) -> ScorecardScore | None:
        """Return the graded scorecard."""
        return None if self.result.scorecard is None else self.result.scorecard.score


@dataclass(frozen=True, slots=True)
class RankedPlace:
    """A place and who is on it; several are equivalent. `decided_by` is the step that put it behind the one above."""

    place: int
    entries: tuple[RankingEntry, ...]
    decided_by: str | None

    @property
    def is_shared(self) -> bool:
        """Tell whether several are on this place."""
        return len(self.entries) > 1


@dataclass(frozen=True, slots=True)
class Ranked:
    """All places, best first, and the entries that cannot be ranked."""

    by: By
    places: tuple[RankedPlace, ...]
    unranked: tuple[RankingEntry, ...]


def rank_results(entries: Iterable[RankingEntry], by: By | None = None) -> Ranked:
    """Rank results; by their scorecards if each has a graded one and nothing else is asked for."""
    listed = tuple(entries)
    whole = [entry for entry in listed if not entry.result.partial]
    chosen: By = by or ("scorecard" if whole and all(entry.card for entry in whole) else "score")
    ranking = rank(listed, _scorecard_key if chosen == "scorecard" else _result_key)
    places: list[RankedPlace] = []
    for each in ranking.places:
        step = _deciding(chosen, places[-1].entries[0], each.entries[0]) if places else None
        places.append(RankedPlace(each.place, each.entries, step))
    return Ranked(chosen, tuple(places), ranking.unranked)


def _scorecard_key(entry: RankingEntry) -> Key | None:
    return None if entry.card is None or entry.result.partial else scorecard_key(entry.card)


def _result_key(entry: RankingEntry) -> Key | None:
    return None if entry.result.partial else result_key(entry.result.score, entry.result.verdict)


def _deciding(by: By, ahead: RankingEntry, behind: RankingEntry) -> str:
    """Return what told two entries apart."""
    if by == "scorecard" and ahead.card is not None and behind.card is not None:
        step = deciding_step(ahead.card, behind.card)
        return "" if step is None else step.name
    return "score" if ahead.result.score != behind.result.score else "verdict"


def reason_unranked(entry: RankingEntry, by: By) -> str:
    """Return why an entry has no place."""
    result = entry.result
    if result.partial and result.error is None:
        return "It is partial: only some criteria were graded."
    if by == "scorecard":
        error = None if result.scorecard is None else result.scorecard.error
        return error or result.error or "It has no scorecard."
    return result.error or "It has no score."
