"""A person as judge: what they decide becomes the judgement that a model would have written."""

from __future__ import annotations

import asyncio
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from judging import a_question, port_case

from rubric_core.grading.failures import JudgeFailed, PersonStopped
from rubric_core.grading.judgements import read_checks, read_free_form, read_scorecard
from rubric_core.grading.judges.form import Choice, Decision, Item, items_of
from rubric_core.grading.judges.judge import PERSON, JudgeIdentity
from rubric_core.grading.judges.manual import ManualJudge, Move
from rubric_core.grading.prompts.llm_judge import free_form_question, rubric_question
from rubric_core.grading.prompts.scorecard import scorecard_question
from rubric_core.grading.usage import Usage
from rubric_core.model.evaluators import LlmJudge
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.scoring.rubrics import Check
from rubric_core.scoring.scorecards import Finding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.grading.judges.judge import Judge, Question

CASE = port_case()
RUBRIC = rubric_question(CASE, CASE.evaluators[0], CASE.criteria, "443")
YES, NO = Decision(value=True), Decision(value=False)


class ScriptedPerson:
    """Says one thing after the other, and keeps what they were asked."""

    def __init__(self, *script: Decision | Move | None) -> None:
        self.script = list(script)
        self.begun: list[str] = []
        self.asked: list[tuple[str, Decision | None]] = []
        self.busy = False

    def begin(self, question: Question) -> None:
        """Keep whose turn it is; a person looks at one question at a time."""
        assert not self.busy
        self.busy = True
        self.begun.append(question.case_id)

    async def decide(self, items: Sequence[Item], place: int, earlier: Decision | None) -> Decision | Move:
        """Say the next thing."""
        self.asked.append((items[place].id, earlier))
        await asyncio.sleep(0)
        said = self.script.pop(0)
        assert said is not None
        self.busy = isinstance(said, Decision)
        return said

    async def confirm(self, items: Sequence[Item], decisions: Sequence[Decision]) -> Move | None:
        """Say the next thing."""
        assert len(items) == len(decisions)
        self.busy = False
        said = self.script.pop(0)
        assert not isinstance(said, Decision)
        return said


async def _text(person: ScriptedPerson, question: Question) -> str:
    judge: Judge = ManualJudge(person)
    completion = await judge.judge(question)
    await judge.close()
    assert person.script == []
    assert completion.usage == Usage()
    return completion.text


@pytest.mark.asyncio
async def test_criteria_are_decided_one_after_the_other() -> None:
    """Each in its own mode, with a reason where one was given."""
    text = await _text(ScriptedPerson(NO, Decision(7, "It says why."), None), RUBRIC)
    assert read_checks(text, CASE.criteria).checks == (
        Check("names-port", satisfied=False),
        Check("depth", score=7, reasoning="It says why."),
    )


@pytest.mark.asyncio
async def test_a_scorecard_asks_for_dimensions_flags_and_bonuses() -> None:
    """Flags and bonuses are yes or no; only what was seen enters the judgement."""
    assert CASE.scorecard is not None
    question = scorecard_question(CASE, CASE.scorecard, "443")
    person = ScriptedPerson(*(Decision(score) for score in range(1, 8)), Decision(value=True, reasoning="80"), NO, None)
    judged = read_scorecard(await _text(person, question), CASE.scorecard)
    assert [judged.dimensions[name].score for name in DIMENSIONS] == [1, 2, 3, 4, 5, 6, 7]
    assert (judged.red_flags, judged.bonuses) == ((Finding("red-flag-1", "80"),), ())
    assert [name for name, _ in person.asked] == [*DIMENSIONS, "red-flag-1", "bonus-1"]


@pytest.mark.asyncio
async def test_a_red_flag_may_be_called_like_a_dimension() -> None:
    """Each decision counts for what it was made about."""
    assert CASE.scorecard is not None
    flag = CASE.scorecard.red_flags[0].model_copy(update={"id": "safety"})
    scorecard = CASE.scorecard.model_copy(update={"red_flags": (flag,)})
    person = ScriptedPerson(*[Decision(3)] * 7, Decision(value=True, reasoning="80"), NO, None)
    judged = read_scorecard(await _text(person, scorecard_question(CASE, scorecard, "443")), scorecard)
    assert (judged.dimensions["safety"].score, judged.red_flags) == (3, (Finding("safety", "80"),))


@pytest.mark.asyncio
async def test_an_answer_as_a_whole_gets_an_exact_number() -> None:
    """0.8 stays 0.8."""
    question = free_form_question(CASE, LlmJudge(name="llm_judge"), "443")
    text = await _text(ScriptedPerson(Decision(Decimal("0.8"), "Fine"), None), question)
    assert text == '{"score": 0.8, "reasoning": "Fine"}'
    assert read_free_form(text).reasoning == "Fine"


