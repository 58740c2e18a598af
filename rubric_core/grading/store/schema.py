"""The tables of the store, by version: each row of `MIGRATIONS` leads from the version before it to its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.store.named_skills import skill_reader
from rubric_core.grading.store.transactions import writing

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path


class Migration(NamedTuple):
    """The statements that make a version out of the one before. They never change once they were released."""

    version: int
    statements: tuple[str, ...]


_JUDGEMENTS_RUNS_AND_RESULTS = Migration(
    1,
    (
        """
        CREATE TABLE judgements (
            number INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            key TEXT,
            kind TEXT NOT NULL,
            file TEXT NOT NULL,
            case_id TEXT NOT NULL,
            evaluator TEXT NOT NULL,
            judge_name TEXT NOT NULL,
            judge_kind TEXT NOT NULL,
            judge_model TEXT,
            prompt_hash TEXT NOT NULL,
            answer_hash TEXT NOT NULL,
            text TEXT NOT NULL,
            sample INTEGER NOT NULL
        )
        """,
        "CREATE INDEX judgements_by_key ON judgements (key) WHERE key IS NOT NULL",
        """
        CREATE TABLE runs (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            command TEXT NOT NULL,
            judge_name TEXT,
            judge_kind TEXT,
            judge_model TEXT,
            total INTEGER NOT NULL,
            began TEXT NOT NULL,
            ended TEXT,
            finished INTEGER NOT NULL DEFAULT 0
        )
        """,
        """
        CREATE TABLE results (
            number INTEGER PRIMARY KEY,
            run INTEGER NOT NULL REFERENCES runs (id),
            place INTEGER NOT NULL,
            file TEXT NOT NULL,
            case_id TEXT NOT NULL,
            fingerprint TEXT NOT NULL,
            has_error INTEGER NOT NULL,
            result TEXT NOT NULL,
            UNIQUE (run, place)
        )
        """,
        "CREATE INDEX results_by_fingerprint ON results (fingerprint) WHERE NOT has_error",
    ),
)

_ENTER_RESULTS = """
    INSERT OR IGNORE INTO evaluations
    SELECT
        json_extract(result, '$.scorecard.skill'),
        json_extract(result, '$.scorecard.evaluation_id'),
        run,
        place,
        json_extract(result, '$.timestamp'),
        file,
        case_id,
        json_extract(result, '$.scorecard.judge.name'),
        json_extract(result, '$.scorecard.judge.kind'),
        json_extract(result, '$.scorecard.judge.model'),
        (
            SELECT json_group_object(key, json_extract(value, '$.score'))
            FROM json_each(result, '$.scorecard.dimensions')
        ),
        printf('%.2f', json_extract(result, '$.scorecard.composite')),
        printf('%.2f', json_extract(result, '$.scorecard.final_score')),
        json_extract(result, '$.scorecard.grade')
    FROM results
    WHERE CASE WHEN json_valid(result) THEN
        json_extract(result, '$.scorecard.grade') IS NOT NULL
        AND json_extract(result, '$.scorecard.evaluation_id') IS NOT NULL
        AND NOT json_extract(result, '$.partial')
        AND {}
    END
    ORDER BY run, place
"""

_EVALUATIONS = Migration(
    2,
    (
        """
        CREATE TABLE evaluations (
            skill TEXT NOT NULL,
            id TEXT NOT NULL,
            run INTEGER NOT NULL REFERENCES runs (id),
            place INTEGER NOT NULL,
            timestamp TEXT NOT NULL,
            file TEXT NOT NULL,
            case_id TEXT NOT NULL,
            judge_name TEXT,
            judge_kind TEXT,
            judge_model TEXT,
            dimensions TEXT NOT NULL,
            composite TEXT NOT NULL,
            final_score TEXT NOT NULL,
            grade TEXT NOT NULL,
            PRIMARY KEY (skill, id)
        )
        """,
        "CREATE INDEX evaluations_in_order ON evaluations (skill, run, place)",
        # History starts with what was graded before there was a table of it; the first grading of each counts.
        _ENTER_RESULTS.format("TRUE"),
    ),
)

# Before this version the id of a case stood for a missing skill, and cases of different files shared their history.
# A case whose file names a skill that is equal to its id keeps it.
_SKILLS_BY_FILE = Migration(
    3,
    (
        """
        UPDATE results
        SET result = json_replace(
            result,
            '$.scorecard.skill', file || ':' || case_id,
            '$.scorecard.history.skill', file || ':' || case_id
        )
        WHERE file <> '' AND CASE
            WHEN NOT json_valid(result) THEN FALSE
            WHEN json_extract(result, '$.scorecard.skill') = case_id THEN NOT names_skill(file, case_id)
        END
        """,
        """
        UPDATE OR IGNORE evaluations SET skill = file || ':' || case_id
        WHERE file <> '' AND CASE WHEN skill = case_id THEN NOT names_skill(file, case_id) END
        """,
        # One judgement of equal cases in two files was one evaluation, and is one of each now.
        _ENTER_RESULTS.format("json_extract(result, '$.scorecard.skill') = file || ':' || case_id"),
    ),
)

MIGRATIONS = (_JUDGEMENTS_RUNS_AND_RESULTS, _EVALUATIONS, _SKILLS_BY_FILE)
NEWEST = MIGRATIONS[-1].version


def migrate(connection: sqlite3.Connection, database: Path) -> None:
    """Bring a database to the newest version. Raises CannotGrade for one that is newer still.

    Each step is one transaction that looks at the version first, so two processes that open an old database at once
    take each step once, and a process that is killed leaves one whole version or the other.
    """
    refuse_newer(connection, database)
    connection.create_function("names_skill", 2, skill_reader(database.parent.parent))
    for migration in MIGRATIONS:
        if _version(connection) >= migration.version:
            continue
        with writing(connection):
            if _version(connection) >= migration.version:
                continue
            for statement in migration.statements:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {migration.version}")


def refuse_newer(connection: sqlite3.Connection, database: Path) -> None:
    """Raise CannotGrade where a later program has written the database. Nothing is written to find out."""
    version = _version(connection)
    if version > NEWEST:
        raise CannotGrade(
            f"The store {database} has version {version}, and this program knows versions up to {NEWEST}: "
            f"update rubric-lsp, or move the file away to start a new store."
        )


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version
