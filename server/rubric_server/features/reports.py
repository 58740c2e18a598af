"""`rubric.showReport` and `rubric.compare`: reports of stored runs, as pages made by the worker."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

from lsprotocol import types

from rubric_core.files.write import write_text
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.results import Run
from rubric_core.grading.store.store import Store
from rubric_core.report.families.compared import compare_results
from rubric_core.report.formats import COMPARISON_FORMATS
from rubric_core.report.results.html import render as render_html
from rubric_server.app import RubricServer
from rubric_server.arguments import ProjectArguments
from rubric_server.convert import path_of, uri_of
from rubric_server.progress import Token
from rubric_server.protocol.converter import RequestError

REPORT_FILE = "rubric-report.html"
_NOTHING = "Nothing was graded yet; grade twice to compare."


async def show_report(server: RubricServer, params: ProjectArguments, _token: Token | None) -> dict[str, Any] | None:
    """Return the report of a run, or of the latest one (of a case); for a client that shows none, open it as a file."""
    project = _project(server, params)
    page = await asyncio.wrap_future(server.grading_worker.submit(_report(project, params)))
    if page is not None and not server.client.report:
        _show_file(server, project / REPORT_FILE, page["html"])
    return page


async def compare(server: RubricServer, params: ProjectArguments, _token: Token | None) -> dict[str, Any]:
    """Return what changed between two runs, the previous and the latest one where none are named."""
    comparison = _comparison(_project(server, params), params.before, params.after)
    return await asyncio.wrap_future(server.grading_worker.submit(comparison))


def _project(server: RubricServer, params: ProjectArguments) -> Path:
    path = path_of(params.uri or "")
    return server.workspace.project_of(path) if path else server.workspace.first_folder


def _show_file(server: RubricServer, path: Path, page: str) -> None:
    failure = write_text(path, page)
    if failure is not None:
        raise RequestError(f"{path}: {failure.message}")
    if server.client.shows_documents:
        server.protocol.request_without_answer(
            types.WINDOW_SHOW_DOCUMENT, types.ShowDocumentParams(uri_of(path), external=True)
        )


# On the worker thread


async def _report(project: Path, params: ProjectArguments) -> dict[str, Any] | None:
    """Return the HTML page of a run or of the latest one (with a case of a file); None if nothing was graded."""
    store = Store.open_existing(Store.at(project))
    if store is None:
        return None
    with store:
        # A request for a case is for its last verdict; later runs may be about other cases.
        file = path_of(params.uri or "")
        latest = None if params.run else _latest_run(store, file, params.case_id)
        number = latest.id if latest is not None else params.run
        results = store.results_of(number) if number is not None else ()
        history = store.result_history(results)
    if not results:
        return None
    paths = {result.file: Path(result.file) for result in results}
    names = {
        file: path.relative_to(project).as_posix() if path.is_relative_to(project) else file
        for file, path in paths.items()
    }
    named = [replace(result, file=names[result.file]) for result in results]
    cases = {key._replace(file=names[key.file]): scores for key, scores in history.cases.items()}
    html = render_html(named, history=replace(history, cases=cases))
    return {"html": html, "title": f"Rubric report: run {number}", "run": number}


def _latest_run(store: Store, file: str, case_id: str | None) -> Run | None:
    """Return the latest run, or the latest one with a case of a file; a test that is several cases is the newest."""
    if case_id is None:
        return store.latest_run([])
    run = store.latest_run([file], case_id)
    copies = [] if run is not None else [row for row in store.last_results(file) if row.test_id == case_id]
    newest = max(copies, key=lambda row: row.timestamp, default=None)
    return run if newest is None else store.latest_run([file], newest.eval_id)


async def _comparison(project: Path, before: int | None, after: int | None) -> dict[str, Any]:
    """Return what changed between two runs as Markdown. Raise CannotGrade where there are no two."""
    store = Store.open_existing(Store.at(project))
    if store is None:
        raise CannotGrade(_NOTHING)
    with store:
        runs = _two_runs([run.id for run in store.runs() if run.kept], before, after)
        results = [store.results_of(run) for run in runs]
    compared = compare_results((f"run {runs[0]}", f"run {runs[1]}"), *results)
    return {"markdown": COMPARISON_FORMATS["markdown"].render(compared), "before": runs[0], "after": runs[1]}


def _two_runs(runs: list[int], before: int | None, after: int | None) -> tuple[int, int]:
    """Return the two requested runs of `runs`, the newest first. Raise CannotGrade."""
    if not runs:
        raise CannotGrade(_NOTHING)
    for run in (before, after):
        if run is not None and run not in runs:
            raise CannotGrade(f"There is no run {run} with results; the latest is run {runs[0]}.")
    later = after or runs[0]
    if before == later:
        raise CannotGrade(f"There is no grading after run {later}; grade again to compare.")
    earlier = before or next((run for run in runs if run < later), None)
    if earlier is None:
        raise CannotGrade(f"There is no grading before run {later}; grade again to compare.")
    return earlier, later
