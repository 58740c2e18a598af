"""Did a change help? Two gradings of the same cases: verdicts that flipped, criteria that moved, and how sure it is."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from math import cos, pi, sin, sqrt, tan
from typing import Literal

from rubric_core.scoring.exact import exact, rounded, rounded_root
from rubric_core.scoring.grades import Verdict, standing

CONFIDENCE = 0.95
METHOD = "Student's t interval of the mean paired difference, 95 %"
_FEWEST = 2
_PLACES = 6
# Halving an angle this often leaves less than a binary float can hold.
_HALVINGS = 60

Direction = Literal["better", "worse", "unclear"]


@dataclass(frozen=True, slots=True)
class Interval:
    """The mean difference of `cases` pairs, and its bounds with 95 % confidence, from -1 to 1; all have six places."""

    cases: int
    mean: Decimal
    low: Decimal
    high: Decimal

    @property
    def direction(self) -> Direction:
        """Return whether the change is surely for the better or for the worse; unclear where 0 lies in the interval."""
        if self.low > 0:
            return "better"
        return "worse" if self.high < 0 else "unclear"


def paired_interval(differences: Sequence[Fraction]) -> Interval | None:
    """Return the interval of the mean difference of independent pairs; None for fewer than two, without a spread."""
    count = len(differences)
    if count < _FEWEST:
        return None
    # Exact sums of thousands of fractions could have denominators of millions of digits. These have twelve.
    close = [exact(rounded(difference, 2 * _PLACES)) for difference in differences]
    mean = sum(close, Fraction(0)) / count
    variance = sum(((difference - mean) ** 2 for difference in close), Fraction(0)) / (count - 1)
    quantile = Fraction(t_quantile(count - 1))
    half = exact(rounded_root(quantile**2 * variance / count, _PLACES))
    low, high = max(mean - half, Fraction(-1)), min(mean + half, Fraction(1))
    return Interval(count, *(rounded(bound, _PLACES) for bound in (mean, low, high)))


def t_quantile(degrees: int) -> float:
    """Return the two-sided 95 % quantile of Student's t."""
    low, high = 0.0, pi / 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _probability_within(middle, degrees) < CONFIDENCE:
            low = middle
        else:
            high = middle
    return sqrt(degrees) * tan(low)


def _probability_within(angle: float, degrees: int) -> float:
    """Return the probability that |t| < sqrt(degrees) * tan(angle): a finite sum of powers of the cosine."""
    odd = degrees % 2
    square = cos(angle) ** 2
    term, total = cos(angle) ** odd, 0.0
    for power in range(odd, degrees - 1, 2):
        total += term
        term *= square * (power + 1) / (power + 2)
    return 2 / pi * (angle + sin(angle) * total) if odd else sin(angle) * total


@dataclass(frozen=True, slots=True)
class GradedCase:
    """The compared part of a result; `criteria` are values from 0 to 1 by name. A result in error has no score."""

    case: str
    score: Fraction | None
    verdict: Verdict | None
    criteria: Mapping[str, Fraction] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CriterionChange:
    """The mean value of a criterion over the `cases` that have it in both gradings."""

    criterion: str
    cases: int
    before: Fraction
    after: Fraction

    @property
    def change(self) -> Fraction:
        """Return the difference of the values."""
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class CaseChange:
    """One case in both gradings."""

    before: GradedCase
    after: GradedCase

    @property
    def case(self) -> str:
        """Return the name of the case."""
        return self.before.case

    @property
    def difference(self) -> Fraction | None:
        """Return how much the score rose; None if one of the two is missing."""
        if self.before.score is None or self.after.score is None:
            return None
        return self.after.score - self.before.score

    @property
    def flip(self) -> Literal["better", "worse"] | None:
        """Return whether the verdict got better or worse; None if it is the same, or if one of the two is missing."""
        before, after = self.before.verdict, self.after.verdict
        if before is None or after is None or before == after:
            return None
        return "better" if standing(after) > standing(before) else "worse"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two gradings, case by case in the order of the first; `interval` is of the mean difference of the scores."""

    cases: tuple[CaseChange, ...]
    criteria: tuple[CriterionChange, ...]
    interval: Interval | None
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]


def compare(before: Iterable[GradedCase], after: Iterable[GradedCase]) -> Comparison:
    """Compare two gradings. Raises ValueError if a case is in one of them twice."""
    first, second = _by_name(before), _by_name(after)
    cases = tuple(CaseChange(case, second[name]) for name, case in first.items() if name in second)
    differences = [case.difference for case in cases if case.difference is not None]
    return Comparison(
        cases=cases,
        criteria=_criterion_changes(cases),
        interval=paired_interval(differences),
        only_before=tuple(name for name in first if name not in second),
        only_after=tuple(name for name in second if name not in first),
    )


def _by_name(cases: Iterable[GradedCase]) -> dict[str, GradedCase]:
    by_name: dict[str, GradedCase] = {}
    for case in cases:
        if case.case in by_name:
            raise ValueError(f"The case {case.case!r} occurs twice in one run; it is compared once.")
        by_name[case.case] = case
    return by_name


def _criterion_changes(cases: Iterable[CaseChange]) -> tuple[CriterionChange, ...]:
    values: dict[str, list[tuple[Fraction, Fraction]]] = {}
    for case in cases:
        for criterion, value in case.before.criteria.items():
            if criterion in case.after.criteria:
                values.setdefault(criterion, []).append((value, case.after.criteria[criterion]))
    return tuple(
        CriterionChange(
            criterion=criterion,
            cases=len(pairs),
            before=sum((before for before, _ in pairs), Fraction(0)) / len(pairs),
            after=sum((after for _, after in pairs), Fraction(0)) / len(pairs),
        )
        for criterion, pairs in values.items()
    )
