"""Reports and comparisons of runs in the store, made on the worker thread."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.store.store import Store
from rubric_core.report.comparison.compared import compare_results
from rubric_core.report.comparison.markdown import render as render_comparison
from rubric_core.report.results.html import render as render_html


async def report_of(project: Path, run: int | None, path: str, case_id: str | None) -> Any:
    """Return the HTML page of a run: the named one, or the latest one, with a case of a file where one is named.

    None where nothing was graded.
    """
    store = Store.open_existing(Store.at(project))
    if store is None:
        return None
    with store:
        # Who asks for a case presses its last verdict, and what was graded since then is about others.
        latest = None if run else store.latest_run([path] if case_id is not None else [], case_id)
        number = latest.id if latest is not None else run
        results = store.results_of(number) if number is not None else ()
        past = store.past_of(results)
    if not results:
        return None
    names = {each.file: _in_project(each.file, project) for each in results}
    named = [replace(each, file=names[each.file]) for each in results]
    cases = {key._replace(file=names[key.file]): scores for key, scores in past.cases.items()}
    html = render_html(named, past=replace(past, cases=cases))
    return {"html": html, "title": f"Rubric report: run {number}", "run": number}


def _in_project(file: str, project: Path) -> str:
    """Return the name of a file as somebody who works in the project calls it."""
    path = Path(file)
    return path.relative_to(project).as_posix() if path.is_relative_to(project) else file


async def comparison_of(project: Path, before: int | None, after: int | None) -> Any:
    """Return what changed between two runs as Markdown. Raises CannotGrade where there are no two."""
    store = Store.open_existing(Store.at(project))
    if store is None:
        raise CannotGrade("Nothing was graded yet; grade twice to compare.")
    with store:
        runs = _two_runs([run.id for run in store.runs() if run.kept], before, after)
        results = [store.results_of(run) for run in runs]
    compared = compare_results((f"run {runs[0]}", f"run {runs[1]}"), *results)
    return {"markdown": render_comparison(compared), "before": runs[0], "after": runs[1]}


def _two_runs(known: list[int], before: int | None, after: int | None) -> tuple[int, int]:
    """Return the runs that are meant, of those that are known, the newest first. Raises CannotGrade."""
    if not known:
        raise CannotGrade("Nothing was graded yet; grade twice to compare.")
    for run in (before, after):
        if run is not None and run not in known:
            raise CannotGrade(f"There is no run {run} with results; the latest is run {known[0]}.")
    later = after or known[0]
    if before == later:
        raise CannotGrade(f"There is no grading after run {later}; grade again to compare.")
    earlier = before or next((run for run in known if run < later), None)
    if earlier is None:
        raise CannotGrade(f"There is no grading before run {later}; grade again to compare.")
    return earlier, later
