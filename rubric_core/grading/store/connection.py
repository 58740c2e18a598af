"""Opening the database: the settings that keep it whole and quick, and its newest version."""

from __future__ import annotations

import sqlite3
import time
from typing import TYPE_CHECKING

from rubric_core.grading.store.schema import migrate, refuse_newer
from rubric_core.grading.store.transactions import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

_PAUSE = 0.01

_SETTINGS = (
    # What was committed survives the end of the process at any moment; after a power cut the last moments may be
    # missing, never anything else. Without this, each judgement would wait for the disk.
    "PRAGMA synchronous = NORMAL",
    # The log is written back at 40 MB and on closing, because that waits for the disk while judgements come in.
    "PRAGMA wal_autocheckpoint = 10000",
    "PRAGMA foreign_keys = ON",
)


def connect(database: Path) -> sqlite3.Connection:
    """Open a database. Raises CannotGrade for one of a later program, sqlite3.DatabaseError for what SQLite refuses."""
    connection = sqlite3.connect(database, timeout=PATIENCE, isolation_level=None)
    try:
        refuse_newer(connection, database)
        _write_ahead(connection)
        for setting in _SETTINGS:
            connection.execute(setting)
        migrate(connection, database)
    except BaseException:
        connection.close()
        raise
    return connection


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Write a log ahead of the database, so that readers and a writer do not wait for each other.

    SQLite does not wait for its turn here, so this does. A disk that cannot have such a log keeps the usual journal,
    which is as safe.
    """
    deadline = time.monotonic() + PATIENCE
    while not _has_turn(connection, "PRAGMA journal_mode = WAL", is_last=time.monotonic() > deadline):
        time.sleep(_PAUSE)


def _has_turn(connection: sqlite3.Connection, statement: str, *, is_last: bool) -> bool:
    try:
        connection.execute(statement)
    except sqlite3.OperationalError as error:
        if is_last or "is locked" not in str(error):
            raise
        return False
    return True
