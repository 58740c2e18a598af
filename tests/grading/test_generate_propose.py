"""Asking judges for criteria: until they are valid, and for many cases at once."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from generated_rubrics import CHECKLIST
from judges import AnsweringJudge

from rubric_core.grading.failures import CannotGrade, ProviderFailed
from rubric_core.grading.generation.propose import Proposed, propose, propose_all
from rubric_core.grading.judges.editor import EditorJudge
from rubric_core.grading.providers.provider import Completion
from rubric_core.grading.usage import Usage
from rubric_core.model.criteria import ChecklistCriterion
from rubric_core.model.suite import EvalCase

if TYPE_CHECKING:
    from rubric_core.grading.judges.judge import Exchange, Question

CASE = EvalCase(id="a", expected_outcome="Names the port")
ENTRIES = [
    {"id": each.id, "expected_outcome": each.expected_outcome, "weight": float(each.weight), "required": each.required}
    for each in CHECKLIST
    if isinstance(each, ChecklistCriterion)
]
SOUND, TOO_FEW = (json.dumps({"criteria": entries}) for entries in (ENTRIES, ENTRIES[:2]))


class RepairedJudge:
    """Gives one reply after the other, and remembers what was said about the earlier ones."""

    can_repair = True
    is_recorded = False
    memory_key = None

    def __init__(self, *replies: str) -> None:
        self.identity = EditorJudge(_refuse).identity
        self.replies = list(replies)
        self.complaints: list[str] = []

    async def judge(self, question: Question, earlier: tuple[Exchange, ...] = ()) -> Completion:
        """Give the next reply."""
        assert question.kind == "proposal"
        self.complaints = [exchange.complaint for exchange in earlier]
        return Completion(self.replies.pop(0), usage=Usage(calls=1))

    async def close(self) -> None:
        """Hold nothing."""


async def _refuse(_question: Question) -> str:
    raise ProviderFailed("The model is away.")


@pytest.mark.asyncio
async def test_a_wrong_reply_is_mended_in_a_second_round() -> None:
    """The judge is told what is wrong with its first one."""
    judge = RepairedJudge(TOO_FEW, SOUND)
    proposed = await propose(CASE, judge)
    assert proposed.criteria == CHECKLIST
    assert proposed.usage.calls == 2
    assert "There are 2 criteria; propose 3 to 7." in judge.complaints[0]


@pytest.mark.asyncio
async def test_after_three_attempts_the_case_has_failed() -> None:
    """It gets no criteria at all, whatever was half right."""
    judge = RepairedJudge(*[TOO_FEW] * 4)
    proposed = await propose(CASE, judge)
    assert proposed.criteria == ()
    assert proposed.failure is not None
    assert "no valid judgement in 3 attempts" in proposed.failure
    assert len(judge.replies) == 1


@pytest.mark.asyncio
async def test_many_cases_are_asked_about_at_once_but_not_too_many() -> None:
    """One that fails costs its own case only."""
    cases = [CASE.model_copy(update={"id": f"case-{number}"}) for number in range(5)]
    release = asyncio.Event()
    asking = AnsweringJudge(lambda _: SOUND, waits=release.wait)
    told: dict[int, Proposed] = {}
    judges = [asking, asking, EditorJudge(_refuse), asking, asking]
    run = asyncio.ensure_future(
        propose_all(cases, lambda case: judges[cases.index(case)], told.__setitem__, ranges=False, concurrency=2)
    )
    await asking.reached(2)
    assert not told
    release.set()
    await run
    assert asking.most_active == 2
    assert sorted(told) == [0, 1, 2, 3, 4]
    assert [bool(told[place].criteria) for place in range(5)] == [True, True, False, True, True]
    assert told[2].failure == "The model is away."


@pytest.mark.asyncio
async def test_a_judge_that_cannot_be_asked_says_why() -> None:
    """The reason is that of the case."""

    async def cannot(_question: Question) -> str:
        raise CannotGrade("There is no key.")

    assert (await propose(CASE, EditorJudge(cannot))).failure == "There is no key."
