"""The store of a project: judgements, runs, results, and the history of its skills."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, replace
from datetime import datetime, timezone
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

from rubric_core.grading import exact_json
from rubric_core.grading.judges.judge import JudgeIdentity, Judgement
from rubric_core.grading.result_json import from_json, stored_line
from rubric_core.grading.results import (
    MOST_CHARTED,
    CaseKey,
    CaseResult,
    Evaluation,
    PastScore,
    ResultHistory,
    Run,
    Skill,
)
from rubric_core.grading.store.database import connect, sqlite_failures, transaction
from rubric_core.grading.store.pairs import JUDGED, PairedJudgement, pair_judgements
from rubric_core.grading.workspace import DATABASE, find_folder, prepare_database
from rubric_core.scoring.scorecards import WINDOW, history_report

_Value = str | int | None
Made = TypeVar("Made")

_JUDGEMENT = (
    "id, key, kind, file, case_id, evaluator, judge_name, judge_kind, judge_model, "
    "prompt_hash, answer_hash, text, sample"
)
_RUNS = """
    SELECT id, command, judge_name, judge_kind, judge_model, total,
        (SELECT count(*) FROM results WHERE run = runs.id), began, ended, finished
    FROM runs
"""
# Looking from the newest run backwards ends early, and needs no index that each result would have to enter.
_LATEST_RUN = f"""
    {_RUNS}
    WHERE EXISTS (
        SELECT * FROM results WHERE run = runs.id AND (case_id = ?1 OR ?1 IS NULL)
        AND (?2 = '[]' OR file IN (SELECT value FROM json_each(?2)))
    )
    ORDER BY id DESC LIMIT 1
"""  # noqa: S608 - constants.
_SCORES = """
    SELECT file, case_id, json_extract(result, '$.timestamp'), json_extract(result, '$.score_exact') FROM results
    WHERE file IN (SELECT value FROM json_each(?)) AND NOT has_error AND NOT json_extract(result, '$.partial')
    ORDER BY number DESC
"""
# Results of some criteria alone do not count.
_LAST_RESULTS = """
    SELECT result FROM results WHERE number IN (
        SELECT max(number) FROM results WHERE file = ? AND NOT json_extract(result, '$.partial') GROUP BY case_id
    )
