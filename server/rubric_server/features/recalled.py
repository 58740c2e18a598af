"""What was graded before the server started, or on the command line: read from the store, so that verdicts last."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from rubric_server.addresses import path_of
from rubric_server.refreshing import refresh_lenses

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.grading.results import CaseResult
    from rubric_server.app import RubricServer


def recall(server: RubricServer, uri: str) -> None:
    """Begin to read the last grades of a file, once while it is open; nothing waits for them.

    The store of a workspace that the user does not trust was written by who knows whom, and is left alone.
    """
    path = path_of(uri)
    if not path or not server.is_trusted or uri in server.gradings.recalled:
        return
    server.gradings.recalled.add(uri)
    project = server.workspace.project_of(path)
    # Not the desk: most of what it would import is of no use for reading.
    threading.Thread(target=_read, args=(server, uri, path, project), name="recall", daemon=True).start()


def _read(server: RubricServer, uri: str, path: str, project: Path) -> None:
    results = _last_results(path, project)
    if results:
        server.endpoint.post(lambda: _take(server, uri, results))


def _last_results(path: str, project: Path) -> tuple[CaseResult, ...]:
    from rubric_core.grading.failures import CannotGrade  # noqa: PLC0415 - most files are not graded.
    from rubric_core.grading.store.folder import DATABASE, find_folder  # noqa: PLC0415 - the same.

    folder = find_folder(project)
    if not (folder / DATABASE).exists():
        return ()
    from rubric_core.grading.store.store import Store  # noqa: PLC0415 - the same.

    try:
        with Store.open(folder) as store:
            return store.last_results(path)
    except CannotGrade:
        # Whoever grades is told what is wrong with the store; whoever edits need not be.
        return ()


def _take(server: RubricServer, uri: str, results: tuple[CaseResult, ...]) -> None:
    from rubric_server.features.graded import grade_of  # noqa: PLC0415 - most files are not graded.

    for result in results:
        # What the criteria said at that time is not known, so that nothing is shown at them.
        server.gradings.take_stored(uri, grade_of(result, None))
    refresh_lenses(server)
