"""Evaluators that ask a judge: `llm_judge`, about criteria or for one score from 0 to 1, and the scorecard."""

from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256
from typing import Any

from rubric_core.grading.answers import Answer
from rubric_core.grading.ask import RunSettings, ValidJudgement, ask_all, identity_of
from rubric_core.grading.evaluators.code_judge import printed_prompt
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.grader import grader_of, verdict_marks
from rubric_core.grading.judgements import FreeFormJudgement, RubricJudgement
from rubric_core.grading.judges.judge import Judge, Question
from rubric_core.grading.options import Options
from rubric_core.grading.prompts.scorecard import scorecard_question
from rubric_core.grading.questions import chosen_criteria, evaluator_questions
from rubric_core.grading.results import EvaluatorResult, ScorecardResult
from rubric_core.grading.usage import total
from rubric_core.model.evaluators import LlmJudge, PromptScript
from rubric_core.model.suite import EvalCase, Scorecard
from rubric_core.schema.scales import PASS_MARK, VerdictMarks
from rubric_core.scoring.grades import verdict_of
from rubric_core.scoring.rubrics import CriterionScore, merge_checks, merge_scores, score_rubric
from rubric_core.scoring.scorecards import merge_scorecards, score_scorecard


async def run_llm_judge(
    evaluator: LlmJudge, case: EvalCase, answer: Answer, judge: Judge, settings: RunSettings
) -> EvaluatorResult:
    """Let a judge evaluate an answer. Raises GradingFailed without a valid judgement."""
    options, printed, marks = settings.options, None, grader_of(case).marks_of(evaluator, verdict_marks(case))
    if isinstance(evaluator.prompt, PromptScript):
        printed = await printed_prompt(evaluator.name, evaluator.prompt, case, answer, options.time_limit)
    questions = evaluator_questions(evaluator, case, answer.text, options, printed)
    judged = await ask_all(questions, judge, settings, case.source)
    common = _common_fields(questions[0], judged, judge, options)
    try:
        if evaluator.criteria:
            scored, agreement = _criteria_score(evaluator, judged, options, marks)
        else:
            scored, agreement = _whole_score(judged, marks)
    except ValueError as error:
        # All weights may be 0, which a rule reports unless it is silenced.
        raise CannotGrade(str(error), common["usage"]) from None
    agreement = agreement if options.samples > 1 else {}
    return EvaluatorResult(
        evaluator.name, evaluator.type, evaluator.weight, "graded", agreement=agreement, **common, **scored
    )


async def judge_scorecard(
    scorecard: Scorecard, case: EvalCase, answer: str, judge: Judge, settings: RunSettings
) -> ScorecardResult:
    """Grade a scorecard. The store compares it with its history. Raises GradingFailed."""
    question = scorecard_question(case, scorecard, answer)
    judged = await ask_all([question], judge, settings, case.source)
    judgement, agreement = merge_scorecards([reply.value for reply in judged])
    return ScorecardResult(
        skill=scorecard.skill,
        score=score_scorecard(scorecard, judgement),
        evaluation_id=_evaluation_id([reply.judgement_id for reply in judged]),
        agreement=agreement if settings.options.samples > 1 else {},
        **_common_fields(question, judged, judge, settings.options),
    )


def _common_fields(
    question: Question, judged: Sequence[ValidJudgement[Any]], judge: Judge, options: Options
) -> dict[str, Any]:
    return {
        "judge": identity_of(judge, judged[0].model),
        "prompt_hash": question.prompt.hash,
        "samples": options.samples,
        "usage": total(reply.usage for reply in judged),
    }


def _evaluation_id(judgement_ids: Sequence[str]) -> str:
    """Return the id of an evaluation, which depends on its judgements only."""
    return judgement_ids[0] if len(judgement_ids) == 1 else sha256("\n".join(judgement_ids).encode()).hexdigest()


def _criteria_score(
    evaluator: LlmJudge, judged: Sequence[ValidJudgement[RubricJudgement]], options: Options, marks: VerdictMarks
) -> tuple[dict[str, Any], dict[str, Fraction]]:
    """Return the fields of the result that follow from checks of criteria, and the agreement. Raises ValueError."""
    width = len(judged) // options.samples
    samples = [judged[start : start + width] for start in range(0, len(judged), width)]
    checks, agreement = merge_checks(
        [[check for reply in sample for check in reply.value.checks] for sample in samples]
    )
    scored = score_rubric(chosen_criteria(evaluator, options), checks, marks)
    fields = {
        "score": scored.score,
        "verdict": scored.verdict,
        "criteria": scored.criteria,
        "hits": tuple(_line(criterion) for criterion in scored.criteria if _is_hit(criterion)),
        "misses": tuple(_line(criterion) for criterion in scored.criteria if not _is_hit(criterion)),
        "reasoning": "\n".join(reply.value.overall_reasoning for reply in samples[0] if reply.value.overall_reasoning),
    }
    return fields, agreement


def _whole_score(
    judged: Sequence[ValidJudgement[FreeFormJudgement]], marks: VerdictMarks
) -> tuple[dict[str, Any], dict[str, Fraction]]:
    """Return the fields of the result that follow from scores of the answer as a whole, and the agreement."""
    score, agreement = merge_scores([reply.value.score for reply in judged])
    # The reasons of a sample with the same score explain it best.
    chosen = next(reply.value for reply in judged if reply.value.score == score)
    fields = {
        "score": score,
        "verdict": verdict_of(score, gates_hold=True, marks=marks),
        "hits": chosen.hits,
        "misses": chosen.misses,
        "reasoning": chosen.reasoning,
    }
    return fields, {"score": agreement}


def _is_hit(criterion: CriterionScore) -> bool:
    """Return whether a criterion is listed as a hit: by its gate, or else by the pass mark."""
    if criterion.gate is not None:
        return criterion.gate == "passed"
    return criterion.value >= (Fraction(1) if criterion.mode == "checklist" else PASS_MARK)


def _line(criterion: CriterionScore) -> str:
    score = "" if criterion.score is None else f" ({criterion.score} of 10)"
    return f"{criterion.id}{score}: {criterion.outcome}"
