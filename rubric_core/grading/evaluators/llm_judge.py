"""`llm_judge`: a judge is asked about criteria, or for one score from 0 to 1 where there are none."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rubric_core.grading.ask import Asked, ask_all
from rubric_core.grading.evaluators.code_judge import printed_prompt
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.judgements import FreeFormJudgement, RubricJudgement
from rubric_core.grading.judges.judge import Judge
from rubric_core.grading.options import Options, RunSettings
from rubric_core.grading.questions import chosen_criteria, evaluator_questions
from rubric_core.grading.results import EvaluatorResult
from rubric_core.grading.usage import total
from rubric_core.model.evaluators import LlmJudge
from rubric_core.model.suite import EvalCase
from rubric_core.schema.scales import PASS_MARK
from rubric_core.scoring.rubrics import CriterionScore, score_rubric
from rubric_core.scoring.samples import merge_checks, merge_scores
from rubric_core.scoring.verdicts import verdict_of


async def run_llm_judge(
    evaluator: LlmJudge, case: EvalCase, answer: str, judge: Judge, settings: RunSettings
) -> EvaluatorResult:
    """Let a judge evaluate an answer. Raises GradingFailed where there is no valid judgement."""
    options = settings.options
    printed = await printed_prompt(evaluator, case, answer, options)
    questions = evaluator_questions(evaluator, case, answer, options, printed)
    asked = await ask_all(questions, judge, settings, case.source)
    usage = total(each.usage for each in asked)
    try:
        scored = _criteria_score(evaluator, asked, options) if evaluator.criteria else _whole_score(asked)
    except ValueError as error:
        # All weights may be 0, which a rule reports, but which may have been silenced.
        raise CannotGrade(str(error), usage) from None
    return EvaluatorResult(
        evaluator.name,
        evaluator.type,
        evaluator.weight,
        "graded",
        judge=judge.identity.answering_as(asked[0].model),
        prompt_hash=questions[0].prompt.hash,
        samples=options.samples,
        usage=usage,
        **{**scored, "agreement": scored["agreement"] if options.samples > 1 else {}},
    )


def _criteria_score(evaluator: LlmJudge, asked: Sequence[Asked[RubricJudgement]], options: Options) -> dict[str, Any]:
    """Return the fields of the result that follow from checks of criteria. Raises ValueError."""
    width = len(asked) // options.samples
    samples = [asked[start : start + width] for start in range(0, len(asked), width)]
    checks, agreement = merge_checks([[check for each in sample for check in each.value.checks] for sample in samples])
    scored = score_rubric(chosen_criteria(evaluator, options), checks)
    return {
        "score": scored.score,
        "verdict": scored.verdict,
        "criteria": scored.criteria,
        "hits": tuple(_line(each) for each in scored.criteria if _is_hit(each)),
        "misses": tuple(_line(each) for each in scored.criteria if not _is_hit(each)),
        "reasoning": "\n".join(each.value.overall_reasoning for each in samples[0] if each.value.overall_reasoning),
        "agreement": agreement,
    }


def _whole_score(asked: Sequence[Asked[FreeFormJudgement]]) -> dict[str, Any]:
    """Return the fields of the result that follow from scores of the answer as a whole."""
    score, agreement = merge_scores([each.value.score for each in asked])
    # The words of a sample that says what the result says explain it best.
    told = next(each.value for each in asked if each.value.score == score)
    return {
        "score": score,
        "verdict": verdict_of(score, gates_hold=True),
        "hits": told.hits,
        "misses": told.misses,
        "reasoning": told.reasoning,
        "agreement": {"score": agreement},
    }


def _is_hit(criterion: CriterionScore) -> bool:
    """Return whether a criterion is listed as a hit: by its gate, or else by the pass mark."""
    if criterion.gate is not None:
        return criterion.gate == "passed"
    return criterion.value >= (Fraction(1) if criterion.mode == "checklist" else PASS_MARK)


def _line(criterion: CriterionScore) -> str:
    score = "" if criterion.score is None else f" ({criterion.score} of 10)"
    return f"{criterion.id}{score}: {criterion.outcome}"
