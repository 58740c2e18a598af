"""Grading for the editor: what happens at the desk, on its own thread. The state of the server is not touched here."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_core.grading.failures import CannotGrade, GradingFailed, PersonStopped
from rubric_core.grading.judges.replay import ReplayJudge, find_recording
from rubric_core.grading.options import DEFAULT_OPTIONS, Options
from rubric_core.grading.questions import chosen_criteria, criterion_ids
from rubric_core.grading.service import GradingService
from rubric_core.grading.sources import Sources
from rubric_core.grading.store.store import Store
from rubric_core.grading.targets.targets import REPLAY, Targets, recording_folders
from rubric_core.model.evaluators import LlmJudge
from rubric_server.client_judge import ClientJudge

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence
    from typing import Any

    from rubric_core.config.config import Config
    from rubric_core.grading.judges.judge import Judge
    from rubric_core.grading.results import CaseResult
    from rubric_core.model.suite import EvalCase
    from rubric_server.talk import Talk


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be graded: the cases of one file, with the choices that were made for them."""

    path: str
    config: Config
    # Builds the cases; it is called at the desk, because there may be thousands.
    cases: Callable[[], tuple[EvalCase, ...]]
    # Where the project of the file begins, for its store.
    project: Path
    command: str
    judge: str | None = None
    target: str | None = None
    given: Mapping[str, str] = field(default_factory=dict)
    options: Options = DEFAULT_OPTIONS
    resume: bool = False


@dataclass(frozen=True, slots=True)
class GradingOutcome:
    """What came of an order: the run in the store, if it came so far, its results, and whether somebody stopped it."""

    run: int | None
    results: tuple[CaseResult, ...]
    stopped: bool


class NoAnswer(CannotGrade):
    """There is nothing to grade: the one case of an order has no answer, and nobody who could give one."""

    def __init__(self, reason: str, case_id: str) -> None:
        super().__init__(reason)
        self.case_id = case_id


class Grading:
    """One order at the desk. Made and asked to stop by the server's thread, done on the desk's.

    `tell` takes each result, `count` the number of cases as soon as it is known; both are called on the desk's thread.
    """

    def __init__(
        self, order: Order, talk: Talk, tell: Callable[[CaseResult], object], count: Callable[[int], object]
    ) -> None:
        self.order = order
        self._talk = talk
        self._tell = tell
        self._count = count
        self._work: asyncio.Future[GradingOutcome] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_stopped = False

    def stop(self) -> None:
        """End every call; what was judged is kept, and the outcome says that it was stopped. Any thread may ask."""
        self._is_stopped = True
        loop, work = self._loop, self._work
        if loop is not None and work is not None:
            loop.call_soon_threadsafe(work.cancel)

    async def run(self) -> GradingOutcome:
        """Grade the cases. Raises CannotGrade where nothing can be graded at all."""
        self._loop = asyncio.get_running_loop()
        self._work = asyncio.ensure_future(self._run())
        if self._is_stopped:
            self._work.cancel()
        try:
            return await self._work
        except asyncio.CancelledError:
            # Called off from outside, nobody waits for the outcome.
            if not self._is_stopped:
                raise
            return GradingOutcome(None, (), stopped=True)

    async def _run(self) -> GradingOutcome:
        order = self.order
        missing = Targets.for_file(order.path, order.config).missing_variables
        environment = {**os.environ, **await self._talk.secrets(missing)}
        judges: dict[str, Judge] = {kind: ClientJudge(kind, self._talk, order.path) for kind in self._talk.judges}
        if order.judge is not None and order.judge.startswith(REPLAY):
            # The folder that the server was started in means nothing to whoever sits at the editor.
            folders = (Path(order.path).parent, order.project, *recording_folders(order.path, order.config))
            judges[order.judge] = ReplayJudge(find_recording(order.judge.removeprefix(REPLAY), folders), order.judge)
        sources = Sources(
            {order.path: order.config},
            judge=order.judge,
            target=order.target,
            given=order.given,
            environment=environment,
            judges=judges,
        )
        try:
            with Store.open(Store.at(order.project)) as store:
                return await self._graded(store, sources)
        finally:
            await sources.close()

    async def _graded(self, store: Store, sources: Sources) -> GradingOutcome:
        order, cases = self.order, self.order.cases()
        _refuse_unknown_criteria(cases, order.options)
        self._count(len(cases))
        service = GradingService(cases, sources, order.options, resume=order.resume)
        plan = service.plan(store)
        if len(cases) == plan.unanswered == 1:
            await _explain(cases[0], sources)
        run = service.begin(store, order.command)
        try:
            stopped = await self._until_stopped(service.run(plan, self._tell))
        except asyncio.CancelledError:
            service.end(stopped=True)
            raise
        return GradingOutcome(run, service.end(stopped=stopped), stopped)

    async def _until_stopped(self, grading: Coroutine[Any, Any, None]) -> bool:
        try:
            await grading
        except PersonStopped:
            return True
        except asyncio.CancelledError:
            if not self._is_stopped:
                raise
            return True
        return False


def _refuse_unknown_criteria(cases: Sequence[EvalCase], options: Options) -> None:
    judges = (each for case in cases for each in case.evaluators if isinstance(each, LlmJudge))
    if options.criteria is None or any(chosen_criteria(judge, options) for judge in judges):
        return
    known = sorted(frozenset().union(*map(criterion_ids, cases)))
    hint = f"it has {', '.join(known)}" if known else "it has none"
    raise CannotGrade(f"There is no criterion {', '.join(sorted(options.criteria))} in this case; {hint}.")


async def _explain(case: EvalCase, sources: Sources) -> None:
    """Say why there is no answer, with the ways to one, instead of an error in the result."""
    try:
        await sources.answer_of(case)
    except GradingFailed as failure:
        raise NoAnswer(failure.reason, case.id) from None
