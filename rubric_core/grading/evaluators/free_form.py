"""A judgement without criteria: one score from 0 to 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rubric_core.grading.ask import ask
from rubric_core.grading.evaluators.prompt_script import printed_prompt
from rubric_core.grading.judgements import read_free_form
from rubric_core.grading.prompts.free_form import free_form_question
from rubric_core.grading.results import EvaluatorResult
from rubric_core.grading.together import all_of
from rubric_core.grading.usage import total
from rubric_core.scoring.samples import merge_scores
from rubric_core.scoring.verdicts import verdict_of

if TYPE_CHECKING:
    from rubric_core.grading.judges.judge import Judge, Question
    from rubric_core.grading.options import Options
    from rubric_core.grading.terms import Terms
    from rubric_core.model.evaluators import LlmJudge
    from rubric_core.model.suite import EvalCase


def questions(
    evaluator: LlmJudge, case: EvalCase, answer: str, options: Options, *, printed: str | None = None
) -> list[Question]:
    """Return what a judge is asked: one question for each sample.

    `printed` is what the evaluator's own command printed as its prompt.
    """
    return [
        free_form_question(case, evaluator, answer, prompt_text=printed, sample=sample)
        for sample in range(options.samples)
    ]


async def judge_free_form(
    evaluator: LlmJudge, case: EvalCase, answer: str, judge: Judge, terms: Terms
) -> EvaluatorResult:
    """Judge an answer as a whole. Raises GradingFailed where there is no valid judgement."""
    printed = await printed_prompt(evaluator, case, answer, terms.options)
    samples = questions(evaluator, case, answer, terms.options, printed=printed)
    asked = await all_of(
        ask(
            question,
            judge,
            read_free_form,
            memory=terms.memory,
            file=case.source,
            attempts=terms.options.attempts,
            redactor=terms.redactor,
        )
        for question in samples
    )
    score, agreement = merge_scores([each.value.score for each in asked])
    # The words of a sample that says what the result says explain it best.
    told = next(each.value for each in asked if each.value.score == score)
    return EvaluatorResult(
        name=evaluator.name,
        type=evaluator.type,
        weight=evaluator.weight,
        status="graded",
        score=score,
        verdict=verdict_of(score, gates_hold=True),
        hits=told.hits,
        misses=told.misses,
        reasoning=told.reasoning,
        judge=judge.identity.answering_as(asked[0].model),
        prompt_hash=samples[0].prompt.hash,
        samples=terms.options.samples,
        agreement={"score": agreement} if terms.options.samples > 1 else {},
        usage=total(each.usage for each in asked),
    )
