"""Results of a small suite as grading gives them, for the tests of everything that shows results."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.results import CaseResult, EvaluatorResult, ScorecardResult
from rubric_core.grading.usage import Usage
from rubric_core.model.criteria import ChecklistCriterion, ScoreRange, ScoreRangeCriterion
from rubric_core.model.suite import Bonus, RedFlag, Scorecard
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.scoring.grades import Verdict, verdict_of
from rubric_core.scoring.rubrics import Check, score_rubric
from rubric_core.scoring.scorecards import (
    DimensionJudgement,
    Finding,
    ScorecardJudgement,
    history_report,
    score_scorecard,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rubric_core.model.criteria import Criterion

JUDGE = JudgeIdentity("strict", "openai", "gpt-4o-mini")
FILE = "evals/support.eval.yaml"
HASH = "9f2c41d7a0b35e6688d1c9"

PORT: tuple[Criterion, ...] = (
    ChecklistCriterion(id="names-port", expected_outcome="Names the port 5432", weight=Decimal("2.0")),
    ChecklistCriterion(id="says-how", expected_outcome="Says how to change it", weight=Decimal(1), required=False),
)
REVIEW: tuple[Criterion, ...] = (
    ScoreRangeCriterion(
        id="correctness",
        weight=Decimal("2.0"),
        required_min_score=7,
        score_ranges=(
            ScoreRange(minimum=0, maximum=2, expected_outcome="Contains critical bugs or errors"),
            ScoreRange(minimum=3, maximum=5, expected_outcome="Has minor bugs or edge case issues"),
            ScoreRange(minimum=6, maximum=8, expected_outcome="Functionally correct with minor issues"),
            ScoreRange(minimum=9, maximum=10, expected_outcome="Fully correct implementation"),
        ),
    ),
    ScoreRangeCriterion(
        id="style",
        score_ranges=(
            ScoreRange(minimum=0, maximum=3, expected_outcome="Poor style, hard to read"),
            ScoreRange(minimum=4, maximum=6, expected_outcome="Acceptable style with issues"),
            ScoreRange(minimum=7, maximum=10, expected_outcome="Clean, idiomatic code"),
        ),
    ),
    ChecklistCriterion(id="mentions-tests", expected_outcome="Asks for a test", required=False, weight=Decimal("0.5")),
)
ADVICE = Scorecard(
    skill="database-advice",
    red_flags=(
        RedFlag(id="invented-flag", expected_outcome="Names an option that does not exist"),
        RedFlag(id="data-loss", expected_outcome="Proposes a command that loses data", deduction=Decimal("1.5")),
        RedFlag(id="rude", expected_outcome="Is rude to the user"),
    ),
    bonuses=(Bonus(id="cites-manual", expected_outcome="Cites the manual"),),
)


@dataclass(frozen=True)
class PastEvaluation:
    """An earlier evaluation of a skill, as the store gives it."""

    id: str
    timestamp: str
    dimensions: Mapping[str, int]
    final_score: Decimal


def past(*scores: Sequence[int]) -> tuple[PastEvaluation, ...]:
    """Return evaluations with these scores of the seven dimensions, the oldest first."""
    return tuple(
        PastEvaluation(
            f"evaluation-{number}",
            f"2025-11-{number:02}T08:00:00Z",
            dict(zip(DIMENSIONS, each, strict=True)),
            (Decimal(sum(each)) / len(each)).quantize(Decimal("0.01")),
        )
        for number, each in enumerate(scores, start=1)
    )


def rubric_evaluator(criteria: Sequence[Criterion], checks: Sequence[Check], **fields: object) -> EvaluatorResult:
    """Return what the inline rubric of a case says for these checks."""
    scored = score_rubric(criteria, checks)
    given: dict[str, object] = {"name": "rubric", "judge": JUDGE, "prompt_hash": HASH, **fields}
    return EvaluatorResult(
        type="llm_judge",
        weight=Decimal(1),
        status="graded",
        score=scored.score,
        verdict=scored.verdict,
        criteria=scored.criteria,
        hits=tuple(each.id for each in scored.criteria if each.value == 1),
        misses=tuple(each.id for each in scored.criteria if each.value != 1),
        usage=Usage(calls=1, input_tokens=812, output_tokens=96),
        **given,  # type: ignore[arg-type]
    )


def case_of(eval_id: str, *evaluators: EvaluatorResult, **fields: object) -> CaseResult:
    """Return the result of a case from its first evaluator, which is the only graded one."""
    first = evaluators[0]
    given: dict[str, object] = {
        "file": FILE,
        "dataset": "support",
        "candidate_answer": "PostgreSQL listens on port 5432.",
        "judge": JUDGE,
        "usage": first.usage,
        "timestamp": "2025-11-16T08:00:00Z",
        "duration": 1.25,
        **fields,
    }
    return CaseResult(eval_id, score=first.score, verdict=first.verdict, evaluators=evaluators, **given)  # type: ignore[arg-type]


PASSED = case_of(
    "port",
    rubric_evaluator(
        PORT,
        [
            Check("names-port", satisfied=True, reasoning="The answer names port 5432."),
            Check("says-how", satisfied=True, reasoning="It points to postgresql.conf."),
        ],
    ),
)
GATE_FAILED = case_of(
    "port-unknown",
    rubric_evaluator(
        PORT,
        [
            Check("names-port", satisfied=False, reasoning="It says 3306, which is the port of MySQL."),
            Check("says-how", satisfied=True),
        ],
        reasoning="The wrong database.",
    ),
    candidate_answer="It is 3306.\nYou can change it in my.cnf.",
)
BORDERLINE = case_of(
    "review",
    rubric_evaluator(
        REVIEW,
        [
            Check("correctness", score=7, reasoning="Misses the empty list."),
            Check("style", score=9, reasoning="Reads well."),
            Check("mentions-tests", satisfied=False, reasoning="No test is asked for."),
        ],
        samples=3,
        agreement={"correctness": Fraction(2, 3), "style": Fraction(1), "mentions-tests": Fraction(1)},
    ),
    EvaluatorResult("fast", "latency", Decimal(1), "not run", error="Evaluators of type `latency` are not run."),
)
ERROR = CaseResult(
    "no-json",
    file=FILE,
    dataset="support",
    candidate_answer="5432",
    error="rubric: The judge gave no valid judgement in 3 attempts: `names-port` is missing.",
    evaluators=(
        EvaluatorResult(
            "rubric",
            "llm_judge",
            Decimal(1),
            "error",
            error="The judge gave no valid judgement in 3 attempts: `names-port` is missing.",
            judge=JUDGE,
            usage=Usage(calls=3, input_tokens=2400, output_tokens=40),
        ),
    ),
    usage=Usage(calls=3, input_tokens=2400, output_tokens=40),
)

HISTORY = {
    "database-advice": past((8, 8, 8, 7, 7, 9, 8), (7, 8, 8, 7, 8, 9, 8), (8, 7, 8, 7, 7, 9, 8), (8, 8, 9, 7, 7, 9, 8))
}


def scorecard_of(scores: Sequence[int], flags: Sequence[str] = (), bonuses: Sequence[str] = ()) -> ScorecardResult:
    """Return a graded scorecard for these scores of the seven dimensions, against the sample history."""
    by_name = dict(zip(DIMENSIONS, scores, strict=True))
    judgement = ScorecardJudgement(
        {name: DimensionJudgement(score, f"Why {name} is {score}.") for name, score in by_name.items()},
        tuple(Finding(flag, f"The answer shows {flag}.") for flag in flags),
        tuple(Finding(bonus, f"The answer shows {bonus}.") for bonus in bonuses),
        "Sound advice with one gap.",
    )
    earlier = [each.dimensions for each in HISTORY["database-advice"]]
    return ScorecardResult(
        skill="database-advice",
        score=score_scorecard(ADVICE, judgement),
        history=history_report("database-advice", by_name, earlier),
        judge=JUDGE,
        prompt_hash=HASH,
        evaluation_id="evaluation-5",
    )


SCORECARD_ALONE = CaseResult(
    "advice",
    file=FILE,
    dataset="support",
    candidate_answer="Run VACUUM.",
    scorecard=scorecard_of((8, 7, 8, 7, 7, 3, 8), ["invented-flag"], ["cites-manual"]),
    usage=Usage(calls=1, input_tokens=1500, output_tokens=300),
)
SCORECARD_IN_ERROR = case_of(
    "advice-lost",
    PASSED.evaluators[0],
    scorecard=ScorecardResult("database-advice", error="The judge left out the dimension `safety`."),
)
CODE_JUDGED = CaseResult(
    "syntax",
    file="evals/code.eval.yaml",
    candidate_answer="def f(: pass",
    score=Fraction(1, 3),
    verdict=verdict_of(Fraction(1, 3), gates_hold=True),
    evaluators=(
        EvaluatorResult(
            "python_syntax",
            "code_judge",
            Decimal(1),
            "graded",
            score=Fraction(1, 3),
            verdict=Verdict.FAIL,
            hits=("It is Python.",),
            misses=("It does not compile.", "It has no docstring."),
            reasoning="SyntaxError on line 1.",
        ),
    ),
)
ALL = (PASSED, GATE_FAILED, BORDERLINE, ERROR, SCORECARD_ALONE, SCORECARD_IN_ERROR, CODE_JUDGED)
