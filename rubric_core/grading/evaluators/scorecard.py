"""The scorecard: seven dimensions, flags and bonuses, graded beside the verdict."""

from __future__ import annotations

from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING

from rubric_core.grading.ask import ask
from rubric_core.grading.failures import GradingFailed, PersonStopped
from rubric_core.grading.judgements import read_scorecard
from rubric_core.grading.prompts.scorecard import scorecard_question
from rubric_core.grading.results import ScorecardResult
from rubric_core.grading.together import all_of
from rubric_core.grading.usage import total
from rubric_core.scoring.samples import merge_scorecards
from rubric_core.scoring.scorecards import score_scorecard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.grading.judges.judge import Judge, Question
    from rubric_core.grading.options import Options
    from rubric_core.grading.terms import Terms
    from rubric_core.model.scorecards import Scorecard
    from rubric_core.model.suite import EvalCase


def questions(scorecard: Scorecard, case: EvalCase, answer: str, options: Options) -> list[Question]:
    """Return what a judge is asked: one question for each sample."""
    return [scorecard_question(case, scorecard, answer, sample=sample) for sample in range(options.samples)]


async def judge_scorecard(
    scorecard: Scorecard, case: EvalCase, answer: str, judge: Judge, terms: Terms
) -> ScorecardResult:
    """Grade a scorecard. Its history is not looked at here: the store knows it. A failure is part of the result."""
    try:
        return await _judge(scorecard, case, answer, judge, terms)
    except PersonStopped:
        raise
    except GradingFailed as failure:
        return ScorecardResult(
            skill=scorecard.skill,
            error=terms.redactor.redact(failure.reason),
            judge=judge.identity,
            samples=terms.options.samples,
            usage=failure.usage,
        )


async def _judge(scorecard: Scorecard, case: EvalCase, answer: str, judge: Judge, terms: Terms) -> ScorecardResult:
    samples = questions(scorecard, case, answer, terms.options)
    asked = await all_of(
        ask(
            question,
            judge,
            partial(read_scorecard, scorecard=scorecard),
            memory=terms.memory,
            file=case.source,
            attempts=terms.options.attempts,
            redactor=terms.redactor,
        )
        for question in samples
    )
    judgement, agreement = merge_scorecards([each.value for each in asked])
    return ScorecardResult(
        skill=scorecard.skill,
        score=score_scorecard(scorecard, judgement),
        judge=judge.identity.answering_as(asked[0].model),
        prompt_hash=samples[0].prompt.hash,
        evaluation_id=_evaluation_id([each.judgement_id for each in asked]),
        samples=terms.options.samples,
        agreement=agreement if terms.options.samples > 1 else {},
        usage=total(each.usage for each in asked),
    )


def _evaluation_id(judgement_ids: Sequence[str]) -> str:
    """Name an evaluation after its judgements: the same ones again are the same evaluation."""
    if len(judgement_ids) == 1:
        return judgement_ids[0]
    return sha256("\n".join(judgement_ids).encode()).hexdigest()
