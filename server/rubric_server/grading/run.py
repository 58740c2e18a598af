"""Runs for the client: a request becomes a run on the worker thread, and each result is told at once."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.grades import CasePlace, places_before
from rubric_core.config.config import Config, merged
from rubric_core.grading.exact_json import write
from rubric_core.grading.failures import CannotGrade, GradingFailed, PersonStopped
from rubric_core.grading.judges.judge import Judge
from rubric_core.grading.judges.replay import ReplayJudge, find_recording
from rubric_core.grading.options import Options
from rubric_core.grading.questions import chosen_criteria, criterion_ids
from rubric_core.grading.result_json import to_json
from rubric_core.grading.results import CaseResult
from rubric_core.grading.service import GradingService
from rubric_core.grading.sources import Sources
from rubric_core.grading.store.store import Store
from rubric_core.grading.targets.targets import REPLAY, Targets, recording_folders
from rubric_core.model.evaluators import LlmJudge
from rubric_core.model.load import CannotLoad, load_all, load_around, load_text
from rubric_core.model.suite import EvalCase, Suite
from rubric_core.rules.problem import Problem
from rubric_core.syntax.chunks import Chunk, ChunkKind
from rubric_core.text.spans import Span
from rubric_server.addresses import path_of
from rubric_server.app import RubricServer
from rubric_server.arguments import GradeArguments
from rubric_server.disk import loaded_config
from rubric_server.documents import Analysed
from rubric_server.grading.cancellation import Token
from rubric_server.grading.client_judge import ClientJudge
from rubric_server.grading.client_requests import ClientRequests
from rubric_server.grading.command_target import CommandTarget
from rubric_server.grading.notifications import grade_of, tell_case, tell_end
from rubric_server.progress import GradingProgress
from rubric_server.protocol.converter import JsonText
from rubric_server.protocol.errors import INVALID_PARAMS, RequestError

_CASES = frozenset({ChunkKind.ITEM, ChunkKind.LINE})
_CASES_EDITED_AT_ONCE = 4


async def grade_one(
    server: RubricServer,
    params: GradeArguments,
    asked: CommandTarget,
    standing: tuple[Analysed, CasePlace] | None,
    token: Token | None,
) -> JsonText:
    """Grade one case; `standing` is where it stands, if its file is open."""
    path, case_id, criterion = file_of(params.uri), asked.case_id, asked.criterion
    if standing is not None:
        open_file, place = standing
        case = case_from(open_file, place, path)
        cases = _CaseSource(case_id, open_file.document.config, lambda: (case,), place_of=lambda _id: place)
    else:
        config = config_of(server, path)
        cases = _CaseSource(case_id, config, partial(_case_on_disk, path, config, case_id))
    given = {} if params.answer is None else {case_id: params.answer}
    options = Options(
        samples=max(params.samples or 1, 1),
        criteria=None if criterion is None else frozenset({criterion}),
        evaluator=asked.evaluator,
    )
    return await _ClientRun(server, params, cases, given, options).graded(token)


async def grade_many(
    server: RubricServer, params: GradeArguments, open_file: Analysed | None, token: Token | None
) -> JsonText:
    """Grade the cases of a file, all or those that are named."""
    path = file_of(params.uri)
    name = Path(path).name
    wanted = frozenset(params.case_ids) if params.case_ids is not None else None
    if open_file is not None:
        config = open_file.document.config
        text, problems = open_file.document.text.text, tuple(open_file.analysis.problems())
        count = open_file.analysis.facts.case_count
        cases = _CaseSource(
            name,
            config,
            lambda: _wanted(load_text(text, path, problems=problems, config=config), wanted),
            count if wanted is None else len(wanted),
            _graded_chunks(open_file),
        )
    else:
        config = config_of(server, path)
        cases = _CaseSource(name, config, lambda: _wanted(load_all(path, config), wanted), len(wanted or ()))
    given = {name: each for name, each in (params.answers or {}).items() if isinstance(each, str)}
    options = Options(samples=max(params.samples or 1, 1))
    return await _ClientRun(server, params, cases, given, options, bool(params.resume)).graded(token)


class _CaseSource(NamedTuple):
    """The cases of a run. `load` builds them on the worker thread, because there may be thousands.

    `total` is how many there are, as far as that is known; `place_of` finds a case in the text that is graded.
    """

    name: str
    config: Config
    load: Callable[[], tuple[EvalCase, ...]]
    total: int = 1
    place_of: Callable[[str], CasePlace | None] = lambda _case_id: None


class _NoAnswer(CannotGrade):
    """The one case of a run has no answer, and no target that could give one."""

    def __init__(self, reason: str, case_id: str) -> None:
        super().__init__(reason)
        self.case_id = case_id


@dataclass
class _ClientRun:
    """One run for the client. `_grade` and what it calls work on the worker thread and touch no state of the server."""

    _server: RubricServer
    _params: GradeArguments
    _cases: _CaseSource
    _given: Mapping[str, str]
    _options: Options
    _resume: bool = False
    _task: asyncio.Task[tuple[int | None, tuple[CaseResult, ...]]] | None = None
    _is_stopped: bool = False

    def __post_init__(self) -> None:
        """Find the file, and the project whose store keeps the results."""
        self._path = file_of(self._params.uri)
        self._project = self._server.workspace.project_of(self._path)

    async def graded(self, token: Token | None) -> JsonText:
        """Grade the cases and return the answer to the request."""
        server, uri = self._server, self._params.uri
        open_file = server.documents.analysed(uri)
        version = open_file.document.version if open_file is not None else None
        self._about: dict[str, Any] = {"uri": uri, "version": version, "total": self._cases.total, "done": 0}
        self._progress = GradingProgress(server, token, f"Grading {self._cases.name}", self._cases.total)
        self._client = ClientRequests(server, self._progress.token)
        self._loop = asyncio.get_running_loop()
        server.cancellations.begin(self._progress.token, self.stop)
        server.grades.running[uri] += 1
        state = "failed"
        try:
            run, results = await asyncio.wrap_future(server.grading_worker.submit(self._until_stopped()))
            state = "stopped" if self._is_stopped else "done"
        except asyncio.CancelledError:
            state = "stopped"
            raise
        except _NoAnswer as failure:
            raise RequestError(failure.reason, data={"reason": "no-answer", "caseId": failure.case_id}) from None
        except (CannotGrade, CannotLoad) as failure:
            raise RequestError(failure.reason) from None
        finally:
            server.cancellations.end(self._progress.token)
            server.grades.running -= Counter([uri])
            self._progress.end(state)
            tell_end(server, self._about, state)
        told = [to_json(result) for result in results]
        return JsonText(write({"run": run, "stopped": self._is_stopped, "results": told}))

    def stop(self) -> None:
        """End every call; what was judged is kept, and the answer says that it was stopped. Any thread may call it."""
        self._is_stopped = True
        if self._task is not None:
            self._task.get_loop().call_soon_threadsafe(self._task.cancel)

    def _count(self, cases: int) -> None:
        self._about["total"] = self._progress.total = cases

    def _take(self, result: CaseResult) -> None:
        self._about["done"] += 1
        open_file = self._server.documents.analysed(self._params.uri)
        # A result may come between an edit and the work that follows it, so the cases that were edited last are read.
        if open_file is not None:
            for _ in range(_CASES_EDITED_AT_ONCE):
                open_file.analysis.step()
        grade = grade_of(result, self._cases.place_of(result.eval_id))
        tell_case(self._server, self._about, open_file, result, grade)
        self._progress.step(f"{grade.case_id} {grade.state}")

    async def _until_stopped(self) -> tuple[int | None, tuple[CaseResult, ...]]:
        """Return the number of the run in the store, if it came so far, and its results. Raises CannotGrade."""
        self._task = asyncio.ensure_future(self._grade())
        if self._is_stopped:
            self._task.cancel()
        try:
            return await self._task
        except asyncio.CancelledError:
            # Cancelled from outside, nobody waits for the answer.
            if not self._is_stopped:
                raise
            return None, ()

    async def _grade(self) -> tuple[int | None, tuple[CaseResult, ...]]:
        sources = await self._sources()
        try:
            with Store.open(Store.at(self._project)) as store:
                return await self._grade_in(store, sources)
        finally:
            await sources.close()

    async def _sources(self) -> Sources:
        """Resolve judges and answers. The client may keep secrets, and may be a judge itself."""
        path, config, judge = self._path, self._cases.config, self._params.judge
        missing = Targets(path, config).missing_variables
        environment = {**os.environ, **await self._client.secrets(missing)}
        judges: dict[str, Judge] = {kind: ClientJudge(kind, self._client, path) for kind in self._client.judges}
        if judge is not None and judge.startswith(REPLAY):
            # The folder that the server was started in means nothing to whoever sits at the editor.
            folders = (Path(path).parent, self._project, *recording_folders(path, config))
            judges[judge] = ReplayJudge(find_recording(judge.removeprefix(REPLAY), folders), judge)
        return Sources(
            {path: config},
            judge=judge,
            target=self._params.target,
            given=self._given,
            environment=environment,
            judges=judges,
        )

    async def _grade_in(self, store: Store, sources: Sources) -> tuple[int, tuple[CaseResult, ...]]:
        cases = self._cases.load()
        _refuse_unknown_criteria(cases, self._options)
        self._loop.call_soon_threadsafe(self._count, len(cases))
        service = GradingService(cases, sources, self._options, resume=self._resume)
        plan = service.plan(store)
        if len(cases) == plan.unanswered == 1:
            await _explain(cases[0], sources)
        run = service.begin(store, f"grade {self._cases.name} in the editor")
        try:
            await service.run(plan, lambda result: self._loop.call_soon_threadsafe(self._take, result))
        except PersonStopped:
            self._is_stopped = True
        except asyncio.CancelledError:
            if not self._is_stopped:
                service.end(stopped=True)
                raise
        return run, service.end(stopped=self._is_stopped)


def _refuse_unknown_criteria(cases: Sequence[EvalCase], options: Options) -> None:
    judges = (each for case in cases for each in case.evaluators if isinstance(each, LlmJudge))
    if options.criteria is None or any(chosen_criteria(judge, options) for judge in judges):
        return
    known = sorted(frozenset().union(*map(criterion_ids, cases)))
    hint = f"it has {', '.join(known)}" if known else "it has none"
    raise CannotGrade(f"There is no criterion {', '.join(sorted(options.criteria))} in this case; {hint}.")


async def _explain(case: EvalCase, sources: Sources) -> None:
    """Raise _NoAnswer with the ways to an answer, instead of an error in the result."""
    try:
        await sources.answer_of(case)
    except GradingFailed as failure:
        raise _NoAnswer(failure.reason, case.id) from None


def _wanted(suites: Iterable[Suite], wanted: frozenset[str] | None) -> tuple[EvalCase, ...]:
    """Return the cases that are wanted, all where none are named. Raises CannotGrade where one is not there."""
    cases = tuple(case for suite in suites for case in suite.cases if wanted is None or case.id in wanted)
    missing = sorted((wanted or frozenset()) - {case.id for case in cases})
    if missing:
        raise CannotGrade(f"There is no case {missing[0]} in this file.")
    return cases


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
    suite = load_around(document.text, place.span.start, path, problems, document.config)
    case = next((case for case in suite.cases if case.id == place.case_id), None)
    if case is None:
        raise RequestError(f"The case {place.case_id} cannot be read; correct it first.")
    return case


def _case_on_disk(path: str, config: Config, case_id: str) -> tuple[EvalCase, ...]:
    """Load one case of a file that is not open. Raises CannotGrade, or CannotLoad."""
    case = next((case for suite in load_all(path, config) for case in suite.cases if case.id == case_id), None)
    if case is None:
        raise CannotGrade(f"There is no case {case_id} in {Path(path).name}; name one by its `caseId`.")
    return (case,)


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
