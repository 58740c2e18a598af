"""The cases of a command. A test of the text may be several cases, whose ids are not in the text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import NamedTuple

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
from rubric_core.views.test_names import has_ids
from rubric_server.app import RubricServer
from rubric_server.documents import Analysed
from rubric_server.grading.command_target import CommandTarget, current_place
from rubric_server.protocol.converter import RequestError
from rubric_server.workspace import loaded_config

_CASES = frozenset({ChunkKind.ITEM, ChunkKind.LINE})


class CaseSource(NamedTuple):
    """The cases of a run. `load` builds them on the worker thread, because there may be thousands.

    `total` is their number, if known; `place_of` finds the test of an id in the graded text. `is_whole` means that each
    test has all its cases.
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
    """Return a function that builds the suites of the current text, with the problems of the whole file."""
    document, analysis = open_file
    await server.work.run(read_all(analysis))
    text, config, problems = document.text.text, document.config, tuple(analysis.problems())
    dialect = analysis.facts.dialect

    def load() -> tuple[Suite, ...]:
        files = DiskProject(path, config)
        return load_text(text, path, problems=problems, config=config, dialect=dialect, files=files)

    return load


def only(source: CaseSource, ids: Collection[str]) -> CaseSource:
    """Return the cases of some ids, which are those of cases or of tests."""

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
    """Return the cases of one test, or one of them by its own id. Raise RequestError if it cannot be built."""
    place = None
    if open_file is not None:
        place = await server.work.run(current_place(open_file.analysis, target))
    if open_file is None or place is None:
        return only(await cases_of_file(server, path, open_file, target.case_id), {target.case_id})
    config = open_file.document.config
    if not has_ids(open_file.analysis.facts.dialect):
        # The name of a test depends on the tests before it.
        load, start = await _loader(server, path, open_file), place.span.start
        name = target.case_id or "the test at the cursor"

        def load_test() -> tuple[EvalCase, ...]:
            cases = _cases_at(start, load())
            if not cases:
                raise CannotGrade("The test at the cursor cannot be read; correct it first.")
            return cases

        return CaseSource(name, config, load_test, 1, lambda _: place, is_whole=True)
    cases = _cases_at(place.span.start, [_suite_around(open_file, place.span.start, path)])
    if not cases:
        raise RequestError(f"The case {place.case_id} cannot be read; correct it first.")
    return CaseSource(target.case_id, config, lambda: cases, len(cases), lambda _: place, is_whole=True)


def config_of(server: RubricServer, path: str, open_file: Analysed | None) -> Config:
    """Return the configuration of a file, open or not."""
    if open_file is not None:
        return open_file.document.config
    return merged(loaded_config(Path(path).parent).config, server.overrides)


def _all(suites: Iterable[Suite]) -> tuple[EvalCase, ...]:
    return tuple(case for suite in suites for case in suite.cases)


def _cases_at(start: int, suites: Iterable[Suite]) -> tuple[EvalCase, ...]:
    placed = [(case, suite.span_of("cases", index)) for suite in suites for index, case in enumerate(suite.cases)]
    return tuple(case for case, span in placed if span is not None and span.start == start)


def _suite_around(open_file: Analysed, offset: int, path: str) -> Suite:
    """Build the test at an offset of an open file, with its problems and those of the parts that all cases share."""
    document, analysis = open_file
    text, dialect, files = document.text, analysis.facts.dialect, DiskProject(path, document.config)
    problems: list[Problem] = []
    for index, chunk in enumerate(text.chunks):
        if index == text.chunk_at(offset) or chunk.kind not in _CASES:
            start = text.start_of(index)
            problems += analysis.problems_at(Span(start, start))
    return load_around(text, offset, path, tuple(problems), document.config, dialect=dialect, files=files)


def _graded_chunks(open_file: Analysed) -> Callable[[str], CasePlace | None]:
    """Return a function that finds a test in the graded text, whatever is edited later."""
    analysis = open_file.analysis
    chunks: dict[str, Chunk] = {}
    for chunk, outline in analysis.facts.by_chunk.items():
        for node in outline.ids:
            chunks.setdefault(node.value, chunk)

    def find(test_id: str) -> CasePlace | None:
        chunk = chunks.get(test_id)
        places = places_before(analysis, chunk, test_id) if chunk is not None else ()
        return next((place for place in places if place.case_id == test_id), None)

    return find