"""
_EVALUATION = (
    "skill, id, run, place, timestamp, file, case_id, judge_name, judge_kind, judge_model, "
    "dimensions, composite, final_score, grade"
)
_EVALUATIONS = f"SELECT {_EVALUATION} FROM evaluations WHERE skill = ?"  # noqa: S608 - the same.
_NEWEST_FIRST = "ORDER BY run DESC, place DESC LIMIT ?"
# One evaluation enters once, however often it is reported. The first place counts, whichever is judged first.
_ENTER_EVALUATION = f"""
    INSERT INTO evaluations ({_EVALUATION}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (skill, id) DO UPDATE
    SET run = excluded.run, place = excluded.place, timestamp = excluded.timestamp,
        file = excluded.file, case_id = excluded.case_id
    WHERE (excluded.run, excluded.place) < (run, place)
"""  # noqa: S608 - the same.


class Store:
    """A store that is open. It belongs to the thread that opened it; several processes may share what is on the disk.

    Everything is on the disk when the call that keeps it returns. Every method raises CannotGrade where the database
    fails; what was kept before stays kept. Files are known by their path in the project, so that a project can move.
    `at` returns the folder of the store for a place in a project.
    """

    at = staticmethod(find_folder)

    def __init__(self, connection: sqlite3.Connection, database: Path) -> None:
        self.database = database
        self._project = os.path.join(database.parent.parent, "")  # noqa: PTH118 - with the separator at its end.
        self._connection = connection

    @classmethod
    def open(cls, folder: Path) -> Store:
        """Open the store in a folder, and create it where there is none. Raises CannotGrade."""
        database = prepare_database(folder)
        with sqlite_failures(database):
            return cls(connect(database), database)

    @classmethod
    def open_existing(cls, folder: Path) -> Store | None:
        """Open the store in a folder; return None where there is none. Raises CannotGrade."""
        return cls.open(folder) if (folder / DATABASE).exists() else None

    def close(self) -> None:
        """Close the database."""
        with sqlite_failures(self.database):
            self._connection.close()

    def __enter__(self) -> Store:  # noqa: PYI034 - `Self` is not in the library of Python 3.10.
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, key: str) -> Judgement | None:
        """Return the newest judgement stored under a key."""
        # Judging once more on request replaces what is cached.
        newest = f"SELECT {_JUDGEMENT} FROM judgements WHERE key = ? ORDER BY number DESC LIMIT 1"  # noqa: S608 - constants.
        return self._first(_judgement_of, newest, key)

    def put(self, judgement: Judgement) -> None:
        """Store a judgement at once; one whose id is stored already is ignored."""
        insert = f"INSERT OR IGNORE INTO judgements ({_JUDGEMENT}) VALUES ({', '.join('?' * 13)})"  # noqa: S608 - the same.
        columns = astuple(replace(judgement, file=self._name_of(judgement.file)))
        self._write(insert, *columns[:6], *columns[6], *columns[7:])

    def begin_run(self, command: str, judge: JudgeIdentity | None, total: int) -> int:
        """Enter a run of `total` cases and return its id. `command` is how the user asked for it."""
        insert = (
            "INSERT INTO runs (command, judge_name, judge_kind, judge_model, total, began) VALUES (?, ?, ?, ?, ?, ?)"
        )
        return self._write(insert, command, *_judge_columns(judge), total, _now())

    def keep_result(self, run: int, place: int, result: CaseResult) -> CaseResult:
        """Keep the result of a place in a run at once, and its evaluation in the history of its skill; return it.

        It is not compared with history yet: while cases are judged at the same time, earlier ones may be missing. A
        scorecard without a skill gets the key under which its history is kept: the case in its file.
        """
        file = self._name_of(result.file)
        scorecard = result.scorecard
        if scorecard is not None and not scorecard.skill:
            skill = f"{file}:{result.eval_id}" if file else result.eval_id
            result = replace(result, scorecard=replace(scorecard, skill=skill))
        # A scorecard in error leaves the verdict as it is, but is still to be judged.
        has_error = result.error is not None or (scorecard is not None and scorecard.error is not None)
        with sqlite_failures(self.database), transaction(self._connection):
            self._write(
                "INSERT OR REPLACE INTO results (run, place, file, case_id, fingerprint, has_error, result) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                *(run, place, file, result.eval_id, result.fingerprint, has_error, stored_line(result)),
            )
            evaluation = _evaluation_row(run, place, file, result)
            if evaluation is not None:
                self._write(_ENTER_EVALUATION, *evaluation)
        return result

    def end_run(self, run: int, *, finished: bool) -> None:
        """Enter that a run has ended, and whether it did all that it was asked to."""
        self._write("UPDATE runs SET ended = ?, finished = ? WHERE id = ?", _now(), finished, run)

    def runs(self) -> tuple[Run, ...]:
        """Return all runs, the newest first."""
        return self._read(_run_of, f"{_RUNS} ORDER BY id DESC")

    def latest_run(self, files: Iterable[str] = (), case_id: str | None = None) -> Run | None:
        """Return the newest run that has a result: of one of these files and of this case, where they are named."""
        names = json.dumps([self._name_of(file) for file in files])
        return self._first(_run_of, _LATEST_RUN, case_id, names)

    def results_of(self, run: int) -> tuple[CaseResult, ...]:
        """Return the results of a run in the order of their places."""
        return self._read(_result_of, "SELECT result FROM results WHERE run = ? ORDER BY place", run)

    def last_results(self, file: str) -> tuple[CaseResult, ...]:
        """Return the newest result of each case of a file."""
        return self._read(_result_of, _LAST_RESULTS, self._name_of(file))

    def finished(self, fingerprint: str) -> CaseResult | None:
        """Return the newest result with a fingerprint, unless there is none without an error."""
        newest = "SELECT result FROM results WHERE fingerprint = ? AND NOT has_error ORDER BY number DESC LIMIT 1"
        return self._first(_result_of, newest, fingerprint) if fingerprint else None

    def settle_history(self, run: int, results: Mapping[int, CaseResult] | None = None) -> tuple[CaseResult, ...]:
        """Compare each result of a run with the evaluations before it, and return all in the order of their places.

        Call it when all results are kept; calling it again, or later, does the same. `results` need not be read again.
        """
        known = results or {}

        def result_at(place: int, text: str) -> tuple[int, CaseResult]:
            return place, known[place] if place in known else _result_of(text)

        with sqlite_failures(self.database), transaction(self._connection):
            stored = self._read(result_at, "SELECT place, result FROM results WHERE run = ? ORDER BY place", run)
            settled = tuple(self._compared(run, place, result) for place, result in stored)
            for (place, before), after in zip(stored, settled, strict=True):
                if after != before:
                    update = "UPDATE results SET result = ? WHERE run = ? AND place = ?"
                    self._write(update, stored_line(after), run, place)
        return settled

    def history_of(self, skill: str, most: int) -> tuple[Evaluation, ...]:
        """Return the last evaluations of a skill, the oldest first."""
        return self._read(_evaluation_of, f"{_EVALUATIONS} {_NEWEST_FIRST}", skill, most)[::-1]

    def result_history(self, shown: Sequence[CaseResult]) -> ResultHistory:
        """Return the last evaluations of the skills and the last scores of the cases that results name."""
        names = {result.file: self._name_of(result.file) for result in shown}
        skills = dict.fromkeys(result.scorecard.skill for result in shown if result.scorecard is not None)
        scores: dict[tuple[str, str], list[PastScore]] = {}
        for file, case_id, timestamp, score in self._read(_columns, _SCORES, json.dumps(list(set(names.values())))):
            past = scores.setdefault((file, case_id), [])
            if score is not None and len(past) < MOST_CHARTED:
                past.insert(0, PastScore(timestamp, Fraction(score)))
        keys = [CaseKey(result.file, result.eval_id) for result in shown]
        return ResultHistory(
            {skill: self.history_of(skill, MOST_CHARTED) for skill in skills},
            {key: tuple(scores.get((names[key.file], key.case_id), ())) for key in keys},
        )

    def skills(self) -> tuple[Skill, ...]:
        """Return all skills that have a history, by name."""
        counts = self._read(_columns, "SELECT skill, count(*) FROM evaluations GROUP BY skill ORDER BY skill")
        return tuple(Skill(name, count, self.history_of(name, 1)[0]) for name, count in counts)

    def paired_judgements(self, paths: Iterable[str] = ()) -> tuple[PairedJudgement, ...]:
        """Return the judgements of a person and of another judge on the same criterion and answer, of some paths."""
        pairs = pair_judgements(self._read(_columns, JUDGED))
        requested = [os.path.abspath(path) for path in paths]  # noqa: PTH100 - `Path.absolute` keeps `..`.
        project = self.database.parent.parent
        return tuple(
            pair
            for pair in pairs
            if not requested or any((project / pair.subject.file).is_relative_to(path) for path in requested)
        )

    def _compared(self, run: int, place: int, result: CaseResult) -> CaseResult:
        """Return a result with its scorecard compared with the ones before it, a known one from its first place."""
        scorecard = result.scorecard
        if scorecard is None or scorecard.score is None:
            return result
        query = "SELECT run, place FROM evaluations WHERE skill = ? AND id = ?"
        at = self._first(_columns, query, scorecard.skill, scorecard.evaluation_id) or (run, place)
        before = f"{_EVALUATIONS} AND (run, place) < (?, ?) {_NEWEST_FIRST}"
        earlier = self._read(_evaluation_of, before, scorecard.skill, *at, WINDOW)[::-1]
        current = {dimension.name: dimension.score for dimension in scorecard.score.dimensions}
        history = history_report(scorecard.skill, current, [evaluation.dimensions for evaluation in earlier])
        return replace(result, scorecard=replace(scorecard, history=history))

    def _read(self, make: Callable[..., Made], statement: str, *values: _Value) -> tuple[Made, ...]:
        with sqlite_failures(self.database):
            return tuple(make(*row) for row in self._connection.execute(statement, _storable(values)))

    def _first(self, make: Callable[..., Made], statement: str, *values: _Value) -> Made | None:
        return next(iter(self._read(make, statement, *values)), None)

    def _write(self, statement: str, *values: _Value) -> int:
        """Change the database and return the number of the row that was inserted last."""
        with sqlite_failures(self.database):
            return self._connection.execute(statement, _storable(values)).lastrowid or 0

    def _name_of(self, file: str) -> str:
        """Return the name of a file in the store: its path in the project, else its absolute path."""
        if not file:
            return ""
        path = os.path.abspath(file)  # noqa: PTH100 - `Path.absolute` keeps `..`, `resolve` follows links.
        return path.removeprefix(self._project).replace(os.sep, "/")


def _columns(*row: Any) -> tuple[Any, ...]:
    return row


def _storable(values: tuple[_Value, ...]) -> tuple[_Value, ...]:
    """Return values that SQLite accepts: a lone surrogate is no text, and is written as JSON escapes it."""
    return tuple(
        value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value for value in values
    )


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _judge_columns(judge: JudgeIdentity | None) -> tuple[str | None, ...]:
    return (None, None, None) if judge is None else astuple(judge)


def _judge_of(name: str | None, kind: str | None, model: str | None) -> JudgeIdentity | None:
    return None if name is None else JudgeIdentity(name, kind or "", model)


def _judgement_of(*row: Any) -> Judgement:
    columns = [*row[:6], JudgeIdentity(*row[6:9]), *row[9:]]
    return Judgement(*columns)


def _run_of(*row: Any) -> Run:
    columns = [*row[:2], _judge_of(*row[2:5]), *row[5:9], bool(row[9])]
    return Run(*columns)


def _result_of(text: str) -> CaseResult:
    """Return a result from its JSON. Raises sqlite3.DatabaseError, because only a damaged store has invalid JSON."""
    try:
        return from_json(exact_json.read(text))
    except ValueError as error:
        raise sqlite3.DatabaseError(f"malformed result, {error}") from error


def _evaluation_row(run: int, place: int, file: str, result: CaseResult) -> tuple[_Value, ...] | None:
    """Return the columns of the evaluation in a result; None where it has no complete one."""
    scorecard = result.scorecard
    if scorecard is None or scorecard.score is None or scorecard.evaluation_id is None or result.partial:
        return None
    score = scorecard.score
    dimensions = json.dumps({dimension.name: dimension.score for dimension in score.dimensions})
    return (
        *(scorecard.skill, scorecard.evaluation_id, run, place, result.timestamp or _now(), file, result.eval_id),
        *_judge_columns(scorecard.judge),
        *(dimensions, str(score.composite), str(score.final_score), score.grade),
    )


def _evaluation_of(*row: Any) -> Evaluation:
    """Return the evaluation of a row. Raises sqlite3.DatabaseError where its scores are damaged."""
    try:
        scores = json.loads(row[10])
        numbers = [Decimal(row[11]), Decimal(row[12])]
        is_sound = all(type(score) is int for score in scores.values()) and all(map(Decimal.is_finite, numbers))
    except (ValueError, TypeError, AttributeError, InvalidOperation):
        is_sound = False
    if not is_sound:
        raise sqlite3.DatabaseError("malformed evaluation, a score that cannot be read")
    columns = [*row[:7], _judge_of(*row[7:10]), scores, *numbers, row[13]]
    return Evaluation(*columns)
