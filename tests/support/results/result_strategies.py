"""Any result that grading can give, for properties."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from hypothesis import strategies as st

from rubric_core.dialects.registry import DEFAULT_DIALECT, DIALECTS
from rubric_core.grading.judges.judge import JudgeIdentity
from rubric_core.grading.results import CaseResult, EvaluatorResult, ScorecardResult, Upstream
from rubric_core.grading.usage import Usage
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.scoring.grades import Verdict
from rubric_core.scoring.rubrics import CriterionScore, ScoreBand
from rubric_core.scoring.scorecards import Adjustment, DimensionHistory, DimensionScore, HistoryReport, ScorecardScore

# Answers and reasoning hold whatever a model writes: markup of every kind, control characters, halves of pairs.
TEXTS = st.one_of(
    st.text(st.characters(), max_size=20),
    st.sampled_from(
        [
            "<img src=x onerror=alert(1)>",
            "]]> --> </script> &amp; \x1b[31m\x00\x07",
            "| a | b |\n|---|---|\n```\n~~~\n# not a heading\n- [ ] no task\n<!-- hidden",
            "שלום עולם \u202e right to left",
            "🎉👩\u200d💻 \ud800",
        ]
    ),
)
NAMES = st.one_of(st.sampled_from(["correctness", "names-port", "style"]), TEXTS)
DECIMALS = st.decimals(0, 1000, places=None, allow_nan=False, allow_infinity=False)
POINTS = st.decimals(0, 10, places=2)
SHARES = st.integers(1, 50).flatmap(lambda whole: st.integers(0, whole).map(lambda part: Fraction(part, whole)))
SCORES = st.one_of(SHARES, st.fractions(0, 1))
USAGES = st.builds(Usage, *[st.integers(0, 10**9)] * 4)
JUDGES = st.none() | st.builds(JudgeIdentity, NAMES, NAMES, st.none() | NAMES)
GATES = st.sampled_from([None, "passed", "failed"])
UPSTREAM = st.builds(Upstream, st.decimals(0, 1, places=16), st.sampled_from(Verdict))
AGREEMENTS = st.dictionaries(NAMES, SHARES, max_size=3)


@st.composite
def criteria(draw: st.DrawFn) -> CriterionScore:
    """Give a judged criterion of either mode."""
    if draw(st.booleans()):
        satisfied = draw(st.booleans())
        judged = {"mode": "checklist", "value": Fraction(satisfied), "satisfied": satisfied}
    else:
        score = draw(st.integers(0, 10))
        bands = (ScoreBand(0, 4, draw(TEXTS)), ScoreBand(5, 10, draw(TEXTS)))
        minimum = draw(st.none() | st.integers(0, 10))
        judged = {
            "mode": "score-range",
            "value": Fraction(score, 10),
            "score": score,
            "bands": draw(st.sampled_from([(), bands])),
            "required_min_score": minimum,
        }
    return CriterionScore(
        id=draw(NAMES), weight=draw(DECIMALS), gate=draw(GATES), outcome=draw(TEXTS), reasoning=draw(TEXTS), **judged
    )


@st.composite
def evaluator_results(draw: st.DrawFn, *, depth: int = 1) -> EvaluatorResult:
    """Give what one evaluator says, graded or not; some are sets with members."""
    status = draw(st.sampled_from(["graded", "error", "not run"]))
    graded = status == "graded"
    return EvaluatorResult(
        name=draw(NAMES),
        type=draw(NAMES),
        weight=draw(DECIMALS),
        status=status,
        score=draw(SCORES) if graded else None,
        verdict=draw(st.sampled_from(Verdict)) if graded else None,
        criteria=tuple(draw(st.lists(criteria(), max_size=3))) if graded else (),
        hits=tuple(draw(st.lists(TEXTS, max_size=2))),
        misses=tuple(draw(st.lists(TEXTS, max_size=2))),
        reasoning=draw(TEXTS),
        error=None if graded else draw(TEXTS),
        judge=draw(JUDGES),
        prompt_hash=draw(st.none() | NAMES),
        samples=draw(st.integers(1, 9)),
        agreement=draw(AGREEMENTS),
        usage=draw(USAGES),
        members=tuple(draw(st.lists(evaluator_results(depth=depth - 1), max_size=2))) if depth else (),
        negated=draw(st.booleans()),
        minimum=draw(st.none() | st.decimals(0, 1, places=2)),
    )


ADJUSTMENTS = st.lists(st.builds(Adjustment, NAMES, POINTS, TEXTS, TEXTS), max_size=3).map(tuple)


@st.composite
def scorecard_scores(draw: st.DrawFn) -> ScorecardScore:
    """Give a graded scorecard; its numbers need not follow from one another."""
    return ScorecardScore(
        dimensions=tuple(
            DimensionScore(name, draw(st.integers(1, 10)), Decimal("0.25"), draw(TEXTS)) for name in DIMENSIONS
        ),
        composite=draw(POINTS),
        deductions=draw(ADJUSTMENTS),
        deduction_total=draw(POINTS),
        adjusted=draw(POINTS),
        bonuses=draw(ADJUSTMENTS),
        bonus_total=draw(POINTS),
        final_score=draw(POINTS),
        grade=draw(st.sampled_from(["A+", "D+", "F"]) | TEXTS),
        label=draw(TEXTS),
        overall_reasoning=draw(TEXTS),
    )


@st.composite
def histories(draw: st.DrawFn) -> HistoryReport:
    """Give the past of a skill."""
    names = draw(st.sampled_from([(), DIMENSIONS]))
    dimensions = tuple(
        DimensionHistory(name, draw(st.integers(1, 10)), draw(POINTS), draw(POINTS), draw(POINTS), draw(st.booleans()))
        for name in names
    )
    return HistoryReport(draw(NAMES), draw(st.integers(0, 20)), dimensions)


@st.composite
def scorecards(draw: st.DrawFn) -> ScorecardResult:
    """Give what a scorecard says, graded or in error."""
    score = draw(st.none() | scorecard_scores())
    return ScorecardResult(
        skill=draw(NAMES),
        score=score,
        history=draw(st.none() | histories()),
        error=draw(TEXTS) if score is None else None,
        judge=draw(JUDGES),
        prompt_hash=draw(st.none() | NAMES),
        evaluation_id=draw(st.none() | NAMES),
        samples=draw(st.integers(1, 9)),
        agreement=draw(AGREEMENTS),
        usage=draw(USAGES),
    )


@st.composite
def case_results(draw: st.DrawFn) -> CaseResult:
    """Give the result of a case: graded, in error, or with a scorecard alone."""
    outcome = draw(st.sampled_from(["graded", "error", "scorecard alone"]))
    graded = outcome == "graded"
    alone = outcome == "scorecard alone"
    dialect = draw(st.sampled_from(DIALECTS))
    has_upstream = graded and "result fields" in dialect.parts
    return CaseResult(
        eval_id=draw(NAMES),
        file=draw(TEXTS),
        dataset=draw(TEXTS),
        conversation_id=draw(st.none() | TEXTS),
        target=draw(st.none() | TEXTS),
        candidate_answer=draw(TEXTS),
        score=draw(SCORES) if graded else None,
        verdict=draw(st.sampled_from(Verdict)) if graded else None,
        error=draw(TEXTS) if outcome == "error" else None,
        evaluators=() if alone else tuple(draw(st.lists(evaluator_results(), max_size=3))),
        scorecard=draw(scorecards() if alone else st.none() | scorecards()),
        judge=draw(JUDGES),
        usage=draw(USAGES),
        timestamp=draw(st.sampled_from(["", "2025-11-16T08:00:00Z"]) | TEXTS),
        duration=draw(st.floats(0, 1e6)),
        partial=draw(st.booleans()),
        fingerprint=draw(TEXTS),
        dialect=dialect.name,
        copy_of="" if dialect is DEFAULT_DIALECT else draw(NAMES),
        threshold=draw(st.none() | st.decimals(0, 1, places=2)),
        upstream=draw(st.none() | UPSTREAM) if has_upstream else None,
    )
