"""Asking judges for criteria: until they are valid, and for many cases at once."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest
from generated_rubrics import CHECKLIST
from judges import AnsweringJudge

from rubric_core.config.config import DEFAULT
from rubric_core.grading.failures import CannotGrade, JudgeFailed, ProviderFailed
from rubric_core.grading.generation.service import GenerationFile, ProposalTask, generate, propose
from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.providers.provider import Completion
from rubric_core.grading.targets.targets import Targets
from rubric_core.grading.usage import Usage
from rubric_core.model.criteria import ChecklistCriterion
from rubric_core.model.suite import EvalCase

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.grading.generation.survey import Skipped
    from rubric_core.grading.generation.verified_insertion import Generated
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
        self.identity = JudgeIdentity("editor", "editor")
        self.replies = list(replies)
        self.complaints: list[str] = []

    async def judge(self, question: Question, earlier: tuple[Exchange, ...] = ()) -> Completion:
        """Give the next reply."""
        assert question.kind == "proposal"
        self.complaints = [exchange.complaint for exchange in earlier]
        return Completion(self.replies.pop(0), usage=Usage(calls=1))

    async def close(self) -> None:
        """Hold nothing."""


@pytest.mark.asyncio
async def test_a_wrong_reply_is_mended_in_a_second_round() -> None:
    """The judge is told what is wrong with its first one."""
    judge = RepairedJudge(TOO_FEW, SOUND)
    assert await propose(CASE, judge) == CHECKLIST
    assert not judge.replies
    assert "There are 2 criteria; propose 3 to 7." in judge.complaints[0]


@pytest.mark.asyncio
async def test_after_three_attempts_the_case_has_failed() -> None:
    """It gets no criteria at all, whatever was half right."""
    judge = RepairedJudge(*[TOO_FEW] * 4)
    with pytest.raises(JudgeFailed, match="no valid judgement in 3 attempts"):
        await propose(CASE, judge)
    assert len(judge.replies) == 1


@pytest.mark.asyncio
async def test_many_cases_are_asked_about_at_once_but_not_too_many(tmp_path: Path) -> None:
    """One that fails costs its own case only."""
    ids = [f"case-{number}" for number in range(5)]
    text = "evalcases:\n" + "".join(f"  - id: {id_}\n    expected_outcome: It works\n    input: Do it\n" for id_ in ids)
    path = str(tmp_path / "a.eval.yaml")
    file = GenerationFile.read(text, path, DEFAULT, Targets(path, DEFAULT, {}))
    release = asyncio.Event()
    asking = AnsweringJudge(lambda _: SOUND, waits=release.wait)
    judges = [asking, asking, AnsweringJudge(_refuse), asking, asking]
    tasks = [ProposalTask(file, *each) for each in zip(file.survey.candidates, judges, strict=True)]
    told: list[tuple[Generated, tuple[Skipped, ...]]] = []
    run = asyncio.ensure_future(
        generate([file], tasks, lambda _, *each: told.append(each), ranges=False, concurrency=2)
    )
    await asking.reached(2)
    assert not told
    release.set()
    await run
    assert asking.most_active == 2
    ((generated, failed),) = told
    assert [each.case_id for each in generated.written] == ["case-0", "case-1", "case-3", "case-4"]
    assert [(each.case_id, each.reason) for each in failed] == [("case-2", "The model is away.")]


def _refuse(_question: Question) -> str:
    raise ProviderFailed("The model is away.")


@pytest.mark.asyncio
async def test_a_judge_that_cannot_be_asked_says_why() -> None:
    """The reason is that of the case."""

    def cannot(_question: Question) -> str:
        raise CannotGrade("There is no key.")

    with pytest.raises(CannotGrade, match="no key"):
        await propose(CASE, AnsweringJudge(cannot))
