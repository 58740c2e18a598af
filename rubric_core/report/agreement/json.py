"""All digits, for machines."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

from rubric_core.grading.exact_json import write
from rubric_core.report.agreement.agreements import ENOUGH
from rubric_core.scoring.exact import decimal_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from rubric_core.report.agreement.agreements import JudgeAgreement
    from rubric_core.scoring.agreement import Agreement


def render(judges: Sequence[JudgeAgreement]) -> str:
    """Return the agreement of each judge with all digits."""
    return f"{write({'judges': [_judge_to_json(each) for each in judges]}, indent=2)}\n"


def _judge_to_json(each: JudgeAgreement) -> dict[str, Any]:
    judge = each.judge
    return {
        "judge": {"name": judge.name, "kind": judge.kind, "model": judge.model},
        "pairs": each.pairs,
        "enough": each.pairs >= ENOUGH,
        "checklist": None if each.checklist is None else _agreement_to_json(each.checklist),
        "scores": None if each.scores is None else _agreement_to_json(each.scores),
        "criteria": [
            {
                "evaluator": one.evaluator,
                "id": one.criterion,
                "mode": "score-range" if one.has_scores else "checklist",
                "cases": one.cases,
                **_agreement_to_json(one.agreement),
            }
            for one in each.criteria
        ],
    }


def _agreement_to_json(agreement: Agreement) -> dict[str, Any]:
    return {
        "pairs": agreement.pairs,
        "agreement": _number(agreement.raw),
        "kappa": _number(agreement.kappa),
        "weighted_kappa": _number(agreement.weighted_kappa),
    }


def _number(value: Fraction | None) -> Decimal | None:
    return None if value is None else Decimal(decimal_text(value))
