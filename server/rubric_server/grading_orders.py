"""From what a client asks for to an order for the desk, and from its outcome to the answer."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_core.assist.grades import places_before
from rubric_core.config.config import merged
from rubric_core.grading.exact_json import write
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.options import DEFAULT_OPTIONS, Options
from rubric_core.grading.result_json import to_json
from rubric_core.model.load import CannotLoad, load_all, load_around, load_text
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.text.spans import Span
from rubric_server.addresses import path_of
from rubric_server.disk import loaded_config
from rubric_server.features.graded import grade_of, tell_case, tell_end
from rubric_server.grading_work import Grading, NoAnswer, Order
from rubric_server.progress import GradingProgress
from rubric_server.protocol.converter import JsonText
from rubric_server.protocol.errors import INVALID_PARAMS, RequestError
from rubric_server.talk import Talk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from rubric_core.analysis.analysis import Analysis
    from rubric_core.assist.grades import CasePlace
    from rubric_core.config.config import Config
    from rubric_core.grading.results import CaseResult
    from rubric_core.model.suite import EvalCase, Suite
    from rubric_core.rules.problem import Problem
    from rubric_core.syntax.chunks import Chunk
    from rubric_server.app import RubricServer
    from rubric_server.arguments import GradeArguments
    from rubric_server.asked import AskedCase
    from rubric_server.documents import Analysed
    from rubric_server.grading_work import GradingOutcome
    from rubric_server.stops import Token

_CASES = frozenset({ChunkKind.ITEM, ChunkKind.LINE})
_CASES_EDITED_AT_ONCE = 4


async def grade_one(
    server: RubricServer,
    params: GradeArguments,
    asked: AskedCase,
    standing: tuple[Analysed, CasePlace] | None,
    token: Token | None,
) -> JsonText:
    """Grade one case; `standing` is where it stands, if its file is open."""
    path, case_id, criterion = file_of(params.uri), asked.case_id, asked.criterion
    place = None
    if standing is not None:
        open_file, place = standing
        config = open_file.document.config
        case = case_from(open_file, place, path)

        def load() -> tuple[EvalCase, ...]:
            return (case,)
    else:
        config = config_of(server, path)

        def load() -> tuple[EvalCase, ...]:
            return (_case_on_disk(path, config, case_id),)

    given = {} if params.answer is None else {case_id: params.answer}
    chosen = Options(criteria=None if criterion is None else frozenset({criterion}), evaluator=asked.evaluator)
    order = _order(server, params, config, load, case_id, given=given, options=chosen)
    return await _graded(
        server, params.uri, order, token, title=f"Grading {case_id}", total=1, graded=lambda _id: place
    )


async def grade_many(
    server: RubricServer, params: GradeArguments, open_file: Analysed | None, token: Token | None
) -> JsonText:
    """Grade the cases of a file, all or those that are named. They are built at the desk: there may be thousands."""
    path = file_of(params.uri)
    wanted = frozenset(params.case_ids) if params.case_ids is not None else None
    if open_file is not None:
        config = open_file.document.config
        text, problems = open_file.document.text.text, tuple(open_file.analysis.problems())
        total = open_file.analysis.facts.case_count
        graded = _graded_chunks(open_file)

        def load() -> tuple[EvalCase, ...]:
            return _wanted(load_text(text, path, problems=problems, config=config), wanted)
    else:
        config = config_of(server, path)
        total, graded = 0, _nowhere

        def load() -> tuple[EvalCase, ...]:
            return _wanted(load_all(path, config), wanted)

    given = {name: each for name, each in (params.answers or {}).items() if isinstance(each, str)}
    name = Path(path).name
    order = _order(server, params, config, load, name, given=given, resume=bool(params.resume))
    count = total if wanted is None else len(wanted)
    return await _graded(server, params.uri, order, token, title=f"Grading {name}", total=count, graded=graded)


def _order(  # noqa: PLR0913 - what is graded, and how.
    server: RubricServer,
    params: GradeArguments,
    config: Config,
    cases: Callable[[], tuple[EvalCase, ...]],
    name: str,
    *,
    given: Mapping[str, str],
    options: Options = DEFAULT_OPTIONS,
    resume: bool = False,
) -> Order:
    """Return an order for cases of a file, with what the client chose for them."""
    path = file_of(params.uri)
    return Order(
        path=path,
        config=config,
        cases=cases,
        project=server.workspace.project_of(path),
        command=f"grade {name} in the editor",
        judge=params.judge,
        target=params.target,
        given=given,
        options=replace(options, samples=max(params.samples or 1, 1)),
        resume=resume,
    )


def _wanted(suites: Iterable[Suite], wanted: frozenset[str] | None) -> tuple[EvalCase, ...]:
    """Return the cases that are wanted, all where none are named. Raises CannotGrade where one is not there."""
    cases = tuple(case for suite in suites for case in suite.cases if wanted is None or case.id in wanted)
    missing = sorted((wanted or frozenset()) - {case.id for case in cases})
    if missing:
        raise CannotGrade(f"There is no case {missing[0]} in this file.")
    return cases


async def _graded(  # noqa: PLR0913 - an order, and how the client is told of it.
    server: RubricServer,
    uri: str,
    order: Order,
    token: Token | None,
    *,
    title: str,
    total: int,
    graded: Callable[[str], CasePlace | None],
) -> JsonText:
    """Carry out an order at the desk. `graded` gives a case as it stood in the text that is graded."""
    open_file = server.documents.analysed(uri)
    about: dict[str, Any] = {
        "uri": uri,
        "version": open_file.document.version if open_file is not None else None,
        "total": total,
        "done": 0,
    }
    progress = GradingProgress(server, token, title, total)

    def take(result: CaseResult) -> None:
        about["done"] += 1
        open_file = server.documents.analysed(uri)
        if open_file is not None:
            _read_edits(open_file.analysis)
        grade = grade_of(result, graded(result.eval_id))
        tell_case(server, about, open_file, result, grade)
        progress.step(f"{grade.case_id} {grade.state}")

    def count(cases: int) -> None:
        about["total"] = progress.total = cases

    loop = asyncio.get_running_loop()
    grading = Grading(
        order,
        Talk(server, progress.token),
        tell=lambda result: loop.call_soon_threadsafe(take, result),
        count=lambda cases: loop.call_soon_threadsafe(count, cases),
    )
    if progress.token is not None:
        server.stops.begin(progress.token, grading.stop)
    server.gradings.running[uri] += 1
    state = "failed"
    try:
        outcome = await asyncio.wrap_future(server.desk.begin(grading.run()))
        state = "stopped" if outcome.stopped else "done"
    except asyncio.CancelledError:
        state = "stopped"
        raise
    except NoAnswer as failure:
        raise RequestError(failure.reason, data={"reason": "no-answer", "caseId": failure.case_id}) from None
    except (CannotGrade, CannotLoad) as failure:
        raise RequestError(failure.reason) from None
    finally:
        if progress.token is not None:
            server.stops.end(progress.token)
        server.gradings.running -= Counter([uri])
        progress.end(state)
        tell_end(server, about, state)
    return _answer(outcome)


def _read_edits(analysis: Analysis) -> None:
    """Read the cases that were edited last: a result may come between an edit and the work that follows it."""
    for _ in range(_CASES_EDITED_AT_ONCE):
        analysis.step()


def _answer(outcome: GradingOutcome) -> JsonText:
    """Return the answer to a request that graded."""
    results = [to_json(result) for result in outcome.results]
    return JsonText(write({"run": outcome.run, "stopped": outcome.stopped, "results": results}))


def file_of(uri: str) -> str:
    """Return the path behind an address. Raise RequestError where there is no file."""
    path = path_of(uri)
    if not path:
        raise RequestError("Save the file first; grading keeps its results beside it.", INVALID_PARAMS)
    return path


def config_of(server: RubricServer, path: str) -> Config:
    """Return the configuration of a file that is not open."""
    return merged(loaded_config(Path(path).parent).config, server.overrides)


def case_from(open_file: Analysed, place: CasePlace, path: str) -> EvalCase:
    """Build one case of an open file. Raise RequestError where it cannot be built at all."""
    document, analysis = open_file
    problems = _problems_around(analysis, place.span.start)
    suite = load_around(document.text, place.span.start, path, problems)
    case = next((case for case in suite.cases if case.id == place.case_id), None)
    if case is None:
        raise RequestError(f"The case {place.case_id} cannot be read; correct it first.")
    return case


def _case_on_disk(path: str, config: Config, case_id: str) -> EvalCase:
    """Load one case of a file that is not open, at the desk. Raises CannotGrade, or CannotLoad."""
    case = next((case for suite in load_all(path, config) for case in suite.cases if case.id == case_id), None)
    if case is None:
        raise CannotGrade(f"There is no case {case_id} in {Path(path).name}; name one by its `caseId`.")
    return case


def _problems_around(analysis: Analysis, offset: int) -> tuple[Problem, ...]:
    """Return the problems of the case at an offset, and of what all cases share."""
    document = analysis.document
    own = document.chunk_at(offset)
    found: list[Problem] = []
    for index, chunk in enumerate(document.chunks):
        if index == own or chunk.kind not in _CASES:
            start = document.start_of(index)
            found += analysis.problems_at(Span(start, start))
    return tuple(found)


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


def _nowhere(_case_id: str) -> None:
    """Return no place: the file is not open."""
