"""The results that the command line names: files of results, and runs of the store."""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rubric_core.cli.inputs import STDIN, STDIN_SHOWN, shown_path
from rubric_core.cli.output import CouldNotRun
from rubric_core.dialects.parts import RESULT_FILES
from rubric_core.dialects.registry import DIALECTS
from rubric_core.files.read import Unreadable, read_stream, read_text
from rubric_core.grading import exact_json
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.result_json import from_json
from rubric_core.grading.results import NO_HISTORY, CaseResult, ResultHistory
from rubric_core.grading.store.store import Store
from rubric_core.syntax.limits import Limits
from rubric_core.terminal.display import harmless
from rubric_core.text.writing import plural

LATEST, PREVIOUS = "latest", "previous"
_RUN = re.compile(r"[0-9]{1,18}")
_PLACES = {LATEST: 0, PREVIOUS: 1}
# Results contain whole answers, so they may be much longer than eval files.
_LIMITS = Limits(file_bytes=1 << 30, line_length=1 << 30)


@contextmanager
def existing_store() -> Iterator[Store | None]:
    """Yield the store, or None if nothing was graded yet; an error of the database ends the command."""
    try:
        store = Store.open_existing(Store.at(Path.cwd()))
        if store is None:
            yield None
        else:
            with store:
                yield store
    except CannotGrade as failure:
        raise CouldNotRun(failure.reason) from None


@dataclass(frozen=True, slots=True)
class NamedResults:
    """Results, and the name of their source."""

    name: str
    results: tuple[CaseResult, ...]


def named_results(words: Sequence[str]) -> tuple[NamedResults, ...]:
    """Return the results of files and runs: a number, `latest` and `previous` are runs, everything else is a file.

    `-` means standard input. Raises CouldNotRun with the file and the line of the error.
    """
    return tuple(run_results(word) if is_run(word) else file_results(word) for word in words)


def is_run(word: str) -> bool:
    """Return whether a word names a run of the store. A file of that name is `./7`."""
    return word in _PLACES or _RUN.fullmatch(word) is not None


def file_results(word: str) -> NamedResults:
    """Read a file of results, ours or those of another tool: JSON lines, or the JSON of one case or of several."""
    is_stdin = word == STDIN
    shown = harmless(STDIN_SHOWN if is_stdin else shown_path(Path(word).absolute()))
    read = read_stream(sys.stdin.buffer, _LIMITS) if is_stdin else read_text(word, _LIMITS)
    if isinstance(read, Unreadable):
        raise CouldNotRun(f"{shown}: {read.message}")
    return NamedResults(shown, tuple(_results(shown, read.text.removeprefix("\ufeff"))))


def run_results(word: str) -> NamedResults:
    """Return the results of a run that is named by its number, or as `latest` or `previous`."""
    with _needed_store() as store:
        runs = [run for run in store.runs() if run.kept]
        if word in _PLACES:
            missing = f"There is no {word} run: the store has {plural(len(runs), 'run')} with results."
            selected = runs[_PLACES[word] :]
        else:
            newest = f"; the newest is {runs[0].id}" if runs else ""
            missing = f"There is no run {int(word)} with results in the store{newest}."
            selected = [run for run in runs if run.id == int(word)]
        if not selected:
            raise CouldNotRun(missing)
        run = selected[0]
        results = store.results_of(run.id)
    stopped = "" if run.finished else f", stopped after {run.kept:,} of {plural(run.total, 'case')}"
    return NamedResults(f"run {run.id}{stopped}", results)


def skill_results(skill: str) -> tuple[NamedResults, ...]:
    """Return all results of the store that have a scorecard of a skill, each evaluation once, the oldest first."""
    runs: list[NamedResults] = []
    seen: set[str] = set()
    with _needed_store() as store:
        for run in reversed(store.runs()):
            results = []
            for result in store.results_of(run.id):
                card = result.scorecard
                if card is not None and card.skill == skill and card.evaluation_id not in seen:
                    seen |= {card.evaluation_id} if card.evaluation_id is not None else set()
                    results.append(result)
            if results:
                runs.append(NamedResults(f"run {run.id}", tuple(results)))
    if not runs:
        raise CouldNotRun(f"No result has a scorecard of the skill {harmless(skill)}; `rubric history` lists skills.")
    return tuple(runs)


def result_history(results: Sequence[CaseResult]) -> ResultHistory:
    """Return the history in the store before some results; empty without a store."""
    with existing_store() as store:
        return NO_HISTORY if store is None else store.result_history(results)


@contextmanager
def _needed_store() -> Iterator[Store]:
    """Yield the store of the project, which must exist."""
    with existing_store() as store:
        if store is None:
            raise CouldNotRun("No results found. Run `rubric grade` first, or pass a file of results.")
        yield store


def _wrong(shown: str, line: int, message: str) -> CouldNotRun:
    return CouldNotRun(f"{shown}:{line}: {harmless(message)}")


def _results(shown: str, text: str) -> Iterator[CaseResult]:
    """Yield the results of a text, which is one JSON value or one a line."""
    try:
        whole = exact_json.read(text)
    except ValueError as error:
        values = _values_by_line(shown, text, error)
    else:
        listed = whole["results"] if isinstance(whole, dict) and isinstance(whole.get("results"), list) else whole
        values = [(1, value) for value in (listed if isinstance(listed, list) else [listed])]
    if not values:
        raise _wrong(shown, 1, "There are no results in this file.")
    others = dict.fromkeys(filter(None, map(RESULT_FILES.of, DIALECTS)))
    readers = [(files, files.reader(value for _, value in values)) for files in others]
    for number, (line, value) in enumerate(values, start=1):
        which = f"Result {number}: " if values[-1][0] == 1 < len(values) else ""
        named = ((files.maker, read) for files, read in readers if files.is_row(value))
        maker, read = next(named, ("`rubric grade`", from_json))
        try:
            yield read(value)
        except ValueError as error:
            raise _wrong(shown, line, f"{which}This is no result of {maker}: {error}") from None


def _values_by_line(shown: str, text: str, error: ValueError) -> list[tuple[int, Any]]:
    """Return the JSON values of the lines with their numbers; `error` says why the whole text is not one value."""
    values: list[tuple[int, Any]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            values.append((number, exact_json.read(line)))
        except ValueError as wrong:
            # If not even the first line is JSON, the text is one document, whose error is more useful.
            reason, at = (wrong, number) if values else (error, getattr(error, "lineno", 1))
            details = f"{reason.msg} at column {reason.colno}" if isinstance(reason, json.JSONDecodeError) else reason
            raise _wrong(shown, at, f"This is not JSON: {details}.") from None
    return values
