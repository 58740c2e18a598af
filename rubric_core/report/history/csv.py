"""The history of skills for spreadsheets."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from rubric_core.grading.store.rows import Skill
from rubric_core.report.history.reviewed import Reviewed
from rubric_core.schema.scorecards import DIMENSIONS

_SKILL_COLUMNS = ("skill", "evaluations", "timestamp", "final_score", "grade")
_COLUMNS = ("timestamp", "eval_id", "file", "judge", "model", "composite", "final_score", "grade")


def render(skills: Iterable[Skill]) -> str:
    """Return a row for each skill."""
    rows = (
        (skill.name, skill.evaluations, skill.latest.timestamp, skill.latest.final_score, skill.latest.grade)
        for skill in skills
    )
    return _written([_SKILL_COLUMNS, *rows])


def render_skill(_skill: Skill, shown: Iterable[Reviewed]) -> str:
    """Return a row for each evaluation; `review` names the dimensions that want one."""
    return _written([(*_COLUMNS, *DIMENSIONS, "review"), *(_row(each) for each in shown)])


def _row(each: Reviewed) -> Sequence[object]:
    one = each.evaluation
    return (
        *(one.timestamp, one.case_id, one.file),
        *((one.judge.name, one.judge.model) if one.judge else (None, None)),
        *(one.composite, one.final_score, one.grade),
        *(one.dimensions[name] for name in DIMENSIONS),
        " ".join(each.report.flags),
    )


def _written(rows: Iterable[Sequence[object]]) -> str:
    stream = StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()
