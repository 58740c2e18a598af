"""The cases that a command is about. A test of the text may be several cases, which have ids that no text has."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.by_chunk import read_all
from rubric_core.assist.case_grades import CasePlace, places_before
from rubric_core.config.config import Config, merged
from rubric_core.files.project import DiskProject
from rubric_core.grading.failures import CannotGrade
from rubric_core.model.load import load_all, load_around, load_text
from rubric_core.model.suite import EvalCase, Suite
from rubric_core.rules.problem import Problem
from rubric_core.syntax.chunks import Chunk, ChunkKind
from rubric_core.text.spans import Span
from rubric_server.app import RubricServer
from rubric_server.documents import Analysed
from rubric_server.grading.command_target import CommandTarget, current_place
from rubric_server.protocol.errors import RequestError
from rubric_server.workspace import loaded_config

_CASES = frozenset({ChunkKind.ITEM, ChunkKind.LINE})


class CaseSource(NamedTuple):
    """The cases of a run. `load` builds them on the worker thread, because there may be thousands.

    `total` is how many there are, as far as that is known; `place_of` finds the test of an id in the text that is
    graded. `is_whole` means that each test is there with all its cases.
    """

    name: str
    config: Config
    load: Callable[[], tuple[EvalCase, ...]]
    total: int = 1
    place_of: Callable[[str], CasePlace | None] = lambda _test_id: None
    is_whole: bool = False


async def cases_of_file(server: RubricServer, path: str, open_file: Analysed | None, name: str) -> CaseSource:
    """Return all cases of a file, as it is in the editor or else on the disk."""
    config = config_of(server, path, open_file)
    if open_file is None:
        return CaseSource(name, config, lambda: _all(load_all(path, config)), 0, is_whole=True)
    load = await _loader(server, path, open_file)
    count = open_file.analysis.facts.case_count
    return CaseSource(name, config, lambda: _all(load()), count, _graded_chunks(open_file), is_whole=True)


async def _loader(server: RubricServer, path: str, open_file: Analysed) -> Callable[[], tuple[Suite, ...]]:
    """Return what builds the suites of the text as it is now, with the problems of the whole file."""
    document, analysis = open_file
    await server.work.run(read_all(analysis))
    text, config, problems = document.text.text, document.config, tuple(analysis.problems())
    dialect = analysis.facts.dialect

    def load() -> tuple[Suite, ...]:
        files = DiskProject(path, config)
        return load_text(text, path, problems=problems, config=config, dialect=dialect, files=files)

    return load


def only(source: CaseSource, ids: Collection[str]) -> CaseSource:
    """Return the cases of some ids: those of cases, or of tests, each of which may be several cases."""

    def load() -> tuple[EvalCase, ...]:
        cases = tuple(case for case in source.load() if case.id in ids or case.test_id in ids)
        unknown = sorted(frozenset(ids).difference(*({case.id, case.test_id} for case in cases)))
        if unknown:
            raise CannotGrade(f"There is no case {unknown[0]} in this file.")
        return cases

    return source._replace(load=load, total=len(ids), is_whole=False)


async def cases_of_target(
    server: RubricServer, path: str, open_file: Analysed | None, target: CommandTarget
) -> CaseSource:
    """Return the cases of one test, or one of them by its own id. Raise RequestError where it cannot be built."""
    place = None
    if open_file is not None:
        place = await server.work.run(current_place(open_file.analysis, target))
    if open_file is None or place is None:
        return only(await cases_of_file(server, path, open_file, target.case_id), {target.case_id})
    config = open_file.document.config
    if open_file.analysis.facts.dialect.names_by_description:
        # What a test is called depends on those before it.
        load, start = await _loader(server, path, open_file), place.span.start
        name = target.case_id or "the test at the cursor"
        return CaseSource(name, config, lambda: _starting_at(load(), start), 1, lambda _: place, is_whole=True)
    cases = _cases_at(open_file, place, path)
    return CaseSource(target.case_id, config, lambda: cases, len(cases), lambda _: place, is_whole=True)


def config_of(server: RubricServer, path: str, open_file: Analysed | None) -> Config:
    """Return the configuration of a file, open or not."""
    if open_file is not None:
        return open_file.document.config
    return merged(loaded_config(Path(path).parent).config, server.overrides)


def _all(suites: Iterable[Suite]) -> tuple[EvalCase, ...]:
    return tuple(case for suite in suites for case in suite.cases)


def _starting_at(suites: Iterable[Suite], start: int) -> tuple[EvalCase, ...]:
    """Return the cases that are made of the test at a place."""
    placed = [(case, suite.span_of("cases", index)) for suite in suites for index, case in enumerate(suite.cases)]
    cases = tuple(case for case, span in placed if span is not None and span.start == start)
    if not cases:
        raise CannotGrade("The test at the cursor cannot be read; correct it first.")
    return cases


def _cases_at(open_file: Analysed, place: CasePlace, path: str) -> tuple[EvalCase, ...]:
    """Build the cases of one test of an open file. Raise RequestError where it cannot be built at all."""
    document, analysis = open_file
    suite = load_around(
        document.text,
        place.span.start,
        path,
        _problems_around(analysis, place.span.start),
        document.config,
        dialect=analysis.facts.dialect,
        files=DiskProject(path, document.config),
    )
    starts = [suite.span_of("cases", index) for index in range(len(suite.cases))]
    cases = tuple(
        case
        for case, span in zip(suite.cases, starts, strict=True)
        if case.test_id == place.case_id and span is not None and span.start == place.span.start
    )
    if not cases:
        raise RequestError(f"The case {place.case_id} cannot be read; correct it first.")
    return cases


def _problems_around(analysis: Analysis, offset: int) -> tuple[Problem, ...]:
    """Return the problems of the case at an offset, and of what all cases share."""
    document = analysis.document
    own = document.chunk_at(offset)
    problems: list[Problem] = []
    for index, chunk in enumerate(document.chunks):
        if index == own or chunk.kind not in _CASES:
            start = document.start_of(index)
            problems += analysis.problems_at(Span(start, start))
    return tuple(problems)


def _graded_chunks(open_file: Analysed) -> Callable[[str], CasePlace | None]:
    """Remember the text that is graded, and return what finds a test in it, whatever is typed meanwhile."""
    analysis = open_file.analysis
    chunks: dict[str, Chunk] = {}
    for chunk, outline in analysis.facts.outlines.items():
        for node in outline.ids:
            chunks.setdefault(node.value, chunk)

    def find(test_id: str) -> CasePlace | None:
        chunk = chunks.get(test_id)
        places = places_before(analysis, chunk, test_id) if chunk is not None else ()
        return next((place for place in places if place.case_id == test_id), None)

    return find
