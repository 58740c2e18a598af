"""The rows of the store as objects, and objects as rows."""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import astuple, dataclass, replace
from datetime import datetime, timezone
from decimal import Decimal, InvalidOperation
from typing import Any

from rubric_core.grading import exact_json
from rubric_core.grading.judges.judge import JudgeIdentity, Judgement
from rubric_core.grading.result_json import from_json
from rubric_core.grading.results import CaseResult

Value = str | int | None


@dataclass(frozen=True, slots=True)
class Run:
    """One run: `kept` of `total` results are in the store. `ended` is None while it runs, and if it was killed."""

    id: int
    command: str
    judge: JudgeIdentity | None
    total: int
    kept: int
    began: str
    ended: str | None
    finished: bool


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


def storable(values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return values that SQLite accepts: a lone surrogate is no text, and is written as JSON escapes it."""
    return tuple(
        each.encode("utf-8", "backslashreplace").decode() if isinstance(each, str) else each for each in values
    )


def now() -> str:
    """Return the time as results write it."""
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def judge_columns(judge: JudgeIdentity | None) -> tuple[str | None, ...]:
    """Return the name, the kind and the model of a judge."""
    return (None, None, None) if judge is None else astuple(judge)


def judge_of(name: str | None, kind: str | None, model: str | None) -> JudgeIdentity | None:
    """Return the judge of three columns."""
    return None if name is None else JudgeIdentity(name, kind or "", model)


def judgement_row(judgement: Judgement, file: str) -> tuple[Value, ...]:
    """Return the columns of a judgement; `file` is the name that its file has in the store."""
    columns = astuple(replace(judgement, file=file))
    return (*columns[:6], *columns[6], *columns[7:])


def judgement_of(*row: Any) -> Judgement:
    """Return the judgement of a row."""
    columns = [*row[:6], JudgeIdentity(*row[6:9]), *row[9:]]
    return Judgement(*columns)


def run_of(*row: Any) -> Run:
    """Return the run of a row."""
    columns = [*row[:2], judge_of(*row[2:5]), *row[5:9], bool(row[9])]
    return Run(*columns)


def result_of(text: str) -> CaseResult:
    """Return a result from its JSON. Raises sqlite3.DatabaseError: what nobody else writes is damaged."""
    try:
        return from_json(exact_json.read(text))
    except ValueError as error:
        raise sqlite3.DatabaseError(f"malformed result, {error}") from error


def evaluation_row(run: int, place: int, file: str, result: CaseResult) -> tuple[Value, ...] | None:
    """Return the columns of the evaluation in a result; None where it has no complete one."""
    scorecard = result.scorecard
    if scorecard is None or scorecard.score is None or scorecard.evaluation_id is None or result.partial:
        return None
    score = scorecard.score
    dimensions = json.dumps({dimension.name: dimension.score for dimension in score.dimensions})
    return (
        *(scorecard.skill, scorecard.evaluation_id, run, place, result.timestamp or now(), file, result.eval_id),
        *judge_columns(scorecard.judge),
        *(dimensions, str(score.composite), str(score.final_score), score.grade),
    )


def evaluation_of(*row: Any) -> Evaluation:
    """Return the evaluation of a row. Raises sqlite3.DatabaseError where its scores are damaged."""
    try:
        scores = json.loads(row[10])
        numbers = [Decimal(row[11]), Decimal(row[12])]
        is_sound = all(type(each) is int for each in scores.values()) and all(map(Decimal.is_finite, numbers))
    except (ValueError, TypeError, AttributeError, InvalidOperation):
        is_sound = False
    if not is_sound:
        raise sqlite3.DatabaseError("malformed evaluation, a score that cannot be read")
    columns = [*row[:7], judge_of(*row[7:10]), scores, *numbers, row[13]]
    return Evaluation(*columns)
