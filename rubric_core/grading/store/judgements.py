"""The table of judgements: every valid reply of every judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.memory import Judgement
from rubric_core.grading.store.rows import identity_columns, storable

if TYPE_CHECKING:
    import sqlite3

_COLUMNS = (
    "id, key, kind, file, case_id, evaluator, judge_name, judge_kind, judge_model, "
    "prompt_hash, answer_hash, text, sample"
)
_INSERT = f"INSERT OR IGNORE INTO judgements ({_COLUMNS}) VALUES ({', '.join('?' * 13)})"  # noqa: S608 - constants.
# The newest one counts, so that judging once more on request replaces what is remembered.
_BY_KEY = f"SELECT {_COLUMNS} FROM judgements WHERE key = ? ORDER BY number DESC LIMIT 1"  # noqa: S608 - the same.


def keep(connection: sqlite3.Connection, judgement: Judgement, file: str) -> None:
    """Keep a judgement under the name that its file has in the store; one with a known id is kept once."""
    values = (
        *(judgement.id, judgement.key, judgement.kind, file, judgement.case_id, judgement.evaluator),
        *identity_columns(judgement.judge),
        *(judgement.prompt_hash, judgement.answer_hash, judgement.text, judgement.sample),
    )
    connection.execute(_INSERT, storable(*values))


def recall(connection: sqlite3.Connection, key: str) -> Judgement | None:
    """Return the newest judgement that was kept under a key."""
    row = connection.execute(_BY_KEY, (key,)).fetchone()
    return None if row is None else _judgement(row)


def _judgement(row: tuple[Any, ...]) -> Judgement:
    id_, key, kind, file, case_id, evaluator, name, judge_kind, model, *rest = row
    return Judgement(id_, key, kind, file, case_id, evaluator, JudgeIdentity(name, judge_kind, model), *rest)
