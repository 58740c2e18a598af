"""A person as judge, who makes one decision after the other and can go back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING

from rubric_core.grading.failures import JudgeFailed, PersonStopped
from rubric_core.grading.judges.form import Decision, Item, items_of, judgement_text
from rubric_core.grading.judges.judge import PERSON, Exchange, Judge, JudgeIdentity, Question
from rubric_core.grading.providers.provider import Completion
from rubric_core.grading.usage import NOTHING_SPENT

if TYPE_CHECKING:
    from rubric_core.grading.judges.terminal import Terminal

SKIPPED = "The case was skipped by the person who judges."


class Move(Enum):
    """A command of a person instead of a decision."""

    BACK = auto()
    SKIP = auto()
    STOP = auto()


class ManualJudge(Judge):
    """Asks a person, one question at a time however many cases are graded at once."""

    # Recalled only when a run that was stopped goes on.
    memory_key = PERSON

    def __init__(self, person: Terminal, name: str = "manual") -> None:
        self._person = person
        self._one_at_a_time = asyncio.Lock()
        self._stopped = False
        self.identity = JudgeIdentity(name, PERSON)

    async def judge(self, question: Question, earlier: tuple[Exchange, ...] = ()) -> Completion:  # noqa: ARG002 - a person is not asked to repair JSON.
        """Ask the person for all decisions. Raises JudgeFailed if they skip the case, PersonStopped if they stop."""
        items = items_of(question)
        async with self._one_at_a_time:
            if not self._stopped:
                self._person.begin(question)
                decisions = await self._decisions(items)
                return Completion(judgement_text(question, items, decisions), usage=NOTHING_SPENT)
        raise PersonStopped

    async def _decisions(self, items: Sequence[Item]) -> list[Decision]:
        decided: list[Decision] = []
        place = 0
        while True:
            reply: Decision | Move | None
            if place == len(items):
                reply = await self._person.confirm(items, decided)
            else:
                reply = await self._person.decide(items, place, decided[place] if place < len(decided) else None)
            if reply is None:
                return decided
            if isinstance(reply, Decision):
                decided[place : place + 1] = [reply]
                place += 1
            elif reply is Move.BACK:
                place = max(place - 1, 0)
            elif reply is Move.SKIP:
                raise JudgeFailed(SKIPPED)
            else:
                self._stopped = True
                raise PersonStopped
