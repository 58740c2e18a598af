"""The scorecard: seven dimensions, flags and bonuses, graded beside the verdict."""

from collections.abc import Sequence
from hashlib import sha256

from rubric_core.grading.ask import ask_all
from rubric_core.grading.judges.judge import Judge
from rubric_core.grading.options import RunSettings
from rubric_core.grading.questions import scorecard_questions
from rubric_core.grading.results import ScorecardResult
from rubric_core.grading.usage import total
from rubric_core.model.scorecards import Scorecard
from rubric_core.model.suite import EvalCase
from rubric_core.scoring.samples import merge_scorecards
from rubric_core.scoring.scorecards import score_scorecard


async def judge_scorecard(
    scorecard: Scorecard, case: EvalCase, answer: str, judge: Judge, settings: RunSettings
) -> ScorecardResult:
    """Grade a scorecard. The store compares it with its history. Raises GradingFailed."""
    questions = scorecard_questions(scorecard, case, answer, settings.options)
    asked = await ask_all(questions, judge, settings, case.source)
    judgement, agreement = merge_scorecards([each.value for each in asked])
    return ScorecardResult(
        skill=scorecard.skill,
        score=score_scorecard(scorecard, judgement),
        judge=judge.identity.answering_as(asked[0].model),
        prompt_hash=questions[0].prompt.hash,
        evaluation_id=_evaluation_id([each.judgement_id for each in asked]),
        samples=settings.options.samples,
        agreement=agreement if settings.options.samples > 1 else {},
        usage=total(each.usage for each in asked),
    )


def _evaluation_id(judgement_ids: Sequence[str]) -> str:
    """Name an evaluation after its judgements: the same ones again are the same evaluation."""
    if len(judgement_ids) == 1:
        return judgement_ids[0]
    return sha256("\n".join(judgement_ids).encode()).hexdigest()
