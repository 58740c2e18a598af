"""A comparison as one JSON object."""

from dataclasses import asdict
from typing import Any

from rubric_core.grading import exact_json
from rubric_core.grading.results import CaseResult
from rubric_core.report.comparison.compared import CasePair, ComparedResults
from rubric_core.report.results.json import decimal_of, exact_fields
from rubric_core.scoring.comparison import METHOD, Interval
from rubric_core.scoring.rubrics import CriterionScore


def render(compared: ComparedResults) -> str:
    """Return everything that is known of a comparison; no list is cut."""
    value = {
        "before": compared.names[0],
        "after": compared.names[1],
        "mean_change": _interval(compared.comparison.interval),
        "regressions": [pair.name for pair in compared.regressions],
        "improvements": [pair.name for pair in compared.improvements],
        "cases": [_pair(pair) for pair in compared.pairs],
        "criteria": [
            {
                "id": each.criterion,
                "cases": each.cases,
                "before": decimal_of(each.before),
                "after": decimal_of(each.after),
                **exact_fields("change", each.change),
            }
            for each in compared.comparison.criteria
        ],
        "scorecards": [
            {
                "eval_id": name,
                "before": {"final_score": before.final_score, "grade": before.grade},
                "after": {"final_score": after.final_score, "grade": after.grade},
                "change": after.final_score - before.final_score,
            }
            for name, before, after in compared.scorecards
        ],
        "partial": [{"eval_id": case, "where": list(where)} for case, where in compared.partial.items()],
        "only_before": list(compared.comparison.only_before),
        "only_after": list(compared.comparison.only_after),
    }
    return f"{exact_json.write(value, indent=2)}\n"


def _interval(interval: Interval | None) -> dict[str, Any] | None:
    return None if interval is None else {**asdict(interval), "direction": interval.direction, "method": METHOD}


def _pair(pair: CasePair) -> dict[str, Any]:
    return {
        "eval_id": pair.name,
        "before": _side(pair.before),
        "after": _side(pair.after),
        **exact_fields("change", pair.change.difference),
        "flip": pair.change.flip,
        "regression": pair.is_regression,
        "criteria": [
            {"id": name, "before": _judged(before), "after": _judged(after)} for name, before, after in pair.moves
        ],
    }


def _side(result: CaseResult) -> dict[str, Any]:
    return {
        **exact_fields("score", result.score),
        "verdict": None if result.verdict is None else result.verdict.value,
        "error": result.error,
    }


def _judged(criterion: CriterionScore) -> dict[str, Any]:
    judged = {"satisfied": criterion.satisfied} if criterion.mode == "checklist" else {"score": criterion.score}
    return {**judged, "gate": criterion.gate}
