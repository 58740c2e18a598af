"""The grades of earlier sessions and of the command line, read from the store."""

from __future__ import annotations

import asyncio
import logging
import threading
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from rubric_core.grading.results import CaseResult
from rubric_server.app import RubricServer
from rubric_server.convert import path_of
from rubric_server.workspace import Stamp, stamp_of

_log = logging.getLogger(__name__)

# A database is written to its log first, and itself only when all programs have closed it.
_LOG = "-wal"


class StoreState(NamedTuple):
    """The state of a store when grades were read from it: its database, and the stamps of its files."""

    database: Path
    stamps: tuple[Stamp | None, ...]


def refresh_grades(server: RubricServer, uri: str) -> None:
    """Read the last grades of an open file in the background if the store has changed.

    The store of an untrusted workspace may have any content, so it is not read.
    """
    path = path_of(uri)
    loaded = server.grades.loaded_stores
    seen = loaded.get(uri)
    if not path or not server.is_trusted or (uri in loaded and (seen is None or _state_of(seen.database) == seen)):
        return
    if uri in server.grades.running:
        # Each result of the running grading changes the store; those of other programs are read after it.
        return
    loaded[uri] = None
    project = server.workspace.project_of(path)
    # Not on the worker thread, which would import more than reading needs.
    arguments = (server, asyncio.get_running_loop(), uri, path, project)
    threading.Thread(target=_read, args=arguments, name="stored-grades", daemon=True).start()


def refresh_all_grades(server: RubricServer) -> None:
    """Read the last grades of the open files again where they may have changed."""
    for uri in tuple(server.grades.loaded_stores):
        refresh_grades(server, uri)


def _state_of(database: Path) -> StoreState:
    stamps = (stamp_of(database), stamp_of(database.with_name(database.name + _LOG)))
    # Readers create and delete an empty log.
    return StoreState(database, tuple(stamp if stamp is not None and stamp.size else None for stamp in stamps))


def _read(server: RubricServer, loop: asyncio.AbstractEventLoop, uri: str, path: str, project: Path) -> None:
    from rubric_core.grading.workspace import DATABASE, find_folder  # noqa: PLC0415 - most files are not graded.

    # Before reading, so that later changes are read the next time.
    seen = _state_of(find_folder(project) / DATABASE)
    results: tuple[CaseResult, ...] = ()
    try:
        results = _last_results(path, seen.database) if seen.database.exists() else ()
    except Exception:  # noqa: BLE001 - whatever is wrong with a store, the editor goes on.
        _log.exception("The last grades of %s could not be read.", path)
    with suppress(RuntimeError):
        # The server may have ended meanwhile.
        loop.call_soon_threadsafe(_take, server, uri, seen, results)


def _last_results(path: str, database: Path) -> tuple[CaseResult, ...]:
    from rubric_core.grading.failures import CannotGrade  # noqa: PLC0415 - most files are not graded.
    from rubric_core.grading.store.store import Store  # noqa: PLC0415 - the same.

    try:
        with Store.open(database.parent) as store:
            results = store.last_results(path)
    except CannotGrade:
        # Grading reports what is wrong with the store; editing does not need to.
        return ()
    return _of_cases_now(path, results) if any(result.copy_of for result in results) else results


def _of_cases_now(path: str, results: tuple[CaseResult, ...]) -> tuple[CaseResult, ...]:
    """Return the results without those of cases that their tests no longer have: the ids depend on the prompts."""
    from rubric_core.model.load import CannotLoad, load_all  # noqa: PLC0415 - few files have such tests.

    try:
        cases = [case for suite in load_all(path) for case in suite.cases]
    except CannotLoad:
        return results
    tests, ids = {case.test_id for case in cases}, {case.id for case in cases}
    return tuple(result for result in results if result.test_id not in tests or result.eval_id in ids)


def _take(server: RubricServer, uri: str, seen: StoreState, results: tuple[CaseResult, ...]) -> None:
    if uri in server.grades.loaded_stores:
        server.grades.loaded_stores[uri] = seen
        # It may have changed while it was read.
        refresh_grades(server, uri)
    if not results:
        return
    from rubric_server.app import REFRESHES  # noqa: PLC0415 - it imports this module.
    from rubric_server.features.diagnostics import update_diagnostics  # noqa: PLC0415 - most files are not graded.
    from rubric_server.grading.notifications import grade_of  # noqa: PLC0415 - the same.

    before = dict(server.grades.in_file(uri))
    for result in results:
        # The texts of the criteria at that time are unknown, so nothing is shown at them.
        server.grades.take_stored(uri, grade_of(result, None))
    document = server.documents.get(uri)
    if document is not None and server.grades.in_file(uri) != before:
        # Earlier judgements of criteria may be out of date.
        update_diagnostics(server, document)
        server.refresh(*REFRESHES)
