"""The scores of scorecards and the past of their skills as JSON, written and read without loss."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_core.scoring.history import DimensionHistory, HistoryReport
from rubric_core.scoring.scorecards import Adjustment, DimensionScore, ScorecardScore

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rubric_core.grading.json_fields import Fields

_NO_SCORE: Mapping[str, Any] = {
    "dimensions": {},
    "composite": None,
    "deductions": [],
    "deduction_total": None,
    "adjusted": None,
    "bonuses": [],
    "bonus_total": None,
    "final_score": None,
    "grade": None,
    "label": None,
    "description": None,
    "overall_reasoning": "",
}


def scorecard_to_json(score: ScorecardScore | None) -> dict[str, Any]:
    """Return the score of a scorecard as plain data. Without a score the fields are there, and empty."""
    if score is None:
        return dict(_NO_SCORE)
    return {
        "dimensions": {
            dimension.name: {"score": dimension.score, "weight": dimension.weight, "reasoning": dimension.reasoning}
            for dimension in score.dimensions
        },
        "composite": score.composite,
        "deductions": [_adjustment_to_json(each) for each in score.deductions],
        "deduction_total": score.deduction_total,
        "adjusted": score.adjusted,
        "bonuses": [_adjustment_to_json(each) for each in score.bonuses],
        "bonus_total": score.bonus_total,
        "final_score": score.final_score,
        "grade": score.grade,
        "label": score.label,
        "description": score.description,
        "overall_reasoning": score.overall_reasoning,
    }


def history_to_json(history: HistoryReport) -> dict[str, Any]:
    """Return the past of a skill as plain data."""
    return {
        "skill": history.skill,
        "evaluations": history.evaluations,
        "dimensions": {
            dimension.name: {
                "score": dimension.score,
                "mean": dimension.mean,
                "standard_deviation": dimension.standard_deviation,
                "deviation": dimension.deviation,
                "flagged": dimension.flagged,
            }
            for dimension in history.dimensions
        },
        "flags": list(history.flags),
    }


def read_scorecard(fields: Fields) -> ScorecardScore | None:
    """Return the score that `scorecard_to_json` wrote. Raises ValueError with one sentence that names the field."""
    if fields.optional_number("final_score") is None:
        return None
    return ScorecardScore(
        dimensions=tuple(
            DimensionScore(name, each.integer("score"), each.number("weight"), each.text("reasoning", ""))
            for name, each in fields.named("dimensions")
        ),
        composite=fields.number("composite"),
        deductions=_read_adjustments(fields, "deductions"),
        deduction_total=fields.number("deduction_total"),
        adjusted=fields.number("adjusted"),
        bonuses=_read_adjustments(fields, "bonuses"),
        bonus_total=fields.number("bonus_total"),
        final_score=fields.number("final_score"),
        grade=fields.text("grade"),
        label=fields.text("label"),
        overall_reasoning=fields.text("overall_reasoning", ""),
    )


def read_history(fields: Fields | None) -> HistoryReport | None:
    """Return the past of a skill that `history_to_json` wrote."""
    if fields is None:
        return None
    return HistoryReport(
        fields.text("skill"),
        fields.integer("evaluations"),
        tuple(
            DimensionHistory(
                name=name,
                score=each.integer("score"),
                mean=each.number("mean"),
                standard_deviation=each.number("standard_deviation"),
                deviation=each.number("deviation"),
                flagged=each.boolean("flagged"),
            )
            for name, each in fields.named("dimensions")
        ),
    )


def _adjustment_to_json(adjustment: Adjustment) -> dict[str, Any]:
    return {
        "id": adjustment.id,
        "amount": adjustment.amount,
        "outcome": adjustment.outcome,
        "explanation": adjustment.explanation,
    }


def _read_adjustments(fields: Fields, name: str) -> tuple[Adjustment, ...]:
    return tuple(
        Adjustment(each.text("id"), each.number("amount"), each.text("outcome", ""), each.text("explanation", ""))
        for each in fields.objects(name)
    )
