"""The table of results: one row for each case of a run, as the JSON that reports write."""

from __future__ import annotations

import json
import sqlite3
from fractions import Fraction
from typing import TYPE_CHECKING

from rubric_core.grading import exact_json
from rubric_core.grading.past import PastScore
from rubric_core.grading.result_json import from_json, json_line
from rubric_core.grading.store.rows import storable

if TYPE_CHECKING:
    from collections.abc import Collection

    from rubric_core.grading.results import CaseResult

_INSERT = """
    INSERT OR REPLACE INTO results (run, place, file, case_id, fingerprint, has_error, result)
    VALUES (?, ?, ?, ?, ?, ?, ?)
"""


def keep(connection: sqlite3.Connection, run: int, place: int, file: str, result: CaseResult) -> None:
    """Keep the result of a place in a run; `file` is the name that the file has in the store."""
    values = (run, place, file, result.eval_id, result.fingerprint, _has_error(result), json_line(result))
    connection.execute(_INSERT, storable(*values))


def replace(connection: sqlite3.Connection, run: int, place: int, result: CaseResult) -> None:
    """Write another text of a result that is kept already."""
    connection.execute("UPDATE results SET result = ? WHERE run = ? AND place = ?", (json_line(result), run, place))


def of_run(connection: sqlite3.Connection, run: int) -> dict[int, CaseResult]:
    """Return the results of a run by their places, in order."""
    rows = connection.execute("SELECT place, result FROM results WHERE run = ? ORDER BY place", (run,))
    return {place: _result(text) for place, text in rows}


def finished(connection: sqlite3.Connection, fingerprint: str) -> CaseResult | None:
    """Return the newest result with a fingerprint that has no error."""
    row = connection.execute(
        "SELECT result FROM results WHERE fingerprint = ? AND NOT has_error ORDER BY number DESC LIMIT 1",
        (fingerprint,),
    ).fetchone()
    return None if row is None or not fingerprint else _result(row[0])


def past_scores(
    connection: sqlite3.Connection, files: Collection[str], most: int
) -> dict[tuple[str, str], tuple[PastScore, ...]]:
    """Return the last scores of all cases of some files, by file and id, the oldest first."""
    rows = connection.execute(
        """
        SELECT file, case_id, json_extract(result, '$.timestamp'), json_extract(result, '$.score_exact') FROM results
        WHERE file IN (SELECT value FROM json_each(?)) AND NOT has_error AND NOT json_extract(result, '$.partial')
        ORDER BY number DESC
        """,
        (json.dumps(list(files)),),
    )
    found: dict[tuple[str, str], list[PastScore]] = {}
    for file, case_id, timestamp, score in rows:
        kept = found.setdefault((file, case_id), [])
        if score is not None and len(kept) < most:
            kept.append(PastScore(timestamp, Fraction(score)))
    return {case: tuple(reversed(scores)) for case, scores in found.items()}


def last_of_file(connection: sqlite3.Connection, file: str) -> tuple[CaseResult, ...]:
    """Return the newest result of each case of a file. What was said of some criteria alone does not count."""
    rows = connection.execute(
        """
        SELECT result FROM results WHERE number IN (
            SELECT max(number) FROM results WHERE file = ? AND NOT json_extract(result, '$.partial') GROUP BY case_id
        )
        """,
        (file,),
    )
    return tuple(_result(text) for (text,) in rows)


def _has_error(result: CaseResult) -> bool:
    """Tell whether something is still to be judged: a scorecard in error leaves the verdict standing, and counts."""
    return result.error is not None or (result.scorecard is not None and result.scorecard.error is not None)


def _result(text: str) -> CaseResult:
    try:
        return from_json(exact_json.read(text))
    except ValueError as error:
        # Nobody but this module writes here, so the database is no longer what it was.
        raise sqlite3.DatabaseError(f"malformed result, {error}") from error
