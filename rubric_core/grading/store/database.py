"""The SQLite database: opening it, transactions, and the messages for its failures."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from rubric_core.files.read import Unreadable, read_text
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.store.schema import MIGRATIONS
from rubric_core.syntax.limits import DEFAULT_LIMITS

LOCK_TIMEOUT = 10.0
"""How many seconds to wait for another process that is writing."""

_PAUSE = 0.01

_SETTINGS = (
    # What was committed survives the end of the process at any moment; after a power cut the last moments may be
    # missing, never anything else. Without this, each judgement would wait for the disk.
    "PRAGMA synchronous = NORMAL",
    # The log is written back at 40 MB and on closing, because that waits for the disk while judgements come in.
    "PRAGMA wal_autocheckpoint = 10000",
    "PRAGMA foreign_keys = ON",
)

_DAMAGED = "is damaged ({reason}): move it and the files whose names start with its name away, and a new one is made"
_UNWRITABLE = "cannot be written ({reason}): make its folder, every file in that and the disk writable, and try again"

_MESSAGES = (
    ("not a database", _DAMAGED),
    ("malformed", _DAMAGED),
    ("readonly", _UNWRITABLE),
    ("I/O error", _UNWRITABLE),
    (
        "unable to open",
        "cannot be opened ({reason}): make it and its folder writable, or move away what is there, and try again",
    ),
    ("is full", "cannot be written because the disk is full: make room, and try again"),
    ("is locked", f"has been in use by another process for {LOCK_TIMEOUT:.0f} seconds: end it or wait, and try again"),
    ("", "cannot be used ({reason}): move it away, and a new one is made"),
)
"""Words of SQLite's messages, which are English on every system, and our message in their place."""


def connect(database: Path) -> sqlite3.Connection:
    """Open a database and migrate it. Raises CannotGrade for one of a later program, or sqlite3.DatabaseError."""
    connection = sqlite3.connect(database, timeout=LOCK_TIMEOUT, isolation_level=None)
    try:
        _refuse_newer(connection, database)
        _write_ahead(connection)
        for setting in _SETTINGS:
            connection.execute(setting)
        _migrate(connection, database)
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit everything at the end, or nothing where something is raised. No other process writes in between."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # Where the disk failed, SQLite has rolled back itself.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def sqlite_failures(database: Path) -> Iterator[None]:
    """Raise CannotGrade for what SQLite cannot do. A programming error is passed on as it is."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if type(error) not in (sqlite3.DatabaseError, sqlite3.OperationalError):
            raise
        message = next(message for words, message in _MESSAGES if words in str(error)).format(reason=error)
        raise CannotGrade(f"The store {database} {message}. What was kept before stays in it.") from error


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Use a write-ahead log where the disk can have one, so that readers and a writer do not wait for each other."""
    # SQLite does not wait for a lock here.
    deadline = time.monotonic() + LOCK_TIMEOUT
    while True:
        is_last = time.monotonic() > deadline
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if is_last or "is locked" not in str(error):
                raise
            time.sleep(_PAUSE)
        else:
            return


def _migrate(connection: sqlite3.Connection, database: Path) -> None:
    """Migrate a database to the newest version.

    Each step is one transaction that reads the version first, so two processes that open an old database at once
    take each step once, and a process that is killed leaves one complete version or the other.
    """
    _refuse_newer(connection, database)
    connection.create_function("names_skill", 2, _skill_names(database.parent.parent))
    for version, statements in enumerate(MIGRATIONS, start=1):
        if _version(connection) >= version:
            continue
        with transaction(connection):
            if _version(connection) >= version:
                continue
            for statement in statements:
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version}")


def _refuse_newer(connection: sqlite3.Connection, database: Path) -> None:
    """Raise CannotGrade where a later program has written the database. Nothing is written to find out."""
    version = _version(connection)
    if version > len(MIGRATIONS):
        raise CannotGrade(
            f"The store {database} has version {version}, and this program supports versions up to {len(MIGRATIONS)}: "
            f"update rubric-lsp, or move the file away to start a new store."
        )


def _version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def _skill_names(project: Path) -> Callable[[str, str], bool]:
    """Return a function that returns whether a case names a skill equal to its id, according to its file as it is."""

    @cache
    def named_in(file: str) -> frozenset[str]:
        # Only a store of an old version needs this, once.
        from rubric_core.model.load import CannotLoad, load_text  # noqa: PLC0415 - see the line above.

        read = read_text(project / file, DEFAULT_LIMITS)
        try:
            suites = () if isinstance(read, Unreadable) else load_text(read.text, file)
        except CannotLoad:
            suites = ()
        cases = (case for suite in suites for case in suite.cases)
        return frozenset(case.id for case in cases if case.scorecard is not None and case.scorecard.skill == case.id)

    return lambda file, case_id: case_id in named_in(file)
