"""Rank results by their scores or by their scorecards, and show what told equal scores apart."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rubric_core.grading import exact_json
from rubric_core.grading.results import CaseResult
from rubric_core.report.results import markdown_text
from rubric_core.report.results.json import exact_fields
from rubric_core.report.results.summary import state_of
from rubric_core.report.results.wording import score_words
from rubric_core.scoring.ranking import Key, deciding_step, rank, result_key, scorecard_key
from rubric_core.scoring.scorecards import ScorecardScore
from rubric_core.terminal.display import PIPE, Page

By = Literal["score", "scorecard"]
_HEADINGS = {
    "score": ("Place", "Case", "Score", "Verdict", ""),
    "scorecard": ("Place", "Case", "Final score", "Grade", ""),
}
_MAIN_STEPS = frozenset({"score", "final score"})


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
        """Return whether several are on this place."""
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
    ranking = rank(listed, lambda entry: _key(entry, chosen))
    places: list[RankedPlace] = []
    for each in ranking.places:
        step = _deciding_step(chosen, places[-1].entries[0], each.entries[0]) if places else None
        places.append(RankedPlace(each.place, each.entries, step))
    return Ranked(chosen, tuple(places), ranking.unranked)


def _key(entry: RankingEntry, by: By) -> Key | None:
    if entry.result.partial:
        return None
    if by == "scorecard":
        return None if entry.card is None else scorecard_key(entry.card)
    return result_key(entry.result.score, entry.result.verdict)


def _deciding_step(by: By, ahead: RankingEntry, behind: RankingEntry) -> str:
    if by == "scorecard" and ahead.card is not None and behind.card is not None:
        step = deciding_step(ahead.card, behind.card)
        return "" if step is None else step.name
    return "score" if ahead.result.score != behind.result.score else "verdict"


def _reason_unranked(entry: RankingEntry, by: By) -> str:
    result = entry.result
    if result.partial and result.error is None:
        return "It is partial: only some criteria were graded."
    if by == "scorecard":
        error = None if result.scorecard is None else result.scorecard.error
        return error or result.error or "It has no scorecard."
    return result.error or "It has no score."


def rows_of(ranked: Ranked) -> Iterator[tuple[str, ...]]:
    """Yield place, name, score, verdict or grade, and remark of each entry; the unranked come last."""
    placed = [(place, entry) for place in ranked.places for entry in place.entries]
    name_of = _naming([*(entry for _, entry in placed), *ranked.unranked])
    for place, entry in placed:
        result, card = entry.result, entry.card
        number = f"{place.place}{'=' if place.is_shared else ''}"
        if ranked.by == "scorecard" and card is not None:
            graded = (str(card.final_score), card.grade)
        else:
            graded = ("" if result.score is None else score_words(result.score), state_of(result))
        yield number, name_of(entry), *graded, _remark(place)
    for entry in ranked.unranked:
        yield "-", name_of(entry), "", "", _reason_unranked(entry, ranked.by)


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
        beside = ", ".join(part for part in (result.target, entry.source if has_sources else "") if part)
        return f"{name} ({beside})" if beside else name

    return name_of


def _remark(place: RankedPlace) -> str:
    """Return how a place came about, where the score alone does not show it."""
    remarks = ["equivalent"] if place.is_shared else []
    if place.decided_by and place.decided_by not in _MAIN_STEPS:
        remarks.append(f"tie broken by {place.decided_by}")
    return ", ".join(remarks)


def render_text(ranked: Ranked, *, page: Page = PIPE) -> str:
    """Return a table for a terminal."""
    from rubric_core.terminal.drawing import draw, table, text  # noqa: PLC0415 - only this format is drawn.

    drawn = table(*(heading.lower() for heading in _HEADINGS[ranked.by]))
    for row in rows_of(ranked):
        drawn.add_row(*map(text, row))
    return draw(drawn, page)


def render_markdown(ranked: Ranked) -> str:
    """Return a Markdown table."""
    rows = (map(markdown_text.inline, row) for row in rows_of(ranked))
    lines = markdown_text.table(f"| {' | '.join(_HEADINGS[ranked.by])} |", rows)
    return "".join(f"{line}\n" for line in lines)


def render_json(ranked: Ranked) -> str:
    """Return the places with all that is on them, and what has no place."""
    value = {
        "by": ranked.by,
        "places": [
            {
                "place": place.place,
                "equivalent": place.is_shared,
                "decided_by": place.decided_by,
                "entries": [_plain(entry) for entry in place.entries],
            }
            for place in ranked.places
        ],
        "unranked": [{**_plain(entry), "reason": _reason_unranked(entry, ranked.by)} for entry in ranked.unranked],
    }
    return f"{exact_json.write(value, indent=2)}\n"


def _plain(entry: RankingEntry) -> dict[str, Any]:
    result, card = entry.result, entry.card
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
