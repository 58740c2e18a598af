"""`rubric/graded`: notify the client of each result, with its ranges in the text."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from rubric_core.assist.case_grades import CaseGrade, CasePlace, CriterionGrade, CriterionKey, place_of_case
from rubric_core.grading.exact_json import write
from rubric_core.grading.result_json import to_json as result_to_json
from rubric_core.grading.results import CaseResult
from rubric_core.report.results.wording import short_score, state_of
from rubric_core.scoring.rubrics import CriterionScore
from rubric_core.text.spans import Span
from rubric_server.app import REFRESHES, RubricServer
from rubric_server.convert import range_of
from rubric_server.documents import Analysed
from rubric_server.features.diagnostics import update_diagnostics
from rubric_server.protocol.converter import JsonText, members, to_json

METHOD = "rubric/graded"


def grade_of(result: CaseResult, graded: CasePlace | None) -> CaseGrade:
    """Return the grade of a result. `graded` is the place of the case in the graded text."""
    scorecard = result.scorecard.score if result.scorecard is not None else None
    return CaseGrade(
        case_id=result.eval_id,
        state=state_of(result),
        score="" if result.score is None else short_score(result.score),
        grade="" if scorecard is None else scorecard.grade,
        error=result.error or "",
        when=_local(result.timestamp),
        criteria=tuple(
            _criterion(CriterionKey(part.name, criterion.id), criterion, graded)
            for evaluator in result.evaluators
            for part in evaluator.parts
            for criterion in part.criteria
        ),
        copy_of=result.copy_of,
    )


def _local(timestamp: str) -> str:
    """Return the time of a result, which is in UTC, in the local time zone."""
    try:
        return datetime.fromisoformat(timestamp).astimezone().isoformat()
    except ValueError:
        return ""


def _criterion(key: CriterionKey, score: CriterionScore, graded: CasePlace | None) -> CriterionGrade:
    place = graded.criteria.get(key) if graded is not None else None
    score_text = f"{score.score} of 10" if score.score is not None else "met" if score.satisfied else "not met"
    failed = score.gate == "failed"
    return CriterionGrade(
        key,
        score_text,
        is_met=not failed and score.satisfied is not False,
        gate_failed=failed,
        reasoning=score.reasoning,
        # If the criterion was edited during the grading, a text that no criterion has, so that nothing is shown.
        text=place.text if place is not None else "\0",
    )


def notify_case(
    server: RubricServer, about: dict[str, Any], open_file: Analysed | None, result: CaseResult, grade: CaseGrade
) -> None:
    """Store a grade, show it in the text, and send it to the client."""
    uri = about["uri"]
    server.grades.take(uri, grade, is_partial=result.partial)
    place = place_of_case(open_file.analysis, result.test_id) if open_file is not None else None
    if open_file is not None:
        update_diagnostics(server, open_file.document)
        server.refresh(*REFRESHES)
    if not server.client.graded:
        return

    def at(span: Span | None) -> Any:
        if span is None or open_file is None:
            return None
        return to_json(range_of(open_file.document.text, span, server.client.encoding))

    criteria = [
        {
            **members(verdict.key, "id", "evaluator"),
            "range": at(
                place.criteria[verdict.key].span if place is not None and verdict.key in place.criteria else None
            ),
            **members(verdict, "said", "is_met", "gate_failed", "reasoning"),
        }
        for verdict in grade.criteria
    ]
    case = {
        **members(grade, "case_id", "test_id", "state", "score", "grade"),
        "range": at(place.id_span if place is not None else None),
        "error": grade.error or None,
        "criteria": criteria,
        "result": result_to_json(result),
    }
    # The ranges are those of this version of the text, which may have changed since the grading.
    text_version = open_file.document.version if open_file is not None else None
    _send(server, {**about, "textVersion": text_version, "state": "running", "cases": [case]})


def notify_end(server: RubricServer, about: dict[str, Any], state: str) -> None:
    """Notify the client that a grading is over, and how it ended."""
    if server.client.graded:
        _send(server, {**about, "state": state, "cases": []})


def _send(server: RubricServer, params: dict[str, Any]) -> None:
    # Scores are exact decimals, which the JSON module of Python does not support.
    server.protocol.notify(METHOD, JsonText(write(params)))
