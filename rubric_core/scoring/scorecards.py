"""The score of a scorecard: seven dimensions, deductions, bonuses, a grade, and its distance from earlier ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from rubric_core.schema.grades import HIGHEST_FINAL, LOWEST_FINAL
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.scoring.exact import decimal_text, exact, rounded, rounded_root, sum_exactly
from rubric_core.scoring.grades import describe_grade, grade_of
from rubric_core.scoring.rubrics import is_score, lower_median

if TYPE_CHECKING:
    from rubric_core.model.suite import Bonus, RedFlag, Scorecard

    _Adjusting = TypeVar("_Adjusting", RedFlag, Bonus)

LOWEST_DIMENSION_SCORE = 1
HIGHEST_DIMENSION_SCORE = 10
"""Scores of dimensions are integers from the lowest to the highest, both included."""

LARGEST_DEDUCTION = Decimal("2.00")
"""The most that all red flags together take away."""
BONUS_AMOUNT = Decimal("0.25")
"""What each bonus adds."""
LARGEST_BONUS = Decimal("1.00")
"""The most that all bonuses together add."""
WINDOW = 10
"""How many evaluations before the current one are looked at."""
FEWEST = 2
"""The number of evaluations from which a deviation is reported."""
FLAGGED_BEYOND = 2
"""How many standard deviations from the mean are still usual."""


@dataclass(frozen=True, slots=True)
class DimensionJudgement:
    """The judgement of one dimension: an integer from 1 to 10."""

    score: int
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A red flag or a bonus that a judge saw in the answer."""

    id: str
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class ScorecardJudgement:
    """A valid judgement of all dimensions, by name in the order of the format, and what the judge found."""

    dimensions: Mapping[str, DimensionJudgement]
    red_flags: tuple[Finding, ...] = ()
    bonuses: tuple[Finding, ...] = ()
    overall_reasoning: str = ""


@dataclass(frozen=True, slots=True)
class DimensionScore:
    """One dimension with its weight."""

    name: str
    score: int
    weight: Decimal
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A red flag with its deduction, or a bonus with its points; before the cap."""

    id: str
    amount: Decimal
    outcome: str = ""
    explanation: str = ""


@dataclass(frozen=True, slots=True)
class ScorecardScore:
    """A graded scorecard, with two decimal places. Totals are after the caps, `adjusted` is before the bonuses."""

    dimensions: tuple[DimensionScore, ...]
    composite: Decimal
    deductions: tuple[Adjustment, ...]
    deduction_total: Decimal
    adjusted: Decimal
    bonuses: tuple[Adjustment, ...]
    bonus_total: Decimal
    final_score: Decimal
    grade: str
    label: str
    overall_reasoning: str = ""

    @property
    def description(self) -> str:
        """Return the meaning of the grade in a sentence; nothing for an unknown grade."""
        return describe_grade(self.grade)


def score_scorecard(scorecard: Scorecard, judgement: ScorecardJudgement) -> ScorecardScore:
    """Return the graded scorecard: the composite, then the deductions, then the bonuses, then the grade.

    The composite is rounded once, before it is adjusted; a final score has two places again, should a deduction have
    more. A red flag or a bonus that is named more than once counts once. Both are in the scorecard's own order.
    Raises ValueError where the judgement does not name each dimension with an integer from 1 to 10 or names an unknown
    red flag or bonus, and where the weights do not sum to exactly 1.
    """
    dimensions = _weighted_dimensions(scorecard, judgement)
    composite = rounded(sum((exact(dimension.weight) * dimension.score for dimension in dimensions), Fraction(0)))
    deductions = tuple(
        Adjustment(flag.id, flag.deduction, flag.expected_outcome, explanation)
        for flag, explanation in _adjustments("red flag", scorecard.red_flags, judgement.red_flags)
    )
    bonuses = tuple(
        Adjustment(bonus.id, BONUS_AMOUNT, bonus.expected_outcome, explanation)
        for bonus, explanation in _adjustments("bonus", scorecard.bonuses, judgement.bonuses)
    )
    deduction_total = min(sum_exactly(deduction.amount for deduction in deductions), LARGEST_DEDUCTION)
    bonus_total = min(sum_exactly(bonus.amount for bonus in bonuses), LARGEST_BONUS)
    adjusted = max(LOWEST_FINAL, rounded(exact(composite) - exact(deduction_total)))
    # A bonus never lowers a score, so the final clamp only applies the ceiling of the bonuses.
    final_score = min(HIGHEST_FINAL, rounded(exact(adjusted) + exact(bonus_total)))
    row = grade_of(final_score)
    return ScorecardScore(
        dimensions=dimensions,
        composite=composite,
        deductions=deductions,
        deduction_total=deduction_total,
        adjusted=adjusted,
        bonuses=bonuses,
        bonus_total=bonus_total,
        final_score=final_score,
        grade=row.grade,
        label=row.label,
        overall_reasoning=judgement.overall_reasoning,
    )


def _weighted_dimensions(scorecard: Scorecard, judgement: ScorecardJudgement) -> tuple[DimensionScore, ...]:
    if set(judgement.dimensions) != set(DIMENSIONS) or set(scorecard.weights) != set(DIMENSIONS):
        raise ValueError("A scorecard and its judgement must name each of the seven dimensions.")
    total = sum(map(exact, scorecard.weights.values()), Fraction(0))
    if total != 1:
        raise ValueError(f"The weights of the scorecard sum to {decimal_text(total)}; they must sum to exactly 1.")
    return tuple(
        DimensionScore(name, _checked(name, judged.score), scorecard.weights[name], judged.reasoning)
        for name in DIMENSIONS
        for judged in (judgement.dimensions[name],)
    )


def _checked(name: str, score: int) -> int:
    if not is_score(score, LOWEST_DIMENSION_SCORE, HIGHEST_DIMENSION_SCORE):
        scale = f"from {LOWEST_DIMENSION_SCORE} to {HIGHEST_DIMENSION_SCORE}"
        raise ValueError(f"The score of {name} is {score!r}; it must be an integer {scale}.")
    return score


def _adjustments(kind: str, listed: Sequence[_Adjusting], findings: Sequence[Finding]) -> list[tuple[_Adjusting, str]]:
    """Return the judge's findings in the order of the scorecard, each once, with its first explanation."""
    explanations: dict[str, str] = {}
    for finding in findings:
        explanations.setdefault(finding.id, finding.explanation)
    adjustments = [(item, explanations.pop(item.id)) for item in listed if item.id in explanations]
    if explanations:
        names = ", ".join(map(repr, explanations))
        raise ValueError(f"The judgement names {names} as a {kind}, which the scorecard does not list.")
    return adjustments


