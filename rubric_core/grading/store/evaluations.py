"""The table of evaluations: the history of each skill. One evaluation enters once, however often it is reported."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from rubric_core.grading.store.rows import identity_columns, identity_of, now, storable
from rubric_core.scoring.history import WINDOW

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rubric_core.grading.judges.judge import JudgeIdentity
    from rubric_core.grading.results import CaseResult

_COLUMNS = (
    "skill, id, run, place, timestamp, file, case_id, judge_name, judge_kind, judge_model, "
    "dimensions, composite, final_score, grade"
)
_SELECT = f"SELECT {_COLUMNS} FROM evaluations"  # noqa: S608 - constants.

# The first place counts, whichever of several is judged first.
_ENTER = f"""
    INSERT INTO evaluations ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (skill, id) DO UPDATE
    SET run = excluded.run, place = excluded.place, timestamp = excluded.timestamp,
        file = excluded.file, case_id = excluded.case_id
    WHERE (excluded.run, excluded.place) < (run, place)
"""  # noqa: S608 - the same.


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One graded scorecard in the history of its skill; `run` and `place` are where it was graded first."""

    skill: str
    id: str
    run: int
    place: int
    timestamp: str
    file: str
    case_id: str
    judge: JudgeIdentity | None
    dimensions: Mapping[str, int]
    composite: Decimal
    final_score: Decimal
    grade: str


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill that has a history: how many evaluations, and the newest of them."""

    name: str
    evaluations: int
    latest: Evaluation


def with_skill(result: CaseResult, file: str) -> CaseResult:
    """Return a result whose scorecard has a skill; where the case names none, it is the case in its file.

    `file` is the name that the file has in the store, so that cases of two files never share a history by their ids.
    """
    scorecard = result.scorecard
    if scorecard is None or scorecard.skill:
        return result
    skill = f"{file}:{result.eval_id}" if file else result.eval_id
    return replace(result, scorecard=replace(scorecard, skill=skill))


def enter(connection: sqlite3.Connection, run: int, place: int, file: str, result: CaseResult) -> None:
    """Enter the evaluation of a result, if it has a whole one; one that is known stays where it was graded first."""
    scorecard = result.scorecard
    if scorecard is None or scorecard.score is None or scorecard.evaluation_id is None or result.partial:
        return
    score = scorecard.score
    dimensions = json.dumps({dimension.name: dimension.score for dimension in score.dimensions})
    values = (
        *(scorecard.skill, scorecard.evaluation_id, run, place, result.timestamp or now(), file, result.eval_id),
        *identity_columns(scorecard.judge),
        *(dimensions, str(score.composite), str(score.final_score), score.grade),
    )
    connection.execute(_ENTER, storable(*values))


def before(
    connection: sqlite3.Connection, skill: str, at: tuple[int, int], evaluation_id: str | None
) -> tuple[Evaluation, ...]:
    """Return as many evaluations as are looked at before a run and a place in it, the oldest first.

    A known evaluation is looked at from its own first place.
    """
    known = connection.execute(
        "SELECT run, place FROM evaluations WHERE skill = ? AND id = ?", storable(skill, evaluation_id)
    ).fetchone()
    rows = connection.execute(
        f"{_SELECT} WHERE skill = ? AND (run, place) < (?, ?) ORDER BY run DESC, place DESC LIMIT ?",
        (*storable(skill), *(known or at), WINDOW),
    )
    return _oldest_first(rows)


def last_of(connection: sqlite3.Connection, skill: str, most: int) -> tuple[Evaluation, ...]:
    """Return the last evaluations of a skill, the oldest first."""
    rows = connection.execute(
        f"{_SELECT} WHERE skill = ? ORDER BY run DESC, place DESC LIMIT ?", (*storable(skill), most)
    )
    return _oldest_first(rows)


def skills(connection: sqlite3.Connection) -> tuple[Skill, ...]:
    """Return all skills by name."""
    counts = connection.execute("SELECT skill, count(*) FROM evaluations GROUP BY skill ORDER BY skill").fetchall()
    return tuple(Skill(name, count, last_of(connection, name, 1)[0]) for name, count in counts)


def _oldest_first(rows: sqlite3.Cursor) -> tuple[Evaluation, ...]:
    return tuple(_evaluation(row) for row in reversed(rows.fetchall()))


def _evaluation(row: tuple[Any, ...]) -> Evaluation:
    *entry, name, kind, model, dimensions, composite, final_score, grade = row
    try:
        entry += [identity_of(name, kind, model), _scores(dimensions), _number(composite), _number(final_score), grade]
    except (ValueError, TypeError, InvalidOperation) as error:
        # Nobody but this module writes here, so the database is no longer what it was.
        raise sqlite3.DatabaseError("malformed evaluation, a score that cannot be read") from error
    return Evaluation(*entry)


def _scores(text: str) -> dict[str, int]:
    scores = json.loads(text)
    if not isinstance(scores, dict) or not all(type(score) is int for score in scores.values()):
        raise ValueError
    return scores


def _number(text: str) -> Decimal:
    number = Decimal(text)
    if not number.is_finite():
        raise ValueError
    return number
