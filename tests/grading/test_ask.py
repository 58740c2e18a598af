"""Asking: a judge is asked until its reply is valid, at most three times, and valid replies are remembered."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from hashlib import sha256

import pytest
from judging import DictMemory, ScriptedJudge, a_question

from rubric_core.grading.ask import RunSettings, ValidJudgement, ask, complaint_about, memory_key
from rubric_core.grading.failures import JudgeFailed, ProviderFailed
from rubric_core.grading.judgements import InvalidJudgement, read_free_form
from rubric_core.grading.judges.judge import Judgement, Prompt
from rubric_core.grading.options import Options
from rubric_core.grading.providers.provider import Completion
from rubric_core.grading.usage import Usage

GOOD = '{"score": 0.8}'
BAD = '{"score": "0.8", "hits": 1}'
ONE_CALL = Usage(1, 0, 10, 2)


@pytest.mark.asyncio
async def test_a_valid_reply_is_taken_at_once() -> None:
    """With what it cost and the model that the reply names."""
    asked = await ask(a_question(), ScriptedJudge([GOOD]), read_free_form)
    assert asked.value == read_free_form(GOOD)
    assert (asked.usage, asked.model) == (ONE_CALL, "answered")


@pytest.mark.asyncio
async def test_an_invalid_reply_is_sent_back_with_everything_that_is_wrong() -> None:
    """One repair round lists it all; the cost of both attempts is counted."""
    judge = ScriptedJudge([BAD, GOOD])
    asked = await ask(a_question(), judge, read_free_form)
    assert asked.value == read_free_form(GOOD)
    assert asked.usage == Usage(2, 0, 20, 4)
    first, second = judge.heard
    assert first == ()
    (exchange,) = second
    assert exchange.reply == BAD
    lines = exchange.complaint.splitlines()
    assert lines[0] == "Your reply cannot be used:"
    assert [line[:20] for line in lines[1:-1]] == ["- `score` of the jud", "- `hits` must be a l"]
    assert lines[-1].startswith("Reply again with the whole JSON object")


@pytest.mark.asyncio
async def test_after_three_attempts_the_judge_has_failed() -> None:
    """The reason counts the attempts and says what was wrong last; nothing is remembered."""
    memory = DictMemory()
    judge = ScriptedJudge([BAD, "", '{"score": 2, "reasoning": 1}', GOOD])
    with pytest.raises(JudgeFailed) as caught:
        await ask(a_question(), judge, read_free_form, RunSettings(cache=memory))
    assert caught.value.reason.startswith(
        "The judge scripted gave no valid judgement in 3 attempts. The last problem: `score` of the judgement is 2;"
    )
    assert caught.value.reason.endswith("(and 1 more)")
    assert caught.value.usage == Usage(3, 0, 30, 6)
    assert [len(earlier) for earlier in judge.heard] == [0, 1, 2]
    assert memory.kept == []


@pytest.mark.asyncio
@pytest.mark.parametrize(("attempts", "asked"), [(1, 1), (2, 2), (0, 1)])
async def test_the_number_of_attempts_can_be_chosen(attempts: int, asked: int) -> None:
    """At least one is made."""
    judge = ScriptedJudge([BAD] * 3)
    with pytest.raises(JudgeFailed, match=f"in {asked} attempt"):
        await ask(a_question(), judge, read_free_form, RunSettings(Options(attempts=attempts)))
    assert len(judge.heard) == asked


@pytest.mark.asyncio
async def test_a_judge_that_cannot_repair_is_asked_once() -> None:
    """A person or a recording would say the same again."""
    judge = ScriptedJudge([BAD, GOOD], can_repair=False)
    with pytest.raises(JudgeFailed, match="in 1 attempt\\. "):
        await ask(a_question(), judge, read_free_form)


@pytest.mark.asyncio
async def test_a_reply_that_was_cut_short_says_so() -> None:
    """To the judge, who can write less, and to the user, who can raise the limit."""
    judge = ScriptedJudge([Completion('{"score": 0.', cut_short=True)] * 3)
    with pytest.raises(JudgeFailed, match="The last problem: The reply was cut short by the length limit"):
        await ask(a_question(), judge, read_free_form)
    assert "- The reply was cut short by the length limit; write less" in judge.heard[1][0].complaint


@pytest.mark.asyncio
async def test_a_reply_that_was_cut_short_is_invalid_even_where_it_can_be_read() -> None:
    """Nobody knows what would have come next: a second judgement, or a correction."""
    cut = Completion(GOOD, cut_short=True)
    judge = ScriptedJudge([cut, GOOD])
    assert (await ask(a_question(), judge, read_free_form)).value == read_free_form(GOOD)
    assert "- The reply was cut short by the length limit; write less" in judge.heard[1][0].complaint
    with pytest.raises(JudgeFailed, match="The last problem: The reply was cut short by the length limit"):
        await ask(a_question(), ScriptedJudge([cut] * 3), read_free_form)


@pytest.mark.asyncio
async def test_a_provider_that_fails_in_a_repair_round_shows_what_all_rounds_cost() -> None:
    """The failure is the provider's own."""
    failure = ProviderFailed("Out of reach.", Usage(calls=2))
    with pytest.raises(ProviderFailed) as caught:
        await ask(a_question(), ScriptedJudge([BAD, failure]), read_free_form)
    assert caught.value is failure
    assert caught.value.usage == ONE_CALL + Usage(calls=2)


