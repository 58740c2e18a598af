"""Transactions, and what a database that fails means to the user."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rubric_core.grading.failures import CannotGrade

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE = 10.0
"""How many seconds to wait for another process that is writing."""

_DAMAGED = "is damaged ({reason}): move it and the files whose names start with its name away, and a new one is made"
_UNWRITABLE = "cannot be written ({reason}): make its folder, every file in that and the disk writable, and try again"

_MEANINGS = (
    ("not a database", _DAMAGED),
    ("malformed", _DAMAGED),
    ("readonly", _UNWRITABLE),
    ("I/O error", _UNWRITABLE),
    (
        "unable to open",
        "cannot be opened ({reason}): make it and its folder writable, or move away what is there, and try again",
    ),
    ("is full", "cannot be written because the disk is full: make room, and try again"),
    ("is locked", f"has been in use by another process for {PATIENCE:.0f} seconds: end it or wait, and try again"),
)
"""What SQLite says in English, whatever the language of the system, and the sentence that it becomes."""


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """Do all of something or nothing, and nothing of any other process in between."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # Where the disk failed, SQLite has taken everything back itself.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def telling(database: Path) -> Iterator[None]:
    """Turn what SQLite cannot do into CannotGrade. A mistake of ours is passed on as it is."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if type(error) not in (sqlite3.DatabaseError, sqlite3.OperationalError):
            raise
        raise CannotGrade(f"The store {database} {_meaning(str(error))}. What was kept before stays in it.") from error


def _meaning(reason: str) -> str:
    sentences = (sentence for words, sentence in _MEANINGS if words in reason)
    return next(sentences, "cannot be used ({reason}): move it away, and a new one is made").format(reason=reason)
