"""The results that the command line names: files that were written before, and runs of the store."""

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
from rubric_core.files.read import Unreadable, read_stream, read_text
from rubric_core.grading import exact_json
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.result_json import from_json
from rubric_core.grading.results import NO_HISTORY, CaseResult, ResultHistory
from rubric_core.grading.store.rows import Run
from rubric_core.grading.store.store import Store
from rubric_core.syntax.limits import Limits
from rubric_core.terminal.display import harmless
from rubric_core.text.writing import plural

LATEST, PREVIOUS = "latest", "previous"
_RUN = re.compile(r"[0-9]{1,18}")
_PLACES = {LATEST: 0, PREVIOUS: 1}
_NO_RESULTS = "There are no results in this file."
# Results hold whole answers, so they may be much longer than what people write.
_LIMITS = Limits(file_bytes=1 << 30, line_length=1 << 30)


@contextmanager
def existing_store() -> Iterator[Store | None]:
    """Yield the store, or None where nothing was graded yet; a database that fails ends the command."""
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
    """Results, and how to call where they come from."""

    name: str
    results: tuple[CaseResult, ...]


def named_results(words: Sequence[str]) -> tuple[NamedResults, ...]:
    """Return the results of files and runs: a number, `latest` and `previous` are runs, everything else is a file.

    `-` stands for standard input. Raises CouldNotRun with the file and the line of what is wrong.
    """
    return tuple(run_results(word) if is_run(word) else file_results(word) for word in words)


def is_run(word: str) -> bool:
    """Return whether a word names a run of the store. A file of that name is `./7`."""
    return word in _PLACES or _RUN.fullmatch(word) is not None


def file_results(word: str) -> NamedResults:
    """Read a file of results: JSON lines, or the JSON of one case or of several."""
    is_stdin = word == STDIN
    shown = harmless(STDIN_SHOWN if is_stdin else shown_path(Path(word).absolute()))
    read = read_stream(sys.stdin.buffer, _LIMITS) if is_stdin else read_text(word, _LIMITS)
    if isinstance(read, Unreadable):
        raise CouldNotRun(f"{shown}: {read.message}")
    try:
        return NamedResults(shown, tuple(_results(read.text.removeprefix("\ufeff"))))
    except _WrongLine as wrong:
        raise CouldNotRun(f"{shown}:{wrong.line}: {harmless(str(wrong))}") from None


def run_results(word: str) -> NamedResults:
    """Return the results of a run that is named by its number, or as `latest` or `previous`."""
    with _needed_store() as store:
        run = _run_named(store, word)
        results = store.results_of(run.id)
    told = "" if run.finished else f", stopped after {run.kept:,} of {plural(run.total, 'case')}"
    return NamedResults(f"run {run.id}{told}", results)


def skill_results(skill: str) -> tuple[NamedResults, ...]:
    """Return all results of the store that have a scorecard of a skill, each evaluation once, the oldest first."""
    found: list[NamedResults] = []
    known: set[str | None] = set()
    with _needed_store() as store:
        for run in reversed(store.runs()):
            results = [result for result in store.results_of(run.id) if _is_new(result, skill, known)]
            if results:
                found.append(NamedResults(f"run {run.id}", tuple(results)))
    if not found:
        raise CouldNotRun(f"No result has a scorecard of the skill {harmless(skill)}; `rubric history` lists skills.")
    return tuple(found)


def _is_new(result: CaseResult, skill: str, known: set[str | None]) -> bool:
    """Return whether an evaluation of a skill was not met before, and remember it."""
    scorecard = result.scorecard
    if scorecard is None or scorecard.skill != skill or scorecard.evaluation_id in known:
        return False
    if scorecard.evaluation_id is not None:
        known.add(scorecard.evaluation_id)
    return True


def past_of(results: Sequence[CaseResult]) -> ResultHistory:
    """Return what the store knows of the time before some results; nothing where there is no store."""
    with existing_store() as store:
        return NO_HISTORY if store is None else store.past_of(results)


@contextmanager
def _needed_store() -> Iterator[Store]:
    """Yield the store of the project, which must be there already."""
    with existing_store() as store:
        if store is None:
            raise CouldNotRun("No results found. Run `rubric grade` first, or pass a file of results.")
        yield store


def _run_named(store: Store, word: str) -> Run:
    runs = [run for run in store.runs() if run.kept]
    if word in _PLACES:
        place = _PLACES[word]
        if place < len(runs):
            return runs[place]
        raise CouldNotRun(f"There is no {word} run: the store has {plural(len(runs), 'run')} with results.")
    found = next((run for run in runs if run.id == int(word)), None)
    if found is None:
        newest = f"; the newest is {runs[0].id}" if runs else ""
        raise CouldNotRun(f"There is no run {int(word)} with results in the store{newest}.")
    return found


class _WrongLine(Exception):  # noqa: N818 - reads as a sentence where it is caught.
    """What is wrong in a line."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line


def _results(text: str) -> Iterator[CaseResult]:
    """Yield the results of a text, which is one JSON value or one a line."""
    try:
        whole = exact_json.read(text)
    except ValueError as error:
        yield from _results_by_line(text, error)
        return
    values = whole["results"] if isinstance(whole, dict) and isinstance(whole.get("results"), list) else whole
    listed = values if isinstance(values, list) else [values]
    if not listed:
        raise _WrongLine(1, _NO_RESULTS)
    for number, value in enumerate(listed, start=1):
        which = f"Result {number}: " if len(listed) > 1 else ""
        yield _result(value, 1, which)


def _results_by_line(text: str, error: ValueError) -> Iterator[CaseResult]:
    values: list[tuple[int, Any]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            values.append((number, exact_json.read(line)))
        except ValueError as wrong:
            # Where not even the first line is JSON, the text was meant as a whole, and the whole tells more.
            reason, at = (wrong, number) if values else (error, getattr(error, "lineno", 1))
            said = f"{reason.msg} at column {reason.colno}" if isinstance(reason, json.JSONDecodeError) else reason
            raise _WrongLine(at, f"This is not JSON: {said}.") from None
    if not values:
        raise _WrongLine(1, _NO_RESULTS)
    for number, value in values:
        yield _result(value, number)


def _result(value: object, line: int, which: str = "") -> CaseResult:
    try:
        return from_json(value)
    except ValueError as error:
        raise _WrongLine(line, f"{which}This is no result of `rubric grade`: {error}") from None