@pytest.mark.asyncio
async def test_being_cancelled_passes_through() -> None:
    """Nothing is asked again and nothing is kept."""
    memory = DictMemory()
    judge = ScriptedJudge([asyncio.CancelledError(), GOOD])
    with pytest.raises(asyncio.CancelledError):
        await ask(a_question(), judge, read_free_form, RunSettings(cache=memory))
    assert (len(judge.heard), memory.kept) == (1, [])


@pytest.mark.asyncio
async def test_a_valid_reply_is_kept_with_all_that_names_it() -> None:
    """So that it can be found again, shown and compared with what a person said."""
    memory = DictMemory()
    question = a_question(sample=2)
    judge = ScriptedJudge([BAD, GOOD])
    asked = await ask(question, judge, read_free_form, RunSettings(cache=memory), file="a.eval.yaml")
    assert memory.kept == [
        Judgement(
            id=asked.judgement_id,
            key=memory_key(question, judge),
            kind="rubric",
            file="a.eval.yaml",
            case_id="port",
            evaluator="rubric",
            judge=replace(judge.identity, model="answered"),
            prompt_hash="0123",
            answer_hash=sha256(b"443").hexdigest(),
            text=GOOD,
            sample=2,
        )
    ]


@pytest.mark.asyncio
async def test_a_remembered_reply_is_used_instead_of_asking() -> None:
    """It keeps its id: it is the same judgement."""
    memory = DictMemory()
    first = await ask(a_question(), ScriptedJudge([GOOD]), read_free_form, RunSettings(cache=memory))
    silent = ScriptedJudge([])
    second = await ask(a_question(), silent, read_free_form, RunSettings(cache=memory))
    assert second == ValidJudgement(first.value, Usage(remembered=1), "answered", first.judgement_id)
    assert (silent.heard, len(memory.kept)) == ([], 1)


@pytest.mark.asyncio
async def test_a_remembered_reply_is_validated_again() -> None:
    """One that does not hold, for whatever reason, is asked for anew."""
    memory = DictMemory()
    await ask(a_question(), ScriptedJudge([GOOD]), read_free_form, RunSettings(cache=memory))
    memory.kept[0] = replace(memory.kept[0], text=BAD)
    asked = await ask(a_question(), ScriptedJudge([GOOD]), read_free_form, RunSettings(cache=memory))
    assert (asked.usage, asked.value) == (ONE_CALL, read_free_form(GOOD))
    assert asked.judgement_id != memory.kept[0].id


@pytest.mark.asyncio
async def test_a_judge_whose_replies_are_never_reused_is_asked_each_time() -> None:
    """What it says is kept all the same, each time under a new id."""
    memory = DictMemory()
    for _ in range(2):
        await ask(a_question(), ScriptedJudge([GOOD], memory_key=None), read_free_form, RunSettings(cache=memory))
    assert [judgement.key for judgement in memory.kept] == [None, None]
    assert len({judgement.id for judgement in memory.kept}) == 2


@pytest.mark.asyncio
async def test_a_recorded_judgement_has_the_id_of_its_content() -> None:
    """Replaying it is the same grading again; another case, evaluator, answer or text is another one."""
    questions = [
        a_question(),
        a_question(),
        a_question(case_id="b"),
        a_question(evaluator="b"),
        a_question(answer="b"),
    ]
    ids = [
        (await ask(question, ScriptedJudge([GOOD], is_recorded=True), read_free_form)).judgement_id
        for question in questions
    ]
    other = await ask(a_question(), ScriptedJudge([f"{GOOD} "], is_recorded=True), read_free_form)
    assert ids[0] == ids[1]
    assert len({*ids, other.judgement_id}) == 5


@pytest.mark.parametrize(
    ("changes", "memory"),
    [
        ({"prompt": Prompt("You judge.", "Judge this.", "4567")}, "scripted"),
        ({"schema": {"type": "object", "properties": {}}}, "scripted"),
        ({"sample": 1}, "scripted"),
        ({}, "another model"),
    ],
)
def test_whatever_decides_a_reply_is_part_of_its_key(changes: dict[str, object], memory: str) -> None:
    """The prompt, the schema, the sample, and the judge's own key."""
    usual = memory_key(a_question(), ScriptedJudge([]))
    assert usual is not None
    assert usual != memory_key(a_question(**changes), ScriptedJudge([], memory_key=memory))
    assert usual == memory_key(a_question(prompt=Prompt("", "", "0123")), ScriptedJudge([]))


@pytest.mark.asyncio
async def test_a_reply_can_always_be_stored() -> None:
    """Half a surrogate pair, which a provider may send, could not."""
    memory = DictMemory()
    await ask(a_question(), ScriptedJudge([f"\ud83d {GOOD}"]), read_free_form, RunSettings(cache=memory))
    assert memory.kept[0].text == f"\ufffd {GOOD}"


def test_a_complaint_has_an_end() -> None:
    """A reply with thousands of problems is not answered with thousands of lines."""
    lines = complaint_about([f"Problem {number}." for number in range(1000)]).splitlines()
    assert len(lines) == 103
    assert lines[-2] == "- And 900 more."


def test_an_invalid_judgement_shows_its_problems() -> None:
    """Also where it is printed."""
    assert str(InvalidJudgement(["One.", "Two."])) == "One. Two."
