"""A person as judge: shown one thing after the other, going back where they like. Who shows it is another matter."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Literal, Protocol

from rubric_core.grading.exact_json import write
from rubric_core.grading.failures import JudgeFailed, PersonStopped
from rubric_core.grading.judgements import HIGHEST_DIMENSION_SCORE, LOWEST_DIMENSION_SCORE
from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.memory import PERSON
from rubric_core.grading.prompts.scorecard import DEFINITIONS
from rubric_core.grading.providers.provider import Completion
from rubric_core.grading.usage import NOTHING_SPENT
from rubric_core.model.criteria import HIGHEST_SCORE, LOWEST_SCORE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from decimal import Decimal

    from rubric_core.grading.judges.judge import Exchange, Question
    from rubric_core.model.criteria import Criterion, ScoreRange
    from rubric_core.model.scorecards import Scorecard

ItemKind = Literal["criterion", "dimension", "red flag", "bonus", "answer"]


@dataclass(frozen=True, slots=True)
class Item:
    """One thing for a person to decide: yes or no, or a number between two bounds.

    `gate` says in one sentence what failing it does, where it does something beyond the score.
    """

    kind: ItemKind
    id: str
    text: str
    answer: Literal["yes or no", "integer", "number"] = "yes or no"
    lowest: int = 0
    highest: int = 0
    bands: tuple[ScoreRange, ...] = ()
    gate: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """What a person decided, with the reason where one was given."""

    value: bool | int | Decimal
    reasoning: str = ""


class Move(Enum):
    """What a person can do instead of deciding."""

    BACK = auto()
    SKIP = auto()
    STOP = auto()


class Person(Protocol):
    """Whoever shows a question to a person and takes what they say."""

    def begin(self, question: Question) -> None:
        """Show the task, what is expected and the answer."""

    async def decide(self, items: Sequence[Item], place: int, earlier: Decision | None) -> Decision | Move:
        """Ask for a decision on the item at a place; `earlier` is what was decided before going back."""

    async def confirm(self, items: Sequence[Item], decisions: Sequence[Decision]) -> Move | None:
        """Show what was decided; None means that it stands."""


class ManualJudge:
    """Asks a person, one question at a time however many cases are graded at once."""

    can_repair = False
    is_recorded = False
    # Recalled only when a run that was stopped goes on.
    memory_key = PERSON

    def __init__(self, person: Person, name: str = "manual") -> None:
        self._person = person
        self._one_at_a_time = asyncio.Lock()
        self._stopped = False
        self.identity = JudgeIdentity(name, PERSON)

    async def judge(self, question: Question, earlier: tuple[Exchange, ...] = ()) -> Completion:  # noqa: ARG002 - a person is not asked to repair JSON.
        """Ask the person everything. Raises JudgeFailed where they skip the case, PersonStopped where they stop."""
        items = items_of(question)
        async with self._one_at_a_time:
            if not self._stopped:
                self._person.begin(question)
                decisions = await self._decisions(items)
                return Completion(judgement_text(question, items, decisions), usage=NOTHING_SPENT)
        raise PersonStopped

    async def close(self) -> None:
        """Do nothing: the person stays where they are."""

    async def _decisions(self, items: Sequence[Item]) -> list[Decision]:
        decided: list[Decision] = []
        place = 0
        while True:
            said = await self._said(items, place, decided)
            if said is None:
                return decided
            if isinstance(said, Decision):
                decided[place : place + 1] = [said]
                place += 1
            elif said is Move.BACK:
                place = max(place - 1, 0)
            elif said is Move.SKIP:
                raise JudgeFailed("The case was skipped by the person who judges.")
            else:
                self._stopped = True
                raise PersonStopped

    async def _said(self, items: Sequence[Item], place: int, decided: Sequence[Decision]) -> Decision | Move | None:
        """Ask about the item at a place, or behind the last one whether everything stands."""
        if place == len(items):
            return await self._person.confirm(items, decided)
        return await self._person.decide(items, place, decided[place] if place < len(decided) else None)


def items_of(question: Question) -> tuple[Item, ...]:
    """Return what a person must decide to answer a question. Raises JudgeFailed for one that no person can answer."""
    if question.kind == "proposal":
        raise JudgeFailed("Criteria are proposed by a model; name one as the judge or the target.")
    if question.scorecard is not None:
        return tuple(_scorecard_items(question.scorecard))
    if question.kind == "rubric":
        return tuple(_criterion_item(criterion) for criterion in question.criteria)
    return (Item("answer", "score", "How far does the answer achieve what is expected?", "number", 0, 1),)


def judgement_text(question: Question, items: Sequence[Item], decisions: Sequence[Decision]) -> str:
    """Return decisions as the judgement that a model would have written."""
    decided = list(zip(items, decisions, strict=True))
    if question.kind == "free-form":
        return write(_with_reasoning({"score": decisions[0].value}, decisions[0]))
    if question.scorecard is None:
        checks = [
            _with_reasoning({"id": item.id, _VERDICTS[item.answer]: decision.value}, decision)
            for item, decision in decided
        ]
        return write({"checks": checks})
    dimensions = {
        item.id: _with_reasoning({"score": decision.value}, decision)
        for item, decision in decided
        if item.kind == "dimension"
    }
    return write(
        {
            "dimensions": dimensions,
            "red_flags": _findings(decided, "red flag"),
            "bonuses": _findings(decided, "bonus"),
        }
    )


_VERDICTS = {"yes or no": "satisfied", "integer": "score"}


def _criterion_item(criterion: Criterion) -> Item:
    if criterion.mode == "checklist":
        gate = "It is required: without it the case fails." if criterion.required else ""
        return Item("criterion", criterion.id, criterion.expected_outcome, gate=gate)
    lowest = criterion.required_min_score
    return Item(
        "criterion",
        criterion.id,
        criterion.expected_outcome or "",
        "integer",
        LOWEST_SCORE,
        HIGHEST_SCORE,
        criterion.score_ranges,
        f"It is a gate: below {lowest} the case fails." if lowest else "",
    )


def _scorecard_items(scorecard: Scorecard) -> Iterable[Item]:
    for name, text in DEFINITIONS.items():
        yield Item("dimension", name, text, "integer", LOWEST_DIMENSION_SCORE, HIGHEST_DIMENSION_SCORE)
    for flag in scorecard.red_flags:
        yield Item("red flag", flag.id, flag.expected_outcome)
    for bonus in scorecard.bonuses:
        yield Item("bonus", bonus.id, bonus.expected_outcome)


def _findings(decided: Sequence[tuple[Item, Decision]], kind: ItemKind) -> list[dict[str, Any]]:
    return [
        {"id": item.id, "explanation": decision.reasoning}
        for item, decision in decided
        if item.kind == kind and decision.value
    ]


def _with_reasoning(entry: dict[str, Any], decision: Decision) -> dict[str, Any]:
    return {**entry, "reasoning": decision.reasoning} if decision.reasoning else entry
