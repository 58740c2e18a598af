"""What changed between two lists of results, case by case and criterion by criterion."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rubric_core.grading.results import CaseResult
from rubric_core.scoring.comparison import CaseChange, Comparison, GradedCase, compare
from rubric_core.scoring.rubrics import CriterionScore
from rubric_core.scoring.scorecards import ScorecardScore


@dataclass(frozen=True, slots=True)
class CasePair:
    """One case in both gradings, with what changed inside of it."""

    name: str
    before: CaseResult
    after: CaseResult
    change: CaseChange

    @property
    def is_regression(self) -> bool:
        """Return whether the verdict got worse, or was replaced by an error."""
        return self.change.flip == "worse" or (self.before.verdict is not None and self.after.error is not None)

    @property
    def moves(self) -> list[tuple[str, CriterionScore, CriterionScore]]:
        """Return the name of each criterion whose judgement changed, with the judgements before and after."""
        second = _criteria(self.after)
        return [
            (name, criterion, second[name])
            for name, criterion in _criteria(self.before).items()
            if name in second and (criterion.value, criterion.gate) != (second[name].value, second[name].gate)
        ]


@dataclass(frozen=True, slots=True)
class ComparedResults:
    """Two gradings, called `names`; `partial` are cases that are not compared, with where they are partial."""

    names: tuple[str, str]
    pairs: tuple[CasePair, ...]
    comparison: Comparison
    partial: Mapping[str, tuple[str, ...]]

    @property
    def regressions(self) -> tuple[CasePair, ...]:
        """Return the cases that got worse."""
        return tuple(pair for pair in self.pairs if pair.is_regression)

    @property
    def improvements(self) -> tuple[CasePair, ...]:
        """Return the cases whose verdict got better."""
        return tuple(pair for pair in self.pairs if pair.change.flip == "better")

    @property
    def moved(self) -> tuple[CasePair, ...]:
        """Return the cases with the same verdict and another score, the largest change first."""
        moved = [pair for pair in self.pairs if pair.change.flip is None and pair.change.difference]
        return tuple(sorted(moved, key=lambda pair: abs(pair.change.difference or Fraction(0)), reverse=True))

    @property
    def errors(self) -> tuple[CasePair, ...]:
        """Return the cases that are in error in one of the gradings."""
        return tuple(pair for pair in self.pairs if pair.before.error is not None or pair.after.error is not None)

    @property
    def scorecards(self) -> list[tuple[str, ScorecardScore, ScorecardScore]]:
        """Return the name of each case whose final score changed, with its scorecard before and after."""
        return [
            (pair.name, before, after)
            for pair in self.pairs
            if (before := pair.before.card) and (after := pair.after.card) and before.final_score != after.final_score
        ]


def compare_results(
    names: tuple[str, str], before: Sequence[CaseResult], after: Sequence[CaseResult]
) -> ComparedResults:
    """Compare two gradings of the same cases, which are matched by their ids.

    If an id occurs twice in one of them, the file distinguishes cases, then the target, then their order. Results
    that another tool wrote name no files; beside such, only target and order do. A case with a partial result in one
    of them is not compared.
    """
    # Whole results are named first, so that a partial result of the same case does not take the name.
    before, after = (sorted(results, key=lambda result: result.partial) for results in (before, after))
    has_files = all(result.file for result in (*before, *after))
    repeated = frozenset(_repeated(before, has_files=has_files)) | frozenset(_repeated(after, has_files=has_files))
    first, second = (_by_name(results, repeated, has_files=has_files) for results in (before, after))
    sides = tuple(zip(names, (first, second), strict=True))
    partial = {
        case: where
        for case in dict.fromkeys((*first, *second))
        if (where := tuple(name for name, results in sides if case in results and results[case].partial))
    }
    for case in partial:
        first.pop(case, None)
        second.pop(case, None)
    comparison = compare(_graded(first), _graded(second))
    pairs = tuple(CasePair(change.case, first[change.case], second[change.case], change) for change in comparison.cases)
    return ComparedResults(names, pairs, comparison, partial)


def _wordings(result: CaseResult, *, has_files: bool) -> tuple[str, ...]:
    """Return the names that a case can have, the shortest first."""
    longest = f"{result.file}: {result.eval_id}" if has_files else result.eval_id
    return (result.eval_id, longest, f"{longest} ({result.target})" if result.target else longest)


def _repeated(results: Sequence[CaseResult], *, has_files: bool) -> Iterable[str]:
    names = Counter(name for result in results for name in dict.fromkeys(_wordings(result, has_files=has_files)))
    return (name for name, number in names.items() if number > 1)


def _by_name(results: Iterable[CaseResult], repeated: Collection[str], *, has_files: bool) -> dict[str, CaseResult]:
    by_name: dict[str, CaseResult] = {}
    for result in results:
        names = _wordings(result, has_files=has_files)
        wording = next((name for name in names if name not in repeated), names[-1])
        name, number = wording, 1
        while name in by_name:
            number += 1
            name = f"{wording} #{number}"
        by_name[name] = result
    return by_name


def _graded(results: Mapping[str, CaseResult]) -> Iterable[GradedCase]:
    for name, result in results.items():
        values = {key: criterion.value for key, criterion in _criteria(result).items()}
        yield GradedCase(name, result.score, result.verdict, values)


def _criteria(result: CaseResult) -> dict[str, CriterionScore]:
    """Return the criteria by their ids, with the evaluator's name if several evaluators share an id."""
    counts = Counter(criterion.id for criterion in result.criteria)
    return {
        f"{part.name}: {criterion.id}" if counts[criterion.id] > 1 else criterion.id: criterion
        for part in (part for evaluator in result.evaluators for part in evaluator.parts)
        for criterion in part.criteria
    }