@dataclass(frozen=True, slots=True)
class DimensionHistory:
    """One dimension against its history: `deviation` is the distance from the mean; `flagged` asks for a review."""

    name: str
    score: int
    mean: Decimal
    standard_deviation: Decimal
    deviation: Decimal
    flagged: bool


@dataclass(frozen=True, slots=True)
class HistoryReport:
    """The history of a skill up to one evaluation, compared with up to ten before it, if there are two or more."""

    skill: str
    evaluations: int
    dimensions: tuple[DimensionHistory, ...] = ()

    @property
    def flags(self) -> tuple[str, ...]:
        """Return the names of the dimensions that need a review."""
        return tuple(dimension.name for dimension in self.dimensions if dimension.flagged)


def history_report(skill: str, current: Mapping[str, int], earlier: Sequence[Mapping[str, int]]) -> HistoryReport:
    """Compare the scores of each dimension with those of the evaluations before, which are given oldest first.

    A dimension is flagged by exact squares where its distance from the mean is more than two standard deviations; only
    what is shown is rounded. Where the scores never varied, any other is flagged.
    """
    window = earlier[-WINDOW:]
    if len(window) < FEWEST:
        return HistoryReport(skill, len(window))
    dimensions = (_compare(name, score, [scores[name] for scores in window]) for name, score in current.items())
    return HistoryReport(skill, len(window), tuple(dimensions))


def _compare(name: str, score: int, history: Sequence[int]) -> DimensionHistory:
    mean = Fraction(sum(history), len(history))
    # The sample variance: the history is a sample of what the skill does, not all of it.
    variance = sum(((value - mean) ** 2 for value in history), Fraction(0)) / (len(history) - 1)
    distance = abs(score - mean)
    return DimensionHistory(
        name=name,
        score=score,
        mean=rounded(mean),
        standard_deviation=rounded_root(variance),
        deviation=rounded(distance),
        flagged=distance**2 > FLAGGED_BEYOND**2 * variance,
    )


def merge_scorecards(samples: Sequence[ScorecardJudgement]) -> tuple[ScorecardJudgement, dict[str, Fraction]]:
    """Return one judgement for several of a scorecard, and the agreement.

    The agreement is by dimension, and by `red_flags.ID` or `bonuses.ID` for each that any sample names. One counts when
    more than half of the samples name it. The overall reasoning is that of the sample nearest to the merged scores.
    Raises ValueError without samples, and where they do not judge the same dimensions.
    """
    if not samples:
        raise ValueError("There are no samples to merge.")
    if any(set(sample.dimensions) != set(samples[0].dimensions) for sample in samples):
        raise ValueError("All samples must judge the same dimensions.")
    agreement: dict[str, Fraction] = {}
    dimensions: dict[str, DimensionJudgement] = {}
    for name in samples[0].dimensions:
        judged = [sample.dimensions[name] for sample in samples]
        score = lower_median([judgement.score for judgement in judged])
        alike = [judgement for judgement in judged if judgement.score == score]
        dimensions[name] = alike[0]
        agreement[name] = Fraction(len(alike), len(judged))
    red_flags, agreement_on_flags = _merge_findings([sample.red_flags for sample in samples])
    bonuses, agreement_on_bonuses = _merge_findings([sample.bonuses for sample in samples])
    agreement |= {f"red_flags.{name}": share for name, share in agreement_on_flags.items()}
    agreement |= {f"bonuses.{name}": share for name, share in agreement_on_bonuses.items()}
    reasoning = min(samples, key=lambda sample: _distance(sample.dimensions, dimensions)).overall_reasoning
    return ScorecardJudgement(dimensions, red_flags, bonuses, reasoning), agreement


def _merge_findings(samples: Sequence[Sequence[Finding]]) -> tuple[tuple[Finding, ...], dict[str, Fraction]]:
    """Return the findings that more than half of the samples name, each once, and the agreement on every one."""
    first: dict[str, Finding] = {}
    for finding in chain.from_iterable(samples):
        first.setdefault(finding.id, finding)
    named = Counter(chain.from_iterable({finding.id for finding in sample} for sample in samples))
    majority = tuple(finding for name, finding in first.items() if 2 * named[name] > len(samples))
    # A tie excludes the finding, and half of the samples agree with that.
    return majority, {name: Fraction(max(named[name], len(samples) - named[name]), len(samples)) for name in first}


def _distance(first: Mapping[str, DimensionJudgement], second: Mapping[str, DimensionJudgement]) -> int:
    return sum(abs(first[name].score - second[name].score) for name in second)