@pytest.mark.asyncio
async def test_a_person_can_go_back() -> None:
    """To the one before, also from the end; what was decided is kept and can be changed."""
    person = ScriptedPerson(Move.BACK, YES, Move.BACK, NO, Decision(3), Move.BACK, Decision(4), None)
    text = await _text(person, RUBRIC)
    assert [(check.satisfied, check.score) for check in read_checks(text, CASE.criteria).checks] == [
        (False, None),
        (None, 4),
    ]
    assert person.asked == [
        ("names-port", None),
        ("names-port", None),
        ("depth", None),
        ("names-port", YES),
        ("depth", None),
        ("depth", Decision(3)),
    ]


@pytest.mark.asyncio
async def test_a_skipped_case_has_no_judgement() -> None:
    """The next one is asked as usual."""
    person = ScriptedPerson(YES, Move.SKIP, YES, Decision(3), None)
    judge = ManualJudge(person)
    with pytest.raises(JudgeFailed, match="The case was skipped by the person who judges"):
        await judge.judge(RUBRIC)
    assert (await judge.judge(RUBRIC)).text


@pytest.mark.asyncio
@pytest.mark.parametrize("script", [[Move.STOP], [YES, Decision(3), Move.STOP]], ids=["first", "at-the-end"])
async def test_a_person_who_stops_is_asked_no_more(script: list[Decision | Move]) -> None:
    """Every further question fails at once."""
    person = ScriptedPerson(*script)
    judge = ManualJudge(person)
    for _ in range(2):
        with pytest.raises(PersonStopped, match="stopped before this was judged"):
            await judge.judge(RUBRIC)
    assert person.begun == ["port"]


@pytest.mark.asyncio
async def test_a_person_is_asked_one_question_at_a_time() -> None:
    """However many cases are graded at once."""
    person = ScriptedPerson(*[YES, Decision(3), None] * 4)
    judge = ManualJudge(person)
    said = await asyncio.gather(*(judge.judge(RUBRIC) for _ in range(4)))
    assert len(said) == len(person.begun) == 4


@pytest.mark.asyncio
async def test_cancelling_ends_the_question_and_lets_the_next_one_go_on() -> None:
    """Nothing waits for a person who is gone."""

    class Silent(ScriptedPerson):
        async def decide(self, items: Sequence[Item], place: int, earlier: Decision | None) -> Decision | Move:
            if self.begun == ["port"]:
                await asyncio.Event().wait()
            return await super().decide(items, place, earlier)

    person = Silent(YES, Decision(3), None)
    judge = ManualJudge(person)
    waiting = asyncio.ensure_future(judge.judge(RUBRIC))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    person.busy = False
    assert (await judge.judge(RUBRIC)).text


def test_a_person_sees_what_gates() -> None:
    """And shown the bands with their texts."""
    port, depth = items_of(RUBRIC)
    assert (port.text, port.gate) == ("Names port 443", "Required: the case fails if this is not met.")
    assert (depth.lowest, depth.highest, depth.gate) == (0, 10, "Gate: the case fails if the score is below 5.")
    assert depth.bands[0].expected_outcome == "Says nothing of why"
    relaxed = [
        CASE.criteria[0].model_copy(update={"required": False}),
        CASE.criteria[1].model_copy(update={"required_min_score": None}),
    ]
    assert [each.gate for each in items_of(a_question(criteria=tuple(relaxed)))] == ["", ""]


def test_each_kind_of_item_has_its_own_choices() -> None:
    """With the score range that each score lies in; of a number, the tenths."""
    assert CASE.scorecard is not None
    port, depth = items_of(RUBRIC)
    assert port.choices == [Choice(value=True, label="met"), Choice(value=False, label="not met")]
    assert (depth.choices[0].value, depth.choices[-1]) == (10, Choice(0, "0", "0-4", "Says nothing of why"))
    *_, dimension, flag, bonus = items_of(scorecard_question(CASE, CASE.scorecard, "443"))
    assert [each.value for each in dimension.choices] == list(range(10, 0, -1))
    labels = [[choice.label for choice in item.choices] for item in (flag, bonus)]
    assert labels == [["present", "not present"], ["earned", "not earned"]]
    (score,) = items_of(free_form_question(CASE, LlmJudge(name="llm_judge"), "443"))
    assert [each.label for each in score.choices[:2]] == ["1", "0.9"]
    assert score.legal_number == "a number with at most 6 decimal places from 0 to 1"


def test_a_person_proposes_no_criteria() -> None:
    """That is a model's work; the message says what to do."""
    with pytest.raises(JudgeFailed, match="Choose a model as the judge or the target"):
        items_of(a_question(kind="proposal"))


def test_what_a_person_says_is_not_repaired() -> None:
    """Nor is it the same grading as the last one; it is recalled where a run goes on."""
    judge = ManualJudge(ScriptedPerson(), "me")
    assert (judge.memory_key, judge.can_repair, judge.is_recorded) == (PERSON, False, False)
    assert judge.identity == JudgeIdentity("me", PERSON)
