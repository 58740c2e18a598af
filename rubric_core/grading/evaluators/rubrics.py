"""Criteria: each is judged in its own mode, and all together are scored."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from rubric_core.grading.ask import ask
from rubric_core.grading.evaluators.prompt_script import printed_prompt
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.judgements import read_checks
from rubric_core.grading.prompts.rubric import rubric_question
from rubric_core.grading.results import EvaluatorResult
from rubric_core.grading.together import all_of
from rubric_core.grading.usage import total
from rubric_core.model.evaluators import LlmJudge
from rubric_core.schema.scales import PASS_MARK
from rubric_core.scoring.rubrics import score_rubric
from rubric_core.scoring.samples import merge_checks

if TYPE_CHECKING:
    from rubric_core.grading.judges.judge import Judge, Question
    from rubric_core.grading.options import Options
    from rubric_core.grading.terms import Terms
    from rubric_core.model.criteria import Criterion
    from rubric_core.model.suite import EvalCase
    from rubric_core.scoring.rubrics import CriterionScore


def chosen(evaluator: LlmJudge, options: Options) -> tuple[Criterion, ...]:
    """Return the criteria that are to be judged."""
    wanted = options.criteria
    if options.evaluator not in (None, evaluator.name):
        return ()
    return tuple(each for each in evaluator.criteria if wanted is None or each.id in wanted)


def criterion_ids(case: EvalCase) -> frozenset[str]:
    """Return the ids of all criteria of a case, of each of its evaluators."""
    judges = (each for each in case.evaluators if isinstance(each, LlmJudge))
    return frozenset(criterion.id for judge in judges for criterion in judge.criteria)


def questions(
    evaluator: LlmJudge, case: EvalCase, answer: str, options: Options, *, printed: str | None = None
) -> list[list[Question]]:
    """Return what a judge is asked: a list for each sample, with one question, or one for each criterion.

    `printed` is what the evaluator's own command printed as its prompt.
    """
    criteria = chosen(evaluator, options)
    groups = [(each,) for each in criteria] if options.per_criterion else [criteria]
    return [
        [rubric_question(case, evaluator, group, answer, prompt_text=printed, sample=sample) for group in groups]
        for sample in range(options.samples)
    ]


async def judge_rubric(evaluator: LlmJudge, case: EvalCase, answer: str, judge: Judge, terms: Terms) -> EvaluatorResult:
    """Judge all criteria of an evaluator. Raises GradingFailed where there is no valid judgement."""
    printed = await printed_prompt(evaluator, case, answer, terms.options)
    samples = questions(evaluator, case, answer, terms.options, printed=printed)
    asked = await all_of(
        ask(
            question,
            judge,
            partial(read_checks, criteria=question.criteria),
            memory=terms.memory,
            file=case.source,
            attempts=terms.options.attempts,
            redactor=terms.redactor,
        )
        for sample in samples
        for question in sample
    )
    width = len(samples[0])
    judged = [asked[start : start + width] for start in range(0, len(asked), width)]
    checks, agreement = merge_checks([[check for each in sample for check in each.value.checks] for sample in judged])
    usage = total(each.usage for each in asked)
    try:
        scored = score_rubric(chosen(evaluator, terms.options), checks)
    except ValueError as error:
        # All weights may be 0, which a rule reports, but which may have been silenced.
        raise CannotGrade(str(error), usage) from None
    return EvaluatorResult(
        name=evaluator.name,
        type=evaluator.type,
        weight=evaluator.weight,
        status="graded",
        score=scored.score,
        verdict=scored.verdict,
        criteria=scored.criteria,
        hits=tuple(_told(each) for each in scored.criteria if _is_hit(each)),
        misses=tuple(_told(each) for each in scored.criteria if not _is_hit(each)),
        reasoning="\n".join(each.value.overall_reasoning for each in judged[0] if each.value.overall_reasoning),
        judge=judge.identity.answering_as(asked[0].model),
        prompt_hash=samples[0][0].prompt.hash,
        samples=terms.options.samples,
        agreement=agreement if terms.options.samples > 1 else {},
        usage=usage,
    )


def _is_hit(criterion: CriterionScore) -> bool:
    """Tell whether a criterion counts as met in the lists of hits and misses: by its gate, or else by the pass mark."""
    if criterion.gate is not None:
        return criterion.gate == "passed"
    return criterion.value >= (Fraction(1) if criterion.mode == "checklist" else PASS_MARK)


def _told(criterion: CriterionScore) -> str:
    score = "" if criterion.score is None else f" ({criterion.score} of 10)"
    return f"{criterion.id}{score}: {criterion.outcome}"
