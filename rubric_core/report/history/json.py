"""The history of skills as JSON."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from rubric_core.grading.exact_json import write
from rubric_core.grading.result_json import history_to_json
from rubric_core.grading.store.rows import Evaluation, Skill
from rubric_core.report.history.reviewed import Reviewed


def render(skills: Iterable[Skill]) -> str:
    """Return all skills with their newest evaluations."""
    listed = [
        {"skill": skill.name, "evaluations": skill.evaluations, "latest": _plain(skill.latest)} for skill in skills
    ]
    return f"{write({'skills': listed}, indent=2)}\n"


def render_skill(skill: Skill, shown: Iterable[Reviewed]) -> str:
    """Return the last evaluations of a skill, each with what the ones before it say of it."""
    listed = [{**_plain(each.evaluation), "history": history_to_json(each.report)} for each in shown]
    return f"{write({'skill': skill.name, 'total': skill.evaluations, 'evaluations': listed}, indent=2)}\n"


def _plain(evaluation: Evaluation) -> dict[str, Any]:
    return {
        "evaluation_id": evaluation.id,
        "timestamp": evaluation.timestamp,
        "eval_id": evaluation.case_id,
        "file": evaluation.file,
        "judge": None if evaluation.judge is None else asdict(evaluation.judge),
        "dimensions": dict(evaluation.dimensions),
        "composite": evaluation.composite,
        "final_score": evaluation.final_score,
        "grade": evaluation.grade,
    }
