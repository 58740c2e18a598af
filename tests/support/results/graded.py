"""Judgements and results as grading gives them, for tests of what becomes of them."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from rubric_core.grading.judges.judge import JudgeIdentity, Judgement
from rubric_core.grading.results import CaseResult, EvaluatorResult, ScorecardResult
from rubric_core.grading.usage import Usage
from rubric_core.model.suite import DEFAULT_WEIGHTS, Scorecard
from rubric_core.scoring.grades import Verdict
from rubric_core.scoring.rubrics import CriterionScore
from rubric_core.scoring.scorecards import DimensionJudgement, ScorecardJudgement, score_scorecard

MODEL = JudgeIdentity("mini", "openai", "mini-1")
PERSON = JudgeIdentity("manual", "manual")

ANSWER = "The server listens on port 8080, as its log says when it starts. " * 20


def a_judgement(number: int, **changes: object) -> Judgement:
    """Return one of many judgements, each with an id and a key of its own."""
    values = {
        "id": f"judgement-{number}",
        "key": f"key-{number}",
        "kind": "rubric",
        "file": "suite.eval.yaml",
        "case_id": f"case-{number}",
        "evaluator": "rubric",
        "judge": MODEL,
        "prompt_hash": f"prompt-{number}",
        "answer_hash": f"answer-{number}",
        "text": '{"checks": [{"id": "port", "satisfied": true, "reasoning": "It names the port."}]}',
    }
    return Judgement(**{**values, **changes})  # type: ignore[arg-type]


def a_result(number: int, **changes: object) -> CaseResult:
    """Return one of many results that passed, each with a fingerprint of its own."""
    criteria = tuple(
        CriterionScore(
            id=f"criterion-{index}",
            mode="checklist",
            weight=Decimal("1.5"),
            value=Fraction(1),
            satisfied=True,
            gate="passed",
            outcome="Names the port that the server listens on",
            reasoning="The answer names port 8080, which is the one in the log.",
        )
        for index in range(5)
    )
    evaluator = EvaluatorResult(
        name="rubric",
        type="llm_judge",
        weight=Decimal(1),
        status="graded",
        score=Fraction(1),
        verdict=Verdict.PASS,
        criteria=criteria,
        hits=tuple(f"{each.id}: {each.outcome}" for each in criteria),
        judge=MODEL,
        prompt_hash=f"prompt-{number}",
        usage=Usage(1, 0, 900, 120),
    )
    values = {
        "eval_id": f"case-{number}",
        "file": "suite.eval.yaml",
        "dataset": "suite",
        "candidate_answer": ANSWER,
        "score": Fraction(1),
        "verdict": Verdict.PASS,
        "evaluators": (evaluator,),
        "judge": MODEL,
        "usage": Usage(1, 0, 900, 120),
        "timestamp": "2025-11-16T08:00:00Z",
        "duration": 0.05,
        "fingerprint": f"fingerprint-{number}",
    }
    return CaseResult(**{**values, **changes})  # type: ignore[arg-type]


def a_scorecard(evaluation_id: str, score: int = 8, skill: str = "review", **scores: int) -> ScorecardResult:
    """Return a graded scorecard: `score` for each dimension that is not named."""
    dimensions = {name: DimensionJudgement(scores.get(name, score)) for name in DEFAULT_WEIGHTS}
    return ScorecardResult(
        skill=skill,
        score=score_scorecard(Scorecard(skill=skill), ScorecardJudgement(dimensions)),
        judge=MODEL,
        prompt_hash="prompt",
        evaluation_id=evaluation_id,
    )
