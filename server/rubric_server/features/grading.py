"""Grading from the editor: one case, one criterion, or a whole file. The work is done by the worker."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from pygls.exceptions import JsonRpcInvalidParams

from rubric_core.assist.by_chunk import read_all
from rubric_core.assist.grades import CasePlace, places_before
from rubric_core.files.project import DiskProject
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.options import Options
from rubric_core.model.load import load_all, load_text
from rubric_core.model.suite import EvalCase, Suite
from rubric_core.syntax.chunks import Chunk
from rubric_server.app import RubricServer
from rubric_server.arguments import GradeArguments
from rubric_server.documents import Analysed
from rubric_server.grading.command_target import CaseCommand, CommandTarget, current_place
from rubric_server.grading.run import CaseSource, ClientRun, case_from, config_of, file_of
from rubric_server.progress import Token
from rubric_server.protocol.converter import JsonText


async def grade_case(server: RubricServer, command: CaseCommand, token: Token | None) -> JsonText:
    """Grade the case at a position, or of an id."""
    return await _grade_one(server, command.params, command.target._replace(criterion=None, evaluator=None), token)


async def grade_criterion(server: RubricServer, command: CaseCommand, token: Token | None) -> JsonText:
    """Grade one criterion of a case: the one at a position, or of an id."""
    if command.target.criterion is None:
        raise JsonRpcInvalidParams("No criterion at the cursor. Move it to a criterion and try again.")
    return await _grade_one(server, *command, token)


async def _grade_one(
    server: RubricServer, params: GradeArguments, target: CommandTarget, token: Token | None
) -> JsonText:
    path, case_id, criterion = file_of(params.uri), target.case_id, target.criterion
    open_file = server.documents.analysed(params.uri)
    config = config_of(server, path, open_file)
    if open_file is not None:
        place = await server.work.run(current_place(open_file.analysis, target))
        case = case_from(open_file, place, path)
        cases = CaseSource(case_id, config, lambda: (case,), place_of=lambda _id: place)
    else:
        cases = CaseSource(case_id, config, lambda: _chosen(load_all(path, config), frozenset({case_id}))[:1])
    given = {} if params.answer is None else {case_id: params.answer}
    options = Options(
        samples=max(params.samples or 1, 1),
        criteria=None if criterion is None else frozenset({criterion}),
        evaluator=target.evaluator,
    )
    return await ClientRun(server, params, path, cases, given, options).graded(token)


async def grade_file(server: RubricServer, params: GradeArguments, token: Token | None) -> JsonText:
    """Grade all cases of a file, or those that are named."""
    path = file_of(params.uri)
    name = Path(path).name
    wanted = frozenset(params.case_ids) if params.case_ids is not None else None
    open_file = server.documents.analysed(params.uri)
    config = config_of(server, path, open_file)
    if open_file is not None:
        await server.work.run(read_all(open_file.analysis))
        text, problems = open_file.document.text.text, tuple(open_file.analysis.problems())
        count = open_file.analysis.facts.case_count
        dialect = open_file.analysis.facts.suite.dialect
        files = DiskProject(path, config)
        cases = CaseSource(
            name,
            config,
            lambda: _chosen(
                load_text(text, path, problems=problems, config=config, dialect=dialect, files=files), wanted
            ),
            count if wanted is None else len(wanted),
            _graded_chunks(open_file),
        )
    else:
        cases = CaseSource(name, config, lambda: _chosen(load_all(path, config), wanted), len(wanted or ()))
    given = {name: each for name, each in (params.answers or {}).items() if isinstance(each, str)}
    options = Options(samples=max(params.samples or 1, 1))
    return await ClientRun(server, params, path, cases, given, options, bool(params.resume)).graded(token)


def _chosen(suites: Iterable[Suite], wanted: frozenset[str] | None) -> tuple[EvalCase, ...]:
    """Return the cases that are wanted, all where none are named. Raise CannotGrade where one is not there."""
    cases = tuple(case for suite in suites for case in suite.cases if wanted is None or case.id in wanted)
    unknown = sorted((wanted or frozenset()) - {case.id for case in cases})
    if unknown:
        raise CannotGrade(f"There is no case {unknown[0]} in this file.")
    return cases


def _graded_chunks(open_file: Analysed) -> Callable[[str], CasePlace | None]:
    """Remember the text that is graded, and return what finds a case in it, whatever is typed meanwhile."""
    analysis = open_file.analysis
    chunks: dict[str, Chunk] = {}
    for chunk, outline in analysis.facts.outlines.items():
        for node in outline.ids:
            chunks.setdefault(node.value, chunk)

    def find(case_id: str) -> CasePlace | None:
        chunk = chunks.get(case_id)
        places = places_before(analysis, chunk, case_id) if chunk is not None else ()
        return next((place for place in places if place.case_id == case_id), None)

    return find
