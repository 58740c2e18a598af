"""Rank results by their scores or by their scorecards, and show the step that decided between equal scores."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from rubric_core.grading.results import CaseResult
from rubric_core.report.layout import Column, Family, ReportTable
from rubric_core.report.results.json import exact_fields
from rubric_core.report.results.wording import score_words, state_of
from rubric_core.scoring.ranking import Key, Rank, deciding_step, rank, result_key, scorecard_key

By = Literal["score", "scorecard"]
_MAIN_STEPS = frozenset({"score", "final score"})


@dataclass(frozen=True, slots=True)
class RankingEntry:
    """A result, and where it comes from."""

    source: str
    result: CaseResult


@dataclass(frozen=True, slots=True)
class Ranked:
    """All places, best first, and the entries that cannot be ranked."""

    by: By
    places: tuple[Rank[RankingEntry], ...]
    unranked: tuple[RankingEntry, ...]

    def with_steps(self) -> Iterator[tuple[Rank[RankingEntry], str | None]]:
        """Yield each place with the step that put it behind the one above."""
        above = None
        for place in self.places:
            first = place.entries[0].result
            yield place, None if above is None else _deciding_step(self.by, above, first)
            above = first


def rank_results(entries: Iterable[RankingEntry], by: By | None = None) -> Ranked:
    """Rank results; by their scorecards if each has a graded one and nothing else is asked for."""
    listed = tuple(entries)
    whole = [entry for entry in listed if not entry.result.partial]
    chosen: By = by or ("scorecard" if whole and all(entry.result.card for entry in whole) else "score")
    ranking = rank(listed, lambda entry: _key(entry, chosen))
    return Ranked(chosen, ranking.places, ranking.unranked)


def _key(entry: RankingEntry, by: By) -> Key | None:
    result = entry.result
    if result.partial:
        return None
    if by == "scorecard":
        return None if result.card is None else scorecard_key(result.card)
    return result_key(result.score, result.verdict)


def _deciding_step(by: By, ahead: CaseResult, behind: CaseResult) -> str:
    if by == "scorecard" and ahead.card is not None and behind.card is not None:
        step = deciding_step(ahead.card, behind.card)
        return "" if step is None else step.name
    return "score" if ahead.score != behind.score else "verdict"


def _reason_unranked(entry: RankingEntry, by: By) -> str:
    result = entry.result
    if result.partial and result.error is None:
        return "It is partial: only some criteria were graded."
    if by == "scorecard":
        error = None if result.scorecard is None else result.scorecard.error
        return error or result.error or "It has no scorecard."
    return result.error or "It has no score."


class _Row(NamedTuple):
    """A line of the table; `graded` is the result of an entry that has a place."""

    place: str
    name: str
    remark: str
    graded: CaseResult | None = None


def _rows(ranked: Ranked) -> Iterator[_Row]:
    name_of = _naming([*(entry for place in ranked.places for entry in place.entries), *ranked.unranked])
    for place, step in ranked.with_steps():
        remarks = ["equivalent"] if place.is_shared else []
        if step and step not in _MAIN_STEPS:
            remarks.append(f"tie broken by {step}")
        for entry in place.entries:
            number = f"{place.place}{'=' if place.is_shared else ''}"
            yield _Row(number, name_of(entry), ", ".join(remarks), entry.result)
    for entry in ranked.unranked:
        yield _Row("-", name_of(entry), _reason_unranked(entry, ranked.by))


def _naming(entries: Sequence[RankingEntry]) -> Callable[[RankingEntry], str]:
    """Return the names of an entry: its case and target, and its file and source if others have different ones."""
    has_sources = len({entry.source for entry in entries}) > 1
    files_of: dict[str, set[str]] = {}
    for entry in entries:
        files_of.setdefault(entry.result.eval_id, set()).add(entry.result.file)

    def name_of(entry: RankingEntry) -> str:
        result = entry.result
        has_namesake = len(files_of[result.eval_id]) > 1
        name = f"{result.file}: {result.eval_id}" if has_namesake and result.file else result.eval_id
        beside = ", ".join(part for part in (result.target, entry.source if has_sources else "") if part)
        return f"{name} ({beside})" if beside else name

    return name_of


def _data(ranked: Ranked) -> dict[str, Any]:
    return {
        "by": ranked.by,
        "places": [
            {
                "place": place.place,
                "equivalent": place.is_shared,
                "decided_by": step,
                "entries": [_plain(entry) for entry in place.entries],
            }
            for place, step in ranked.with_steps()
        ],
        "unranked": [{**_plain(entry), "reason": _reason_unranked(entry, ranked.by)} for entry in ranked.unranked],
    }


def _plain(entry: RankingEntry) -> dict[str, Any]:
    result, card = entry.result, entry.result.card
    return {
        "eval_id": result.eval_id,
        "file": result.file,
        "target": result.target,
        "source": entry.source,
        **exact_fields("score", result.score),
        "verdict": None if result.verdict is None else result.verdict.value,
        "final_score": None if card is None else card.final_score,
        "grade": None if card is None else card.grade,
    }


_PLACE, _REMARK = (Column("place", "place"), Column("case", "name")), Column("", "remark")
_COLUMNS = {
    "score": (*_PLACE, Column("score", "graded.score", score_words), Column("verdict", "graded", state_of), _REMARK),
    "scorecard": (
        *_PLACE,
        Column("final score", "graded.card.final_score"),
        Column("grade", "graded.card.grade"),
        _REMARK,
    ),
}
FAMILY = Family(blocks=lambda ranked, _: [ReportTable(_COLUMNS[ranked.by], tuple(_rows(ranked)))], data=_data)
