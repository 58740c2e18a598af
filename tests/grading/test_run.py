"""Many cases: bounded, kept at once, stopped cleanly, taken up again."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from judges import AnsweringJudge, all_met, suite_of

from rubric_core.grading.answers import Answer
from rubric_core.grading.ask import SelectiveCache
from rubric_core.grading.failures import CannotGrade, PersonStopped, ProviderFailed
from rubric_core.grading.judges.judge import PERSON, Judgement
from rubric_core.grading.options import Options
from rubric_core.grading.providers.provider import Completion
from rubric_core.grading.run import grade_all
from rubric_core.grading.secrets import NO_SECRETS
from rubric_core.grading.service import make_plan
from rubric_core.grading.sources import Sources
from rubric_core.grading.usage import Usage
from rubric_core.model.suite import ContentPart, Message
from rubric_core.scoring.grades import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rubric_core.grading.judges.judge import Exchange, Judge, Question
    from rubric_core.grading.results import CaseResult
    from rubric_core.model.suite import EvalCase


def cases_of(count: int, body: str = "rubrics: [It is right]") -> tuple[EvalCase, ...]:
    """Return so many cases that differ in their ids only."""
    lines = [f"  - {{id: case-{place}, expected_outcome: b, input: c, {body}}}\n" for place in range(count)]
    return suite_of("evalcases:\n" + "".join(lines)).cases


class FixedSources(Sources):
    """One judge, and answers that are known or else produced."""

    def __init__(self, judge: Judge, answers: dict[str, str] | None = None) -> None:
        self.judge = judge
        self.answers = answers or {}
        self.redactor = NO_SECRETS

    def judge_of(self, case: EvalCase, evaluator: object) -> Judge:
        """Return the judge."""
        del case, evaluator
        return self.judge

    async def answer_of(self, case: EvalCase) -> Answer:
        """Return the known answer, or one that is made up."""
        await asyncio.sleep(0)
        if case.id == "case-unanswered":
            raise ProviderFailed("The target said nothing.", Usage(calls=1))
        return Answer(self.answers.get(case.id, "Made up."))

    def known_answer(self, case: EvalCase) -> Answer | None:
        """Return the known answer."""
        return Answer(self.answers[case.id]) if case.id in self.answers else None

    def answer_key(self, case: EvalCase) -> str:
        """Return a key of its own for each case."""
        return case.id


source_of = FixedSources


def run(cases: Sequence[EvalCase], source: Sources, **choices: object) -> dict[int, CaseResult]:
    """Grade cases and return what was reported, by place."""
    told: dict[int, CaseResult] = {}
    asyncio.run(grade_all(cases, source, told.__setitem__, **choices))  # type: ignore[arg-type]
    return told


def test_every_case_is_reported_with_its_place() -> None:
    """Whatever the order in which the judgements come."""
    told = run(cases_of(20), source_of(AnsweringJudge(all_met)), concurrency=7)
    assert {place: result.eval_id for place, result in told.items()} == {place: f"case-{place}" for place in range(20)}
    assert {result.verdict for result in told.values()} == {Verdict.PASS}


@pytest.mark.parametrize("concurrency", [1, 3])
def test_no_more_questions_at_once_than_allowed(concurrency: int) -> None:
    """Samples of one case and several cases share the places."""
    judge = AnsweringJudge(all_met, waits=lambda: asyncio.sleep(0))
    run(cases_of(5), source_of(judge), concurrency=concurrency, options=Options(samples=4))
    assert len(judge.asked) == 20
    assert judge.most_active == concurrency


def test_an_answer_that_does_not_come_is_that_case_alone() -> None:
    """The others are graded; what was spent is counted."""
    lost = replace_id(cases_of(1)[0], "case-unanswered")
    told = run((lost, *cases_of(2)), source_of(AnsweringJudge(all_met)))
    assert (told[0].error, told[0].usage.calls) == ("The target said nothing.", 1)
    assert [told[1].verdict, told[2].verdict] == [Verdict.PASS, Verdict.PASS]


def replace_id(case: EvalCase, case_id: str) -> EvalCase:
    """Return a case under another id."""
    return case.model_copy(update={"id": case_id})


def test_a_case_with_errors_costs_nothing() -> None:
    """Neither an answer nor a judgement is asked for."""
    judge = AnsweringJudge(all_met)
    told = run(cases_of(1, "rubrics: [{id: x}]"), source_of(judge))
    assert told[0].error is not None
    assert judge.asked == []


@pytest.mark.parametrize("stopped_by", ["cancelling", "the person"])
def test_stopping_keeps_what_was_told(stopped_by: str) -> None:
    """Results come one by one; the questions that are open end with the run."""
    told: dict[int, CaseResult] = {}

    async def stop_in_the_middle() -> None:
        gate = asyncio.Semaphore(4)

        def reply(question: Question) -> str:
            if stopped_by == "the person" and len(told) == 3:
                raise PersonStopped
            return all_met(question)

        judge = AnsweringJudge(reply, waits=gate.acquire)
        task = asyncio.ensure_future(grade_all(cases_of(10), source_of(judge), told.__setitem__, concurrency=1))
        if stopped_by == "cancelling":
            await asyncio.sleep(0)
            while len(told) < 4:  # noqa: ASYNC110 - nobody tells when a result was reported.
                await asyncio.sleep(0)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        else:
            with pytest.raises(PersonStopped):
                await task
        assert judge.active == 0
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(stop_in_the_middle())
    assert sorted(told) == list(range(4 if stopped_by == "cancelling" else 3))


def test_what_needs_no_call_can_be_stopped_too() -> None:
    """Recorded and remembered judgements never wait for anything; whoever stops the run gets a turn all the same."""
    told: dict[int, CaseResult] = {}

    class Recorded(AnsweringJudge):
        async def judge(self, question: Question, earlier: tuple[Exchange, ...] = ()) -> Completion:
            del earlier
            return Completion(self.reply(question))

    async def stop_early() -> None:
        source = source_of(Recorded(all_met), {f"case-{place}": "a" for place in range(50)})

        async def known(case: EvalCase) -> Answer:
            return Answer(case.id)

        source.answer_of = known  # type: ignore[method-assign]
        grading = grade_all(cases_of(50), source, told.__setitem__, concurrency=1)
        task = asyncio.ensure_future(grading)
        for _ in range(5):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(stop_early())
    assert 0 < len(told) < 50


def test_a_changed_script_is_another_grading(tmp_path: Path) -> None:
    """A run that goes on does not take over what another script has judged."""
    script = tmp_path / "judge.py"
    body = "rubrics: [It is right], evaluators: [{name: s, type: code_judge, script: [python3, judge.py]}]"
    (case,) = [each.model_copy(update={"source": str(tmp_path / "a.eval.yaml")}) for each in cases_of(1, body)]

    def name() -> str:
        return make_plan([case], source_of(AnsweringJudge(all_met), {"case-0": "a"}), Options()).fingerprints[0]

    script.write_text("raise SystemExit(0)", encoding="utf-8")
    before = name()
    assert name() == before
    script.write_text("raise SystemExit(1)", encoding="utf-8")
    assert name() not in ("", before)
    (tmp_path / "helper.py").write_text("WORD = 'day'", encoding="utf-8")
    script.write_text("import helper", encoding="utf-8")
    assert name() == ""


def test_a_changed_file_of_a_message_is_another_grading_for_a_code_judge(tmp_path: Path) -> None:
    """The judge reads it in the question, also where no model is asked."""
    (tmp_path / "judge.py").write_text("import sys; sys.stdin.read()", encoding="utf-8")
    body = "evaluators: [{name: s, type: code_judge, script: python3 judge.py}]"
    asked = (Message(role="user", content=(ContentPart(type="file", value="log.txt"),)),)
    update = {"source": str(tmp_path / "a.eval.yaml"), "input_messages": asked}
    (case,) = [each.model_copy(update=update) for each in cases_of(1, body)]

    def name() -> str:
        return make_plan([case], source_of(AnsweringJudge(all_met), {"case-0": "a"}), Options()).fingerprints[0]

    assert name() == ""
    (tmp_path / "log.txt").write_text("one", encoding="utf-8")
    before = name()
    (tmp_path / "log.txt").write_text("two", encoding="utf-8")
    assert name() not in ("", before)


def test_a_run_goes_on_where_it_was_stopped() -> None:
    """What was graded before with the same case, answer and judge is taken over; the rest is asked."""
    cases = cases_of(4)
    names = make_plan(cases, source_of(AnsweringJudge(all_met)), Options()).fingerprints
    first = run(cases[:2], source_of(AnsweringJudge(all_met)), fingerprints=names[:2])
    earlier = {result.fingerprint: result for result in first.values()}
    judge = AnsweringJudge(all_met)
    told = run(cases, source_of(judge), fingerprints=names, earlier=earlier.get)
    assert [question.case_id for question in judge.asked] == ["case-2", "case-3"]
    assert told[0] == first[0]


def test_a_million_samples_are_counted_without_being_built() -> None:
    """The plan is there at once, however many judgements of the same thing are wanted."""
    cases = cases_of(3)
    begin = time.process_time()
    many = make_plan(cases, source_of(AnsweringJudge(all_met)), Options(samples=1_000_000))
    assert time.process_time() - begin < 1
    one = make_plan(cases, source_of(AnsweringJudge(all_met)), Options())
    assert many.calls == {name: 1_000_000 * calls for name, calls in one.calls.items()}
    assert many.characters == 1_000_000 * one.characters


def test_a_fingerprint_changes_with_everything_that_is_asked() -> None:
    """The case, the answer, the judge, the choices, and the files that the case names."""
    judge = AnsweringJudge(all_met)
    other = AnsweringJudge(all_met, name="other")
    case, second = cases_of(2)

    def name(case: EvalCase = case, answer: str = "a", judge: Judge = judge, **choices: object) -> str:
        plan = make_plan([case], source_of(judge, {case.id: answer}), Options(**choices))  # type: ignore[arg-type]
        return plan.fingerprints[0]

    names = [
        name(),
        name(second),
        name(answer="b"),
        name(judge=other),
        name(samples=2),
        name(per_criterion=True),
        name(criteria=frozenset({"rubric-1"})),
    ]
    assert len(set(names)) == len(names)
    assert name() == name()


def test_a_case_that_cannot_be_asked_about_has_no_fingerprint() -> None:
    """So nothing is ever taken over for it."""
    (case,) = cases_of(1, "rubrics: [It is right], evaluators: [{name: z, type: llm_judge, prompt: no.md}]")
    assert make_plan([case], source_of(AnsweringJudge(all_met)), Options()).fingerprints == [""]


class OneJudgement:
    """A memory that knows one judgement under every key."""

    def __init__(self, judgement: Judgement | None) -> None:
        self.judgement = judgement
        self.kept: list[Judgement] = []

    def get(self, key: str) -> Judgement | None:
        """Return the one judgement."""
        return replace(self.judgement, key=key) if self.judgement else None

    def put(self, judgement: Judgement) -> None:
        """Note what is to be kept."""
        self.kept.append(judgement)


def kept_judgement(kind: str = "openai") -> Judgement:
    """Return a judgement of a judge of some kind."""
    judge = AnsweringJudge(all_met)
    return Judgement(
        id="1",
        key="k",
        kind="rubric",
        file="",
        case_id="a",
        evaluator="rubric",
        judge=replace(judge.identity, kind=kind),
        prompt_hash="",
        answer_hash="",
        text="the key is sesame",
    )


@pytest.mark.parametrize(
    ("kind", "recalls", "persons", "found"),
    [
        ("openai", True, False, True),
        ("openai", False, False, False),
        (PERSON, True, False, False),
        (PERSON, True, True, True),
        (PERSON, False, True, True),
        ("openai", False, True, False),
    ],
)
def test_only_what_is_wanted_is_recalled(kind: str, *, recalls: bool, persons: bool, found: bool) -> None:
    """A person is asked again, unless a stopped run goes on; `--no-cache` asks every model again."""
    memory = SelectiveCache(OneJudgement(kept_judgement(kind)), reuses_models=recalls, reuses_persons=persons)
    assert (memory.get("k") is not None) is found


def test_the_plan_counts_what_will_be_asked() -> None:
    """By judge, with what is remembered, what targets must answer and what cannot be graded left out."""
    suite = suite_of(
        "evalcases:\n"
        "  - {id: a, expected_outcome: b, input: c, rubrics: [d, e]}\n"
        "  - {id: b, expected_outcome: b, input: c, rubrics: [d], evaluators: [{name: s, type: code, script: x}]}\n"
        "  - {id: broken, expected_outcome: b, input: c, rubrics: [{id: z}]}\n"
        "  - {id: lacking, expected_outcome: b, rubrics: [d], "
        "input: [{role: user, content: [{type: file, value: no.md}]}]}\n"
    )
    judge = AnsweringJudge(all_met, memory_key="m")
    source = source_of(judge, {"a": "Known."})
    plan = make_plan(suite.cases, source, Options(samples=2, per_criterion=True))
    assert (plan.cases, plan.not_gradable, plan.answers, plan.code_judges) == (4, 2, 1, 1)
    assert plan.calls == {"scripted": 6}
    assert plan.characters > 1000
    remembered = make_plan(suite.cases, source, Options(), OneJudgement(kept_judgement()))
    assert (remembered.cached, remembered.calls) == (2, {})


def test_a_plan_needs_its_judges() -> None:
    """A judge that is not known stops everything before anything is spent."""

    def nobody(_case: EvalCase, _evaluator: object) -> Judge:
        raise CannotGrade("There is no judge nobody.")

    source = source_of(AnsweringJudge(all_met))
    source.judge_of = nobody  # type: ignore[method-assign]
    with pytest.raises(CannotGrade):
        make_plan(cases_of(1), source, Options())
