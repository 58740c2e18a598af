"""Runs for the client: a request becomes a run on the worker thread, and each result is told at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pygls.exceptions import JsonRpcInvalidParams

from rubric_core.analysis.analysis import Analysis
from rubric_core.assist.grades import CasePlace
from rubric_core.config.config import Config, merged
from rubric_core.files.project import DiskProject
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
from rubric_core.grading.targets.targets import REPLAY, recording_folders
from rubric_core.model.evaluators import LlmJudge
from rubric_core.model.load import CannotLoad, load_around
from rubric_core.model.suite import EvalCase
from rubric_core.rules.problem import Problem
from rubric_core.syntax.chunks import ChunkKind
from rubric_core.text.spans import Span
from rubric_server.addresses import path_of
from rubric_server.app import RubricServer
from rubric_server.arguments import GradeArguments
from rubric_server.documents import Analysed
from rubric_server.grading.client_judge import ClientJudge
from rubric_server.grading.client_requests import ClientRequests
from rubric_server.grading.notifications import grade_of, tell_case, tell_end
from rubric_server.progress import GradingProgress, Token
from rubric_server.protocol.converter import JsonText
from rubric_server.protocol.errors import RequestError
from rubric_server.workspace import loaded_config

_CASES = frozenset({ChunkKind.ITEM, ChunkKind.LINE})
_CASES_EDITED_AT_ONCE = 4


class CaseSource(NamedTuple):
    """The cases of a run. `load` builds them on the worker thread, because there may be thousands.

    `total` is how many there are, as far as that is known; `place_of` finds a case in the text that is graded.
    """

    name: str
    config: Config
    load: Callable[[], tuple[EvalCase, ...]]
    total: int = 1
    place_of: Callable[[str], CasePlace | None] = lambda _case_id: None


@dataclass
class ClientRun:
    """One run for the client. `_grade` and what it calls work on the worker thread and touch no state of the server."""

    server: RubricServer
    params: GradeArguments
    path: str
    cases: CaseSource
    # The answers by case id.
    given: Mapping[str, str]
    options: Options
    resume: bool = False
    _task: asyncio.Task[Any] | None = None
    _is_stopped: bool = False

    async def graded(self, token: Token | None) -> JsonText:
        """Grade the cases and return the answer to the request."""
        server, uri = self.server, self.params.uri
        open_file = server.documents.analysed(uri)
        version = open_file.document.version if open_file is not None else None
        self._about: dict[str, Any] = {"uri": uri, "version": version, "total": self.cases.total, "done": 0}
        self._project = server.workspace.project_of(self.path)
        self._progress = GradingProgress(server, token, f"Grading {self.cases.name}", self.cases.total)
        self._client = ClientRequests(server, self._progress.token)
        self._loop = asyncio.get_running_loop()
        server.cancellations.begin(self._progress.token, self.stop)
        server.grades.running[uri] += 1
        state = "failed"
        try:
            run, results = await asyncio.wrap_future(server.grading_worker.submit(self._grade()))
            state = "stopped" if self._is_stopped else "done"
        except asyncio.CancelledError:
            state = "stopped"
            raise
        except CannotLoad as failure:
            raise RequestError(failure.reason) from None
        finally:
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
        open_file = self.server.documents.analysed(self.params.uri)
        # A result may come between an edit and the work that follows it, so the cases that were edited last are read.
        if open_file is not None:
            for _ in range(_CASES_EDITED_AT_ONCE):
                open_file.analysis.step()
        grade = grade_of(result, self.cases.place_of(result.eval_id))
        tell_case(self.server, self._about, open_file, result, grade)
        self._progress.step(f"{grade.case_id} {grade.state}")

    async def _grade(self) -> tuple[int | None, tuple[CaseResult, ...]]:
        """Return the number of the run in the store, if it came so far, and its results. Raise CannotGrade."""
        self._task = asyncio.current_task()
        if self._is_stopped:
            return None, ()
        try:
            sources = await self._sources()
            with Store.open(Store.at(self._project)) as store:
                return await self._grade_in(store, sources)
        except asyncio.CancelledError:
            # Cancelled from outside, nobody waits for the answer.
            if not self._is_stopped:
                raise
            return None, ()

    async def _sources(self) -> Sources:
        """Resolve judges and answers. The client may keep secrets, and may be a judge itself."""
        path, config, judge = self.path, self.cases.config, self.params.judge
        judges: dict[str, Judge] = {kind: ClientJudge(kind, self._client, path) for kind in self._client.judges}
        if judge is not None and judge.startswith(REPLAY):
            # The folder that the server was started in means nothing to whoever sits at the editor.
            folders = (Path(path).parent, self._project, *recording_folders(path, config))
            judges[judge] = ReplayJudge(find_recording(judge.removeprefix(REPLAY), folders), judge)
        return Sources(
            {path: config},
            judge=judge,
            target=self.params.target,
            given=self.given,
            environment=await self._client.environment(path, config),
            judges=judges,
        )

    async def _grade_in(self, store: Store, sources: Sources) -> tuple[int, tuple[CaseResult, ...]]:
        cases = self.cases.load()
        _refuse_unknown_criteria(cases, self.options)
        self._loop.call_soon_threadsafe(self._count, len(cases))
        service = GradingService(cases, sources, self.options, resume=self.resume)
        plan = service.plan(store)
        if len(cases) == plan.unanswered == 1:
            # The ways to an answer, instead of an error in the result.
            try:
                await sources.answer_of(cases[0])
            except GradingFailed as failure:
                raise RequestError(failure.reason, data={"reason": "no-answer", "caseId": cases[0].id}) from None
        run = service.begin(store, f"grade {self.cases.name} in the editor")
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


def file_of(uri: str) -> str:
    """Return the path behind an address. Raise RequestError where there is no file."""
    path = path_of(uri)
    if not path:
        raise JsonRpcInvalidParams("Save the file first; grading keeps its results beside it.")
    return path


def config_of(server: RubricServer, path: str, open_file: Analysed | None) -> Config:
    """Return the configuration of a file, open or not."""
    if open_file is not None:
        return open_file.document.config
    return merged(loaded_config(Path(path).parent).config, server.overrides)


def case_from(open_file: Analysed, place: CasePlace, path: str) -> EvalCase:
    """Build one case of an open file. Raise RequestError where it cannot be built at all."""
    document, analysis = open_file
    problems = _problems_around(analysis, place.span.start)
    suite = load_around(
        document.text,
        place.span.start,
        path,
        problems,
        document.config,
        dialect=analysis.facts.suite.dialect,
        files=DiskProject(path, document.config),
    )
    case = next((case for case in suite.cases if case.id == place.case_id), None)
    if case is None:
        raise RequestError(f"The case {place.case_id} cannot be read; correct it first.")
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
