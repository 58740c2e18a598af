"""A code judge: takes the SQL out of the answer, runs it in SQLite and compares the rows with those that are expected.

It reads the case and the answer as JSON on standard input and prints its result as JSON on standard output.
"""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from typing import Any

READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION}


def judge(answer: str, config: dict[str, Any]) -> dict[str, Any]:
    """Return the result: a score from 0 to 1, and the reasons for and against it."""
    block = re.search(r"```\w*\n(.*?)```", answer, re.DOTALL)
    if block is None:
        return {"score": 0, "misses": ["There is no block with SQL in the answer."]}
    try:
        rows = rows_of(block[1], config["tables"])
    except sqlite3.Error as error:
        return {"score": 0, "misses": [f"The query does not run: {error}."]}
    if "rows" not in config or rows == config["rows"]:
        return {"score": 1, "hits": ["The query runs.", f"It gives {len(rows)} rows."]}
    return {"score": 0.5, "hits": ["The query runs."], "misses": [f"It gives {rows}, not {config['rows']}."]}


def rows_of(query: str, tables: str) -> list[list[Any]]:
    """Run a query on fresh tables. It may read and nothing else: an answer is not to be trusted."""
    connection = sqlite3.connect(":memory:")
    connection.executescript(tables)
    connection.set_authorizer(lambda action, *_: sqlite3.SQLITE_OK if action in READING else sqlite3.SQLITE_DENY)
    return [list(row) for row in connection.execute(query)]


if __name__ == "__main__":
    payload = json.load(sys.stdin)
    json.dump(judge(payload["candidate_answer"], payload["config"]), sys.stdout)
