"""A ranking as rows, for the terminal and for Markdown alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rubric_core.report.ranking.ranked import reason_unranked
from rubric_core.report.results.summary import state_of
from rubric_core.report.results.wording import score_words

if TYPE_CHECKING:
    from rubric_core.report.ranking.ranked import By, Entry, Ranked, RankedPlace

HEADINGS = {
    "score": ("Place", "Case", "Score", "Verdict", ""),
    "scorecard": ("Place", "Case", "Final score", "Grade", ""),
}
_MAIN_STEPS = frozenset({"score", "final score"})


class Row(NamedTuple):
    """One entry of a ranking in words."""

    place: str
    name: str
    score: str
    standing: str
    remark: str


def rows_of(ranked: Ranked) -> tuple[Row, ...]:
    """Return a row for each entry, best first; those without a place stand last, with the reason."""
    placed = [(place, entry) for place in ranked.places for entry in place.entries]
    several = len({entry.source for _, entry in placed} | {entry.source for entry in ranked.unranked}) > 1
    unplaced = [
        Row("-", name_of(entry, show_source=several), "", "", reason_unranked(entry, ranked.by))
        for entry in ranked.unranked
    ]
    return (*(_row(place, entry, ranked.by, show_source=several) for place, entry in placed), *unplaced)


def name_of(entry: Entry, *, show_source: bool) -> str:
    """Return what an entry is called: its case, its target, and where it comes from if there are several places."""
    beside = [entry.result.target or "", entry.source if show_source else ""]
    told = ", ".join(part for part in beside if part)
    return f"{entry.result.eval_id} ({told})" if told else entry.result.eval_id


def _row(place: RankedPlace, entry: Entry, by: By, *, show_source: bool) -> Row:
    result, card = entry.result, entry.card
    number = f"{place.place}{'=' if place.is_shared else ''}"
    name = name_of(entry, show_source=show_source)
    if by == "scorecard" and card is not None:
        return Row(number, name, str(card.final_score), card.grade, _remark(place))
    score = "" if result.score is None else score_words(result.score)
    return Row(number, name, score, state_of(result), _remark(place))


def _remark(place: RankedPlace) -> str:
    """Return how a place came about, where the score alone does not show it."""
    remarks = []
    if place.is_shared:
        remarks.append("equivalent")
    if place.decided_by and place.decided_by not in _MAIN_STEPS:
        remarks.append(f"tie broken by {place.decided_by}")
    return ", ".join(remarks)
