"""Grading many cases: at most so many calls at once, every result passed on as soon as it is there."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, TypeVar

from rubric_core.grading.ask import JudgementCache, RunSettings, all_of
from rubric_core.grading.failures import GradingFailed
from rubric_core.grading.grade import empty_result, grade_case, reason_not_gradable
from rubric_core.grading.options import DEFAULT_OPTIONS, Options
from rubric_core.grading.results import CaseResult
from rubric_core.model.suite import EvalCase

if TYPE_CHECKING:
    from rubric_core.grading.sources import Sources

DEFAULT_CONCURRENCY = 8

T = TypeVar("T")


async def grade_all(  # noqa: PLR0913 - the choices of a run, each by its name.
    cases: Sequence[EvalCase],
    sources: Sources,
    watch: Callable[[int, CaseResult], object],
    *,
    options: Options = DEFAULT_OPTIONS,
    concurrency: int = DEFAULT_CONCURRENCY,
    memory: JudgementCache | None = None,
    fingerprints: Sequence[str] = (),
    earlier: Callable[[str], CaseResult | None] | None = None,
) -> None:
    """Grade cases and pass each result on at once, with the place of its case among them.

    `fingerprints` are those of the plan; `earlier` finds a result that was graded before by its fingerprint, for a run
    that is resumed. When this is cancelled, or a person stops, every call ends; what was passed on is not touched.
    """
    limit = asyncio.Semaphore(concurrency)
    settings = RunSettings(options, memory, sources.redactor, limit)

    async def grade_one(place: int, named: tuple[EvalCase, str]) -> None:
        case, fingerprint = named
        # What needs no call never waits, and whoever wants to stop it must get a turn.
        await asyncio.sleep(0)
        found = earlier(fingerprint) if earlier is not None and fingerprint else None
        if found is None:
            result = replace(await _graded(case, sources, settings), fingerprint=fingerprint)
        else:
            # The same file may be named from another folder now.
            result = replace(found, file=case.source, dataset=case.dataset, other_fields=case.other_fields)
        watch(place, result)

    named = list(zip(cases, chain(fingerprints, repeat("")), strict=False))
    await for_each(named, grade_one, concurrency)


async def _graded(case: EvalCase, sources: Sources, settings: RunSettings) -> CaseResult:
    reason = reason_not_gradable(case)
    if reason is not None:
        return replace(empty_result(case), error=reason)
    try:
        async with settings.limit:
            answer = await sources.answer_of(case)
    except GradingFailed as failure:
        return replace(empty_result(case), error=failure.reason, usage=failure.usage)
    result = await grade_case(case, answer.text, sources.judge_of, settings)
    return replace(result, target=answer.target, usage=result.usage + answer.usage)


async def for_each(items: Sequence[T], work: Callable[[int, T], Coroutine[Any, Any, None]], concurrency: int) -> None:
    """Do some work for each item, with its place among them, for so many at once."""
    waiting = iter(enumerate(items))

    async def worker() -> None:
        for place, item in waiting:
            await work(place, item)

    await all_of(worker() for _ in range(min(concurrency, len(items))))
