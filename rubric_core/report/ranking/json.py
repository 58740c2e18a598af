"""A ranking as one JSON object."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from rubric_core.grading import exact_json
from rubric_core.report.ranking.ranked import reason_unranked
from rubric_core.scoring.exact import decimal_text, fraction_text

if TYPE_CHECKING:
    from rubric_core.report.ranking.ranked import Ranked, RankingEntry


def render(ranked: Ranked) -> str:
    """Return the places with all that is on them, and what has no place."""
    value = {
        "by": ranked.by,
        "places": [
            {
                "place": place.place,
                "equivalent": place.is_shared,
                "decided_by": place.decided_by,
                "entries": [_entry(entry) for entry in place.entries],
            }
            for place in ranked.places
        ],
        "unranked": [{**_entry(entry), "reason": reason_unranked(entry, ranked.by)} for entry in ranked.unranked],
    }
    return f"{exact_json.write(value, indent=2)}\n"


def _entry(entry: RankingEntry) -> dict[str, Any]:
    result, card = entry.result, entry.card
    score = result.score
    return {
        "eval_id": result.eval_id,
        "file": result.file,
        "target": result.target,
        "source": entry.source,
        "score": None if score is None else Decimal(decimal_text(score)),
        "score_exact": None if score is None else fraction_text(score),
        "verdict": None if result.verdict is None else result.verdict.value,
        "final_score": None if card is None else card.final_score,
        "grade": None if card is None else card.grade,
    }
