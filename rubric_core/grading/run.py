"""Grading many cases: at most so many calls at once, every result kept as soon as it is there."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from rubric_core.grading.failures import GradingFailed
from rubric_core.grading.fingerprints import fingerprint
from rubric_core.grading.grade import begun, grade, unfit
from rubric_core.grading.limits import LimitedJudge
from rubric_core.grading.options import DEFAULT_OPTIONS, Options
from rubric_core.grading.together import all_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

    from rubric_core.grading.answers import Answer
    from rubric_core.grading.grade import JudgeOf
    from rubric_core.grading.judges.judge import Judge
    from rubric_core.grading.memory import Memory
    from rubric_core.grading.results import CaseResult
    from rubric_core.model.evaluators import LlmJudge
    from rubric_core.model.suite import EvalCase

DEFAULT_CONCURRENCY = 8


class Keeper(Protocol):
    """Where the results of a run are kept; the store is one."""

    def finished(self, fingerprint: str) -> CaseResult | None:
        """Return an earlier result without an error that had the same fingerprint."""

    def keep(self, place: int, result: CaseResult) -> None:
        """Keep a result at once."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where a run takes from what it needs for a case.

    `answer_of` gives the answer to grade. `known_answer` gives it without producing one, None where a target must;
    `answer_key` is a text that decides the answer, so that an equal one would be produced again.
    """

    judge_of: JudgeOf
    answer_of: Callable[[EvalCase], Awaitable[Answer]]
    known_answer: Callable[[EvalCase], str | None]
    answer_key: Callable[[EvalCase], str]


async def grade_all(  # noqa: PLR0913 - the choices of a run, each by its name.
    cases: Sequence[EvalCase],
    source: Source,
    watch: Callable[[int, CaseResult], None],
    *,
    options: Options = DEFAULT_OPTIONS,
    concurrency: int = DEFAULT_CONCURRENCY,
    memory: Memory | None = None,
    keeper: Keeper | None = None,
    resume: bool = False,
) -> None:
    """Grade cases and tell each result with its place among them, in the order in which they are there.

    When this is cancelled, all calls end and what was told before is kept.
    """
    run = _Run(source, watch, options, asyncio.Semaphore(concurrency), memory, keeper, resume)
    waiting = iter(enumerate(cases))
    await all_of(run.work(waiting) for _ in range(min(concurrency, len(cases))))


@dataclass(frozen=True)
class _Run:
    source: Source
    watch: Callable[[int, CaseResult], None]
    options: Options
    places: asyncio.Semaphore
    memory: Memory | None
    keeper: Keeper | None
    resume: bool

    async def work(self, waiting: Iterator[tuple[int, EvalCase]]) -> None:
        """Take one waiting case after the other."""
        for place, case in waiting:
            result = self._earlier(case) or await self._graded(case)
            if self.keeper is not None:
                self.keeper.keep(place, result)
            self.watch(place, result)

    def _earlier(self, case: EvalCase) -> CaseResult | None:
        if not self.resume or self.keeper is None:
            return None
        name = self._fingerprint(case)
        return self.keeper.finished(name) if name else None

    async def _graded(self, case: EvalCase) -> CaseResult:
        reason = unfit(case)
        if reason is not None:
            return replace(begun(case), error=reason)
        try:
            async with self.places:
                answer = await self.source.answer_of(case)
        except GradingFailed as failure:
            return replace(begun(case), error=failure.reason, usage=failure.usage)
        result = await grade(case, answer.text, self._limited, options=self.options, memory=self.memory)
        return replace(
            result,
            target=answer.target,
            usage=result.usage + answer.usage,
            fingerprint=self._fingerprint(case),
        )

    def _fingerprint(self, case: EvalCase) -> str:
        return fingerprint(case, self.source.answer_key(case), self.source.judge_of, self.options)

    def _limited(self, case: EvalCase, evaluator: LlmJudge | None) -> Judge:
        return LimitedJudge(self.source.judge_of(case, evaluator), self.places)
