"""A store with runs, for the tests of commands that look into it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rubric_core.grading.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.grading.results import CaseResult


def keep_run(results: Sequence[CaseResult], total: int | None = None) -> int:
    """Keep the results of a run in the store of the current folder, and return its number."""
    with Store.open(Store.at(Path.cwd())) as store:
        run = store.begin_run("rubric grade", None, len(results) if total is None else total)
        for place, result in enumerate(results):
            store.keep_result(run, place, result)
        store.end_run(run, finished=total is None)
    return run
