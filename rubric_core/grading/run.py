"""Grading many cases: at most so many calls at once, every result kept as soon as it is there."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from itertools import chain, repeat
from typing import TYPE_CHECKING

from rubric_core.grading.failures import GradingFailed
from rubric_core.grading.grade import begun, grade, unfit
from rubric_core.grading.limits import LimitedJudge
from rubric_core.grading.options import DEFAULT_OPTIONS, Options
from rubric_core.grading.secrets import NO_SECRETS, Redactor
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


@dataclass(frozen=True, slots=True)
class RunInputs:
    """Where a run takes from what it needs for a case.

    `answer_of` gives the answer to grade. `known_answer` gives it without producing one, None where a target must;
    `answer_key` is a text that decides the answer, so that an equal one would be produced again. `redactor` knows what
    must not be shown or kept.
    """

    judge_of: JudgeOf
    answer_of: Callable[[EvalCase], Awaitable[Answer]]
    known_answer: Callable[[EvalCase], str | None]
    answer_key: Callable[[EvalCase], str]
    redactor: Redactor = NO_SECRETS


async def grade_all(  # noqa: PLR0913 - the choices of a run, each by its name.
    cases: Sequence[EvalCase],
    source: RunInputs,
    watch: Callable[[int, CaseResult], None],
    *,
    options: Options = DEFAULT_OPTIONS,
    concurrency: int = DEFAULT_CONCURRENCY,
    memory: Memory | None = None,
    fingerprints: Sequence[str] = (),
    earlier: Callable[[str], CaseResult | None] | None = None,
) -> None:
    """Grade cases and tell each result at once, with the place of its case among them.

    `fingerprints` are those of the plan; `earlier` finds a result that was graded before by its fingerprint, for a run
    that goes on. When this is cancelled, or a person stops, every call ends; what was told before is not touched.
    """
    run = _Run(source, watch, options, asyncio.Semaphore(concurrency), memory, earlier)
    waiting = enumerate(zip(cases, chain(fingerprints, repeat("")), strict=False))
    await all_of(run.work(waiting) for _ in range(min(concurrency, len(cases))))


@dataclass(frozen=True)
class _Run:
    source: RunInputs
    watch: Callable[[int, CaseResult], None]
    options: Options
    places: asyncio.Semaphore
    memory: Memory | None
    earlier: Callable[[str], CaseResult | None] | None

    async def work(self, waiting: Iterator[tuple[int, tuple[EvalCase, str]]]) -> None:
        """Take one waiting case after the other."""
        for place, (case, name) in waiting:
            # What needs no call never waits, and whoever wants to stop it must get a turn.
            await asyncio.sleep(0)
            earlier = self.earlier(name) if self.earlier is not None and name else None
            if earlier is None:
                result = replace(await self._graded(case), fingerprint=name)
            else:
                # The same file may be named from another folder now.
                result = replace(earlier, file=case.source, dataset=case.dataset, other_fields=case.other_fields)
            self.watch(place, result)

    async def _graded(self, case: EvalCase) -> CaseResult:
        reason = unfit(case)
        if reason is not None:
            return replace(begun(case), error=reason)
        try:
            async with self.places:
                answer = await self.source.answer_of(case)
        except GradingFailed as failure:
            return replace(begun(case), error=failure.reason, usage=failure.usage)
        result = await grade(
            case,
            answer.text,
            self._limited,
            options=self.options,
            memory=self.memory,
            redactor=self.source.redactor,
        )
        return replace(result, target=answer.target, usage=result.usage + answer.usage)

    def _limited(self, case: EvalCase, evaluator: LlmJudge | None) -> Judge:
        return LimitedJudge(self.source.judge_of(case, evaluator), self.places)
