"""Asking judges for criteria, several cases at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from rubric_core.grading.ask import ask
from rubric_core.grading.failures import GradingFailed
from rubric_core.grading.generation.proposals import read_proposal
from rubric_core.grading.prompts.proposal import proposal_question
from rubric_core.grading.secrets import NO_SECRETS, Redactor
from rubric_core.grading.together import all_of
from rubric_core.grading.usage import NOTHING_SPENT, Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rubric_core.grading.judges.judge import Judge
    from rubric_core.grading.memory import Memory
    from rubric_core.model.criteria import Criterion
    from rubric_core.model.suite import EvalCase


@dataclass(frozen=True, slots=True)
class Proposed:
    """What a judge said for a case: criteria, or why there are none."""

    criteria: tuple[Criterion, ...] = ()
    failure: str | None = None
    usage: Usage = NOTHING_SPENT


async def propose_all(  # noqa: PLR0913 - the choices of a run, each by its name.
    cases: Sequence[EvalCase],
    judge_of: Callable[[EvalCase], Judge],
    watch: Callable[[int, Proposed], None],
    *,
    ranges: bool,
    concurrency: int,
    memory: Memory | None = None,
    redactor: Redactor = NO_SECRETS,
) -> None:
    """Ask for the criteria of cases and tell each proposal at once, with the place of its case among them.

    One that fails costs its own case only. When this is cancelled, every call ends.
    """
    waiting = iter(enumerate(cases))

    async def work(waiting: Iterator[tuple[int, EvalCase]]) -> None:
        for place, case in waiting:
            watch(place, await propose(case, judge_of(case), ranges=ranges, memory=memory, redactor=redactor))

    await all_of(work(waiting) for _ in range(min(concurrency, len(cases))))


async def propose(
    case: EvalCase,
    judge: Judge,
    *,
    ranges: bool = False,
    memory: Memory | None = None,
    redactor: Redactor = NO_SECRETS,
) -> Proposed:
    """Ask for the criteria of one case. They go into a file, so no secret may stand in them."""
    question = proposal_question(case, ranges=ranges)
    read = partial(read_proposal, ranges=ranges)
    try:
        asked = await ask(question, judge, read, memory=memory, file=case.source, redactor=redactor)
    except GradingFailed as failed:
        return Proposed(failure=redactor.redact(failed.reason), usage=failed.usage)
    return Proposed(asked.value, usage=asked.usage)
