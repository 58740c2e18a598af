"""Runs for the client: a request becomes a run on the worker thread, and each result is sent at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pygls.exceptions import JsonRpcInvalidParams

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
from rubric_core.model.load import CannotLoad
from rubric_core.model.suite import EvalCase
from rubric_server.app import RubricServer
from rubric_server.arguments import GradeArguments
from rubric_server.convert import path_of
from rubric_server.grading.chosen_cases import CaseSource
from rubric_server.grading.client_judge import ClientJudge, ClientRequests
from rubric_server.grading.notifications import grade_of, notify_case, notify_end
from rubric_server.progress import GradingProgress, Token
from rubric_server.protocol.converter import JsonText, RequestError

_CASES_EDITED_AT_ONCE = 4


@dataclass
class ClientRun:
    """One run for the client. `_grade` and what it calls work on the worker thread and touch no state of the server."""

    server: RubricServer
    params: GradeArguments
    path: str
    cases: CaseSource
    options: Options
    # The answer to each case that `answers` of the command does not name.
    answer: str | None = None
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
            notify_end(server, self._about, state)
        written = [to_json(result) for result in results]
        return JsonText(write({"run": run, "stopped": self._is_stopped, "results": written}))

    def stop(self) -> None:
        """Cancel all calls, but keep the results so far. Any thread may call this."""
        self._is_stopped = True
        if self._task is not None:
            self._task.get_loop().call_soon_threadsafe(self._task.cancel)

    def _begin(self, cases: Sequence[EvalCase]) -> None:
        """Report the number of cases, and forget the grades of cases that their tests no longer have."""
        self._about["total"] = self._progress.total = len(cases)
        if self.cases.is_whole:
            ids: dict[str, set[str]] = {}
            for case in cases:
                ids.setdefault(case.test_id, set()).add(case.id)
            self.server.grades.keep_only(self.params.uri, ids)

    def _take(self, result: CaseResult) -> None:
        self._about["done"] += 1
        open_file = self.server.documents.analysed(self.params.uri)
        # A result may arrive after an edit and before its analysis, so the cases that were edited last are read.
        if open_file is not None:
            for _ in range(_CASES_EDITED_AT_ONCE):
                open_file.analysis.step()
        grade = grade_of(result, self.cases.place_of(result.test_id))
        notify_case(self.server, self._about, open_file, result, grade)
        self._progress.step(f"{grade.case_id} {grade.state}")

    async def _grade(self) -> tuple[int | None, tuple[CaseResult, ...]]:
        """Return the number of the run in the store, if it was begun, and its results. Raise CannotGrade."""
        self._task = asyncio.current_task()
        if self._is_stopped:
            return None, ()
        try:
            cases = self.cases.load()
            sources = await self._sources(cases)
            with Store.open(Store.at(self._project)) as store:
                return await self._grade_in(store, cases, sources)
        except asyncio.CancelledError:
            # After a cancellation, the client does not wait for the answer.
            if not self._is_stopped:
                raise
            return None, ()

    async def _sources(self, cases: Sequence[EvalCase]) -> Sources:
        """Resolve judges and answers. The client may store secrets, and may be a judge itself."""
        path, config, judge = self.path, self.cases.config, self.params.judge
        answers = {name: answer for name, answer in (self.params.answers or {}).items() if isinstance(answer, str)}
        if not answers and self.answer is not None:
            answers = dict.fromkeys((case.id for case in cases), self.answer)
        judges: dict[str, Judge] = {kind: ClientJudge(kind, self._client, path) for kind in self._client.judges}
        if judge is not None and judge.startswith(REPLAY):
            # Not the folder in which the editor started the server.
            folders = (Path(path).parent, self._project, *recording_folders(path, config))
            judges[judge] = ReplayJudge(find_recording(judge.removeprefix(REPLAY), folders), judge)
        return Sources(
            {path: config},
            judge=judge,
            target=self.params.target,
            given=answers,
            environment=await self._client.environment(path, config),
            judges=judges,
        )

    async def _grade_in(
        self, store: Store, cases: Sequence[EvalCase], sources: Sources
    ) -> tuple[int, tuple[CaseResult, ...]]:
        _refuse_unknown_criteria(cases, self.options)
        self._loop.call_soon_threadsafe(self._begin, cases)
        service = GradingService(cases, sources, self.options, resume=self.resume)
        plan = service.plan(store)
        if len(cases) == plan.unanswered == 1:
            # Report how to provide an answer, instead of an error in the result.
            try:
                await sources.answer_of(cases[0])
            except GradingFailed as failure:
                raise RequestError(failure.reason, data={"reason": "no-answer", "caseId": cases[0].id}) from None
        run = service.begin(store, f"grade {self.cases.name} in the editor")
        try:
            async with aclosing(service.run(plan)) as results:
                async for result in results:
                    self._loop.call_soon_threadsafe(self._take, result)
        except PersonStopped:
            self._is_stopped = True
        except asyncio.CancelledError:
            if not self._is_stopped:
                service.end(stopped=True)
                raise
        return run, service.end(stopped=self._is_stopped)


def _refuse_unknown_criteria(cases: Sequence[EvalCase], options: Options) -> None:
    judges = (evaluator for case in cases for evaluator in case.evaluators if isinstance(evaluator, LlmJudge))
    if options.criteria is None or any(chosen_criteria(judge, options) for judge in judges):
        return
    available = sorted(frozenset().union(*map(criterion_ids, cases)))
    hint = f"it has {', '.join(available)}" if available else "it has none"
    raise CannotGrade(f"There is no criterion {', '.join(sorted(options.criteria))} in this case; {hint}.")


def file_of(uri: str) -> str:
    """Return the path behind an address. Raise RequestError where there is no file."""
    path = path_of(uri)
    if not path:
        raise JsonRpcInvalidParams("Save the file first; grading keeps its results beside it.")
    return path
