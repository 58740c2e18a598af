"""A ranking as rows, for the terminal and for Markdown alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rubric_core.report.ranking.ranked import reason_unranked
from rubric_core.report.results.summary import state_of
from rubric_core.report.results.wording import score_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rubric_core.report.ranking.ranked import By, Ranked, RankedPlace, RankingEntry

HEADINGS = {
    "score": ("Place", "Case", "Score", "Verdict", ""),
    "scorecard": ("Place", "Case", "Final score", "Grade", ""),
}
_MAIN_STEPS = frozenset({"score", "final score"})


class RankingRow(NamedTuple):
    """One entry of a ranking in words."""

    place: str
    name: str
    score: str
    standing: str
    remark: str


def rows_of(ranked: Ranked) -> tuple[RankingRow, ...]:
    """Return a row for each entry, best first; those without a place stand last, with the reason."""
    placed = [(place, entry) for place in ranked.places for entry in place.entries]
    name_of = _naming([*(entry for _, entry in placed), *ranked.unranked])
    unplaced = [RankingRow("-", name_of(entry), "", "", reason_unranked(entry, ranked.by)) for entry in ranked.unranked]
    return (*(_row(place, entry, ranked.by, name_of(entry)) for place, entry in placed), *unplaced)


def _naming(entries: Sequence[RankingEntry]) -> Callable[[RankingEntry], str]:
    """Return what gives an entry its name: its case and its target.

    The eval file is told where another has a case of this id, and where results come from if there are several places.
    """
    has_sources = len({entry.source for entry in entries}) > 1
    files_of: dict[str, set[str]] = {}
    for entry in entries:
        files_of.setdefault(entry.result.eval_id, set()).add(entry.result.file)

    def name_of(entry: RankingEntry) -> str:
        result = entry.result
        has_namesake = len(files_of[result.eval_id]) > 1
        name = f"{result.file}: {result.eval_id}" if has_namesake and result.file else result.eval_id
        beside = [result.target or "", entry.source if has_sources else ""]
        told = ", ".join(part for part in beside if part)
        return f"{name} ({told})" if told else name

    return name_of


def _row(place: RankedPlace, entry: RankingEntry, by: By, name: str) -> RankingRow:
    result, card = entry.result, entry.card
    number = f"{place.place}{'=' if place.is_shared else ''}"
    if by == "scorecard" and card is not None:
        return RankingRow(number, name, str(card.final_score), card.grade, _remark(place))
    score = "" if result.score is None else score_words(result.score)
    return RankingRow(number, name, score, state_of(result), _remark(place))


def _remark(place: RankedPlace) -> str:
    """Return how a place came about, where the score alone does not show it."""
    remarks = []
    if place.is_shared:
        remarks.append("equivalent")
    if place.decided_by and place.decided_by not in _MAIN_STEPS:
        remarks.append(f"tie broken by {place.decided_by}")
    return ", ".join(remarks)
