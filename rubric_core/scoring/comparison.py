"""Did a change help? Two gradings of the same cases: verdicts that flipped, criteria that moved, and how sure it is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from rubric_core.scoring.intervals import Interval, paired_interval
from rubric_core.scoring.verdicts import Verdict, standing


@dataclass(frozen=True, slots=True)
class GradedCase:
    """What is compared of one result. `case` names it in both gradings; one in error has no score and no verdict.

    `criteria` are the values, from 0 to 1, by the names under which they are compared.
    """

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
        """Return how much was gained."""
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
        """Return how much the score rose; None where one of the two is missing."""
        if self.before.score is None or self.after.score is None:
            return None
        return self.after.score - self.before.score

    @property
    def flip(self) -> Literal["better", "worse"] | None:
        """Tell to which side the verdict flipped; None where it stayed, or where one of the two is missing."""
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
    """Compare two gradings.

    Raises:
        ValueError: A case stands in one of them twice.
    """
    first, second = _by_name(before), _by_name(after)
    cases = tuple(CaseChange(case, second[name]) for name, case in first.items() if name in second)
    differences = [each.difference for each in cases if each.difference is not None]
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
            raise ValueError(f"The case {case.case!r} stands twice in one grading; it is compared once.")
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
