"""The table of runs: what was graded together, how it was called and whether it came to its end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rubric_core.grading.store.rows import identity_columns, identity_of, now, storable

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection

    from rubric_core.grading.judges.judge import JudgeIdentity

_SELECT = """
    SELECT id, command, judge_name, judge_kind, judge_model, total,
        (SELECT count(*) FROM results WHERE run = runs.id), began, ended, finished
    FROM runs
"""


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


def begin(connection: sqlite3.Connection, command: str, judge: JudgeIdentity | None, total: int) -> int:
    """Enter a run and return its id; a later run has a higher one."""
    cursor = connection.execute(
        "INSERT INTO runs (command, judge_name, judge_kind, judge_model, total, began) VALUES (?, ?, ?, ?, ?, ?)",
        storable(command, *identity_columns(judge), total, now()),
    )
    return int(cursor.lastrowid or 0)


def end(connection: sqlite3.Connection, run: int, *, finished: bool) -> None:
    """Enter that a run has ended, and whether it did all that it was asked to."""
    connection.execute("UPDATE runs SET ended = ?, finished = ? WHERE id = ?", (now(), finished, run))


def newest_first(connection: sqlite3.Connection) -> tuple[Run, ...]:
    """Return all runs."""
    return tuple(_run(row) for row in connection.execute(f"{_SELECT} ORDER BY id DESC"))


def latest(connection: sqlite3.Connection, files: Collection[str], case_id: str | None) -> Run | None:
    """Return the newest run that has a result: of one of these files and of this case, where they are named."""
    # Looking from the newest run backwards ends early, and needs no index that each result would have to enter.
    for run in map(_run, connection.execute(f"{_SELECT} ORDER BY id DESC")):
        held = connection.execute("SELECT file, case_id FROM results WHERE run = ?", (run.id,))
        if any((not files or file in files) and case_id in (None, held_id) for file, held_id in held):
            return run
    return None


def _run(row: tuple[Any, ...]) -> Run:
    id_, command, name, kind, model, total, kept, began, ended, finished = row
    return Run(id_, command, identity_of(name, kind, model), total, kept, began, ended, bool(finished))
