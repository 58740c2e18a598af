"""One case: what its evaluators say, together."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from judges import AnsweringJudge, all_met, case_of, checks, suite_of

from rubric_core.dialects.parts import GRADER
from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.grading.failures import CannotGrade, PersonStopped
from rubric_core.grading.grader import DEFAULT_GRADER
from rubric_core.grading.options import Options
from rubric_core.grading.run import grade
from rubric_core.grading.secrets import Redactor
from rubric_core.scoring.grades import Verdict

if TYPE_CHECKING:
    from rubric_core.grading.judges.judge import Judge, Question
    from rubric_core.grading.results import CaseResult
    from rubric_core.model.evaluators import LlmJudge
    from rubric_core.model.suite import EvalCase

MIXED = """\
rubrics:
  - {id: right, expected_outcome: It is right, weight: 2}
  - {id: short, expected_outcome: It is short, required: false}
  - {id: style, required_min_score: 5, score_ranges: {0: Bad, 5: Fair, 8: Good}}
"""

CARD = """\
scorecard:
  skill: mending
  red_flags: [{id: leak, expected_outcome: It leaks}]
  bonuses: [{id: extra, expected_outcome: It adds}]
"""


def graded(case: EvalCase, judge: Judge, options: Options | None = None) -> CaseResult:
    """Grade an answer that says `Done.` and nothing else."""
    return asyncio.run(grade(case, "Done.", judge, options=options or Options()))


def by_kind(**replies: str) -> AnsweringJudge:
    """Return a judge that replies by the kind of a question, or by the name of the evaluator that asks."""
    return AnsweringJudge(lambda question: replies.get(question.evaluator) or replies[question.kind.replace("-", "_")])


def scorecard_text(score: int = 8, flags: list[str] | None = None) -> str:
    """Return a judgement with one score for all dimensions."""
    names = ["correctness", "completeness", "adherence", "actionability", "efficiency", "safety", "consistency"]
    found = [{"id": name, "explanation": "Seen."} for name in flags or []]
    return json.dumps({"dimensions": {name: {"score": score} for name in names}, "red_flags": found, "bonuses": []})


@pytest.mark.parametrize(
    ("said", "score", "verdict", "failed"),
    [
        ({"right": True, "short": True, "style": 10}, Fraction(1), Verdict.PASS, ()),
        ({"right": True, "short": False, "style": 10}, Fraction(3, 4), Verdict.BORDERLINE, ()),
        ({"right": True, "short": True, "style": 2}, Fraction(4, 5), Verdict.FAIL, ("style",)),
        ({"right": False, "short": True, "style": 5}, Fraction(3, 8), Verdict.FAIL, ("right",)),
    ],
)
def test_each_criterion_is_scored_in_its_own_mode(
    said: dict[str, bool | int], score: Fraction, verdict: Verdict, failed: tuple[str, ...]
) -> None:
    """A mixed list has one score, and any gate of it fails the case."""
    result = graded(case_of(MIXED), by_kind(rubric=checks(**said)))
    assert (result.score, result.verdict, result.error) == (score, verdict, None)
    assert tuple(each.id for each in result.failed_gates) == failed


def test_a_result_names_its_judge_the_model_that_answered_and_the_prompt() -> None:
    """Whoever reads a score can tell where it comes from."""
    result = graded(case_of(MIXED), by_kind(rubric=checks(right=True, short=True, style=9)))
    (evaluator,) = result.evaluators
    assert evaluator.judge is not None
    assert (evaluator.judge.name, evaluator.judge.model) == ("scripted", "model-1")
    assert evaluator.prompt_hash is not None
    assert len(evaluator.prompt_hash) == 64
    assert (result.usage.calls, result.usage.input_tokens, result.usage.output_tokens) == (1, 10, 2)


def test_an_invalid_judgement_is_an_error_and_never_a_score() -> None:
    """Three attempts, then the reason: no score, no verdict."""
    judge = by_kind(rubric=checks(right=True, short=True))
    result = graded(case_of(MIXED), judge)
    assert (result.score, result.verdict) == (None, None)
    assert result.error is not None
    assert "style" in result.error
    assert len(judge.asked) == 3
    assert result.usage.calls == 3


def test_an_error_in_the_file_is_reported_before_anybody_is_asked() -> None:
    """Invalid rubrics are rejected with the message of their rule."""
    judge = AnsweringJudge(all_met)
    result = graded(case_of("rubrics:\n  - {id: x, score_ranges: {0: Bad, 5: Fair, 11: Good}}\n"), judge)
    assert result.error is not None
    assert "RB102" in result.error
    assert judge.asked == []


@pytest.mark.parametrize(
    "below",
    [
        'rubrics: ["TODO: what the answer must do"]\n',
        "rubrics: [It is right, TBD]\n",
        "rubrics:\n  - {id: style, score_ranges: {0: Bad, 5: TODO}}\n",
        "scorecard: {red_flags: [FIXME]}\n",
    ],
)
def test_a_case_with_a_placeholder_is_not_graded(below: str) -> None:
    """The reason says so, and nobody is asked."""
    judge = AnsweringJudge(all_met)
    result = graded(case_of(below), judge)
    assert (result.score, result.verdict) == (None, None)
    assert result.error
    assert "RB210" in result.error
    assert judge.asked == []


@pytest.mark.parametrize("flags", ['[""]', "[{id: a}]", "[{id: a, expected_outcome: ' '}]", "[~]"])
@pytest.mark.parametrize("key", ["red_flags", "bonuses"])
def test_an_adjustment_without_text_is_reported_in_words(key: str, flags: str) -> None:
    """The reason is that of the rule, without a word of the library that checks the models."""
    case = case_of(f"scorecard: {{{key}: {flags}}}\n")
    result = graded(case, AnsweringJudge(all_met))
    assert result.error
    assert "has no text; write what the judge looks for. (RB201)" in result.error
    assert not [each.reason for each in case.left_out if "should" in each.reason or "pydantic" in each.reason]


def test_several_evaluators_make_a_weighted_mean() -> None:
    """The inline rubric has weight 1; an evaluator that is not run takes no part and is listed."""
    case = case_of(
        "rubrics: [It is right]\n"
        "execution:\n  evaluators:\n"
        "    - {name: tone, type: llm_judge, weight: 3}\n"
        "    - {name: fast, type: latency, threshold: 5}\n"
    )
    result = graded(case, by_kind(rubric=checks(rubric_1=True), free_form='{"score": 0.7}'))
    assert result.score == Fraction(31, 40)
    assert result.verdict is Verdict.BORDERLINE
    assert [(each.name, each.status) for each in result.evaluators] == [
        ("rubric", "graded"),
        ("tone", "graded"),
        ("fast", "not run"),
    ]


def test_a_gate_that_failed_in_one_evaluator_fails_the_case() -> None:
    """However high the mean is."""
    case = case_of("rubrics: [It is right]\nevaluators:\n  - {name: big, type: llm_judge, weight: 99}\n")
    result = graded(case, by_kind(rubric=checks(rubric_1=False), free_form='{"score": 1}'))
    assert result.score == Fraction(99, 100)
    assert result.verdict is Verdict.FAIL


def test_one_evaluator_in_error_makes_the_case_an_error() -> None:
    """What the others say is kept beside it."""
    case = case_of("rubrics: [It is right]\nevaluators:\n  - {name: tone, type: llm_judge}\n")
    result = graded(case, by_kind(rubric=checks(rubric_1=True), free_form="no JSON"))
    assert result.score is None
    assert result.error is not None
    assert result.error.startswith("tone: ")
    assert [each.status for each in result.evaluators] == ["graded", "error"]


def test_a_case_whose_evaluators_are_all_passed_over_is_an_error() -> None:
    """Nothing was judged, so nothing has passed."""
    result = graded(case_of("evaluators:\n  - {name: fast, type: latency}\n"), AnsweringJudge(all_met))
    assert result.error == "None of the evaluators of this case was run: fast (latency)."


def test_a_case_that_names_nobody_gets_one_judgement_of_the_whole_answer() -> None:
    """Its expected outcome is what counts."""
    result = graded(case_of(""), by_kind(free_form='{"score": 0.85, "hits": ["a"], "misses": ["b"]}'))
    assert (result.score, result.verdict) == (Fraction(17, 20), Verdict.PASS)
    assert (result.evaluators[0].hits, result.evaluators[0].misses) == (("a",), ("b",))


def test_a_scorecard_is_beside_the_verdict() -> None:
    """It never enters the score; its own error leaves the verdict standing."""
    case = case_of("rubrics: [It is right]\n" + CARD)
    met = checks(rubric_1=True)
    result = graded(case, by_kind(rubric=met, scorecard=scorecard_text(3, ["leak", "leak"])))
    assert (result.score, result.verdict) == (Fraction(1), Verdict.PASS)
    assert result.scorecard is not None
    assert result.scorecard.score is not None
    assert str(result.scorecard.score.final_score) == "2.50"
    broken = graded(case, by_kind(rubric=met, scorecard="{}"))
    assert (broken.verdict, broken.error) == (Verdict.PASS, None)
    assert broken.scorecard is not None
    assert broken.scorecard.error is not None
    assert "dimensions" in broken.scorecard.error


def test_a_case_with_a_scorecard_alone_has_no_verdict() -> None:
    """Nor an error: it was graded as it asks to be."""
    result = graded(case_of(CARD), by_kind(scorecard=scorecard_text(9)))
    assert (result.score, result.verdict, result.error) == (None, None, None)
    assert result.scorecard is not None
    assert result.scorecard.score is not None
    assert result.scorecard.score.grade == "A"


def test_samples_are_merged_and_their_agreement_is_reported() -> None:
    """The majority counts, the lower median counts, and every sample is a call."""
    replies = iter([(True, 9), (False, 4), (True, 7)])

    def reply(_question: Question) -> str:
        met, score = next(replies)
        return checks(right=met, short=True, style=score)

    judge = AnsweringJudge(reply)
    result = graded(case_of(MIXED), judge, Options(samples=3))
    assert [question.sample for question in judge.asked] == [0, 1, 2]
    assert [(each.satisfied, each.score) for each in result.criteria] == [(True, None), (True, None), (None, 7)]
    assert result.evaluators[0].agreement == {"right": Fraction(2, 3), "short": Fraction(1), "style": Fraction(1, 3)}


def test_one_call_for_each_criterion() -> None:
    """Each question holds one criterion only; the result is that of the whole list."""
    judge = AnsweringJudge(all_met)
    result = graded(case_of(MIXED), judge, Options(per_criterion=True))
    assert [[each.id for each in question.criteria] for question in judge.asked] == [["right"], ["short"], ["style"]]
    assert (result.score, result.verdict) == (Fraction(1), Verdict.PASS)


def test_only_the_criteria_that_are_asked_for() -> None:
    """The result says that it is partial; scorecards and other evaluators are left out."""
    case = case_of(MIXED + "evaluators:\n  - {name: tone, type: llm_judge}\n" + CARD)
    judge = by_kind(rubric=checks(style=6))
    result = graded(case, judge, Options(criteria=frozenset({"style"})))
    assert result.partial
    assert [each.id for each in result.criteria] == ["style"]
    assert (result.score, result.scorecard) == (Fraction(3, 5), None)
    assert [each.status for each in result.evaluators] == ["graded", "not run"]


def test_a_code_judge_takes_part(tmp_path: object) -> None:
    """Its score is one of the weighted ones."""
    del tmp_path
    script = json.dumps([sys.executable, "-c", 'print(\'{"score": 0.5, "misses": ["half"]}\')'])
    case = case_of(f"rubrics: [It is right]\nevaluators:\n  - {{name: half, type: code_judge, script: {script}}}\n")
    result = graded(case, by_kind(rubric=checks(rubric_1=True)))
    assert (result.score, result.verdict) == (Fraction(3, 4), Verdict.BORDERLINE)
    assert result.evaluators[1].misses == ("half",)


def test_a_command_can_print_the_prompt() -> None:
    """It reads the case, and what it prints is what the judge is asked; one that fails makes an error."""
    script = [sys.executable, "-c", "import json, sys; print('Grade', json.load(sys.stdin)['candidate_answer'])"]
    body = "evaluators:\n  - {{name: own, type: llm_judge, prompt: {{script: {}}}}}\n"
    judge = by_kind(free_form='{"score": 1}')
    assert graded(case_of(body.format(json.dumps(script))), judge).verdict is Verdict.PASS
    assert "Grade Done." in judge.asked[0].prompt.user
    failing = graded(case_of(body.format(json.dumps([sys.executable, "-c", "raise SystemExit('no template')"]))), judge)
    assert failing.error is not None
    assert "no template" in failing.error
    silent = graded(case_of(body.format(json.dumps([sys.executable, "-c", ""]))), judge)
    assert silent.error is not None
    assert "printed nothing" in silent.error
    missing = graded(case_of(body.format('["no-such-program-anywhere"]')), judge)
    assert missing.error is not None
    assert "could not be made" in missing.error


def test_each_evaluator_may_have_its_own_judge() -> None:
    """A judge that is not known is that evaluator's error, and the scorecard's own."""
    judge = by_kind(rubric=checks(rubric_1=True))

    def judge_of(_case: EvalCase, evaluator: LlmJudge | None) -> Judge:
        if evaluator is not None and evaluator.name == "rubric":
            return judge
        raise CannotGrade("There is no judge nobody.")

    case = case_of("rubrics: [It is right]\nevaluators:\n  - {name: tone, type: llm_judge}\n" + CARD)
    result = asyncio.run(grade(case, "Done.", judge_of))
    assert result.error == "tone: There is no judge nobody."
    assert result.scorecard is not None
    assert result.scorecard.error == "There is no judge nobody."


def test_a_person_who_stops_ends_the_grading() -> None:
    """It is no judgement and no error of the case."""

    def stop(_question: Question) -> str:
        raise PersonStopped

    for body in ("rubrics: [It is right]\n", CARD):
        with pytest.raises(PersonStopped):
            graded(case_of(body), AnsweringJudge(stop))


def test_cancelling_ends_every_question() -> None:
    """No task is left behind, and the judge is asked nothing more."""

    async def run() -> AnsweringJudge:
        hanging = asyncio.Event()
        judge = AnsweringJudge(all_met, waits=hanging.wait)
        case = case_of("rubrics: [It is right]\n" + CARD)
        task = asyncio.ensure_future(grade(case, "Done.", judge, options=Options(samples=4)))
        await judge.reached(8)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert asyncio.all_tasks() == {asyncio.current_task()}
        return judge

    judge = asyncio.run(run())
    assert judge.active == 0


def test_what_the_suite_lacks_is_not_graded_around() -> None:
    """An evaluator of the suite that cannot be built makes its cases errors."""
    suite = suite_of(
        "execution:\n  evaluators:\n    - {name: x, type: nonsense}\n"
        "evalcases:\n  - {id: a, expected_outcome: b, input: c, rubrics: [d]}\n"
    )
    result = graded(suite.cases[0], AnsweringJudge(all_met))
    assert result.error == "some.eval.yaml:3: There is no evaluator type nonsense."


@pytest.mark.parametrize("key", ["assert", "vars"])
def test_what_only_another_dialect_has_is_not_graded_around(key: str) -> None:
    """An assertion that nobody here checks must not pass in silence."""
    result = graded(
        case_of(f"rubrics: [It is right]\n{key}: [{{type: contains, value: x}}]\n"), AnsweringJudge(all_met)
    )
    assert result.error == f"some.eval.yaml:6: `{key}` belongs to another dialect, so nothing reads it."


def test_a_dialect_without_a_grader_has_the_default() -> None:
    """Its cases are graded by a weighted mean with gates."""
    toy = replace(DEFAULT_DIALECT, parts={"table": DEFAULT_DIALECT.parts["table"]})
    assert GRADER.of(toy) is DEFAULT_GRADER


def test_an_evaluator_in_error_names_its_judge() -> None:
    """Whoever reads the error can tell who was asked, and how often."""
    result = graded(case_of("rubrics: [It is right]\n"), by_kind(rubric="no JSON"), Options(samples=2))
    (evaluator,) = result.evaluators
    assert evaluator.judge is not None
    assert (evaluator.judge.name, evaluator.samples) == ("scripted", 2)


def test_a_secret_that_is_also_an_id_breaks_nothing() -> None:
    """Ids are the author's own words; only the texts of a judgement are cleaned."""
    judge = by_kind(
        rubric='{"checks": [{"id": "uses-postgres", "satisfied": true, "reasoning": "It says postgres."}]}',
    )
    case = case_of("rubrics: [{id: uses-postgres, expected_outcome: It is used}]\n")
    result = asyncio.run(grade(case, "Use postgres.", judge, redactor=Redactor({"DB_PASSWORD": "postgres"})))
    assert result.verdict is Verdict.PASS
    assert result.criteria[0].reasoning == "It says [secret DB_PASSWORD]."
    assert result.candidate_answer == "Use [secret DB_PASSWORD]."
    assert "Use postgres." in judge.asked[0].prompt.user


def test_weights_that_are_all_zero_give_no_score() -> None:
    """The rule that reports them may be silenced; nothing is divided by zero all the same."""
    case = case_of(
        "rubrics:  # rubric: ignore[RB204]\n  - {id: x, expected_outcome: y, weight: 0}  # rubric: ignore[RB204]\n"
    )
    result = graded(case, by_kind(rubric=checks(x=True)))
    assert result.score is None
    assert result.error is not None
    assert "weight" in result.error


def test_no_secret_is_in_a_result() -> None:
    """Neither where the answer holds it nor where the judge repeats it."""
    judge = by_kind(rubric='{"checks": [{"id": "rubric-1", "satisfied": true, "reasoning": "It says open-sesame."}]}')
    result = asyncio.run(
        grade(
            case_of("rubrics: [It is right]\n"),
            "The key is open-sesame.",
            judge,
            redactor=Redactor({"KEY": "open-sesame"}),
        )
    )
    assert "open-sesame" in judge.asked[0].prompt.user
    assert result.candidate_answer == "The key is [secret KEY]."
    assert result.criteria[0].reasoning == "It says [secret KEY]."
