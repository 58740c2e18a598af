"""Short ways to write criteria, checks, scorecards and judgements in tests."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING

from rubric_core.model.criteria import ChecklistCriterion, Criterion, ScoreRange, ScoreRangeCriterion
from rubric_core.model.load import load_text
from rubric_core.model.suite import Bonus, RedFlag, Scorecard
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.scoring.rubrics import Check
from rubric_core.scoring.scorecards import DimensionJudgement, Finding, ScorecardJudgement

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rubric_core.model.suite import EvalCase

_BANDS = (
    ScoreRange(minimum=0, maximum=4, expected_outcome="Poor"),
    ScoreRange(minimum=5, maximum=10, expected_outcome="Fine"),
)


def item(name: str, weight: str = "1", *, required: bool = True) -> ChecklistCriterion:
    """Return a criterion that is met or not."""
    return ChecklistCriterion(id=name, expected_outcome=f"Has {name}", weight=Decimal(weight), required=required)


def ranged(name: str, weight: str = "1", *, minimum: int | None = None) -> ScoreRangeCriterion:
    """Return a criterion that is scored from 0 to 10."""
    return ScoreRangeCriterion(id=name, weight=Decimal(weight), required_min_score=minimum, score_ranges=_BANDS)


def check(name: str, said: bool | int) -> Check:  # noqa: FBT001 - what the judge said, in either mode.
    """Return the judgement of one criterion: True and False are met and not met, any other number is a score."""
    return Check(name, satisfied=said) if isinstance(said, bool) else Check(name, score=said)


def checks(criteria: Sequence[Criterion], said: Iterable[bool | int]) -> list[Check]:
    """Return one check for each criterion of a list."""
    return [check(criterion.id, each) for criterion, each in zip(criteria, said, strict=True)]


def only_case(text: str) -> EvalCase:
    """Return the only case of an eval file."""
    ((case,),) = (suite.cases for suite in load_text(text, "example.eval.yaml"))
    assert not case.left_out
    return case


def scorecard(
    *, weights: Mapping[str, str] | None = None, red_flags: Sequence[str] = (), bonuses: int = 0
) -> Scorecard:
    """Return a scorecard with red flags `flag-1`, ... that take these amounts, and so many bonuses `bonus-1`, ..."""
    values = {} if weights is None else {"weights": {name: Decimal(weight) for name, weight in weights.items()}}
    return Scorecard(
        skill="review",
        red_flags=tuple(
            RedFlag(id=f"flag-{place}", expected_outcome=f"Fault {place}", deduction=Decimal(amount))
            for place, amount in enumerate(red_flags, start=1)
        ),
        bonuses=tuple(Bonus(id=f"bonus-{place}", expected_outcome=f"Merit {place}") for place in range(1, bonuses + 1)),
        **values,
    )


def judgement(
    scores: Sequence[int] | int, red_flags: Iterable[str] = (), bonuses: Iterable[str] = ()
) -> ScorecardJudgement:
    """Return a judgement: a score for each dimension in their order, or one for all, and what was found."""
    each = [scores] * len(DIMENSIONS) if isinstance(scores, int) else scores
    return ScorecardJudgement(
        {name: DimensionJudgement(score) for name, score in zip(DIMENSIONS, each, strict=True)},
        tuple(Finding(name, f"Saw {name}") for name in red_flags),
        tuple(Finding(name, f"Saw {name}") for name in bonuses),
    )


def numbered(kind: str, count: int) -> list[str]:
    """Return the ids `flag-1`, `flag-2`, ... or `bonus-1`, ..."""
    return [f"{kind}-{place}" for place in range(1, count + 1)]


def composed(composite: str) -> tuple[dict[str, str], list[int]]:
    """Return weights and scores whose weighted sum is this number from 1 to 10, before any rounding."""
    number = Decimal(composite)
    lower = min(int(number), 9)
    part = number - lower
    weights = dict.fromkeys(DIMENSIONS, "0") | {"correctness": str(part), "completeness": str(1 - part)}
    return weights, [lower + 1, *[lower] * (len(DIMENSIONS) - 1)]
