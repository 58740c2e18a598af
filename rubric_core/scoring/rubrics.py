"""The score of a rubric: checks of its criteria, weighted, with its gates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeGuard, TypeVar

from rubric_core.schema.scales import HIGHEST, LOWEST, PASS_MARK, THREE_VERDICTS, VerdictMarks
from rubric_core.scoring.exact import weighted_mean
from rubric_core.scoring.grades import Verdict, verdict_of

if TYPE_CHECKING:
    from rubric_core.model.criteria import ChecklistCriterion, Criterion, ScoreRangeCriterion

Mode = Literal["checklist", "score-range"]
Gate = Literal["passed", "failed"]
_Score = TypeVar("_Score", int, Fraction)


@dataclass(frozen=True, slots=True)
class Check:
    """A valid judgement of one criterion: `satisfied` in checklist mode, `score` (0 to 10) in score-range mode."""

    id: str
    satisfied: bool | None = None
    score: int | None = None
    reasoning: str = ""


def is_score(value: object, lowest: int, highest: int) -> TypeGuard[int]:
    """Return whether a value is an integer from the lowest to the highest score. True is 1 to Python, but no score."""
    return isinstance(value, int) and not isinstance(value, bool) and lowest <= value <= highest


class ScoreBand(NamedTuple):
    """A range of scores, both ends included, and what an answer in it is like."""

    minimum: int
    maximum: int
    outcome: str

    @property
    def score_range(self) -> tuple[int, int]:
        """Return both ends."""
        return self.minimum, self.maximum


@dataclass(frozen=True, slots=True)
class CriterionScore:
    """One criterion with its judgement.

    `value` is its score from 0 to 1, without its weight; `gate` is None for a criterion without a gate.
    `outcome` is the text that was judged: of the criterion, or of the band that the score falls into. In score-range
    mode `bands` are all ranges as written and `required_min_score` is the lowest score that passes the gate, so that a
    report can draw both. `other_fields` are those of the criterion.
    """

    id: str
    mode: Mode
    weight: Decimal
    satisfied: bool | None = field(default=None, kw_only=True)
    score: int | None = field(default=None, kw_only=True)
    value: Fraction
    gate: Gate | None = None
    outcome: str = ""
    reasoning: str = ""
    bands: tuple[ScoreBand, ...] = ()
    required_min_score: int | Decimal | None = None
    other_fields: Mapping[str, Any] = field(default_factory=dict, hash=False)

    @property
    def is_met(self) -> bool:
        """Return whether the criterion is satisfied, or its score reaches its gate; without a gate, the pass mark."""
        if self.mode == "checklist":
            return self.satisfied is True
        return self.value >= PASS_MARK if self.gate is None else self.gate == "passed"


@dataclass(frozen=True, slots=True)
class RubricScore:
    """The score of a whole list of criteria, exact, with its verdict."""

    criteria: tuple[CriterionScore, ...]
    score: Fraction
    verdict: Verdict

    @property
    def gates_hold(self) -> bool:
        """Return whether no gate failed."""
        return _gates_hold(self.criteria)


def score_rubric(
    criteria: Sequence[Criterion], checks: Iterable[Check], marks: VerdictMarks = THREE_VERDICTS
) -> RubricScore:
    """Return the score of a list of criteria, each in its own mode, in the order of the list.

    Raises ValueError if criteria and checks are not one to one, a check is not in the mode of its criterion, or the
    weights sum to 0. No criterion is omitted from the sum.
    """
    by_id = _by_id(checks)
    scored = tuple(_score_criterion(criterion, by_id.pop(criterion.id, None)) for criterion in criteria)
    if by_id:
        unknown = ", ".join(map(repr, by_id))
        raise ValueError(f"There is a check of {unknown}, which is no criterion of the list.")
    score = weighted_mean((criterion.weight, criterion.value) for criterion in scored)
    return RubricScore(scored, score, verdict_of(score, gates_hold=_gates_hold(scored), marks=marks))


def _by_id(checks: Iterable[Check]) -> dict[str, Check]:
    by_id: dict[str, Check] = {}
    for check in checks:
        if check.id in by_id:
            raise ValueError(f"There are two checks of {check.id!r}; a criterion has exactly one.")
        by_id[check.id] = check
    return by_id


def _score_criterion(criterion: Criterion, check: Check | None) -> CriterionScore:
    if check is None:
        raise ValueError(
            f"There is no check left for {criterion.id!r}; a criterion has exactly one, and an id of its own."
        )
    return _score_checklist(criterion, check) if criterion.mode == "checklist" else _score_range(criterion, check)


def _score_checklist(criterion: ChecklistCriterion, check: Check) -> CriterionScore:
    satisfied = check.satisfied
    if not isinstance(satisfied, bool) or check.score is not None:
        raise ValueError(f"The check of {criterion.id!r} must say whether it is satisfied, and nothing else.")
    return _scored(
        criterion,
        check,
        value=Fraction(satisfied),
        satisfied=satisfied,
        gate=_gate(satisfied) if criterion.required else None,
        outcome=criterion.expected_outcome,
    )


def _score_range(criterion: ScoreRangeCriterion, check: Check) -> CriterionScore:
    score, minimum = check.score, criterion.required_min_score
    if not is_score(score, LOWEST, HIGHEST) or check.satisfied is not None:
        scale = f"from {LOWEST} to {HIGHEST}"
        raise ValueError(f"The check of {criterion.id!r} must have an integer score {scale}, and nothing else.")
    band = criterion.band(score)
    return _scored(
        criterion,
        check,
        value=Fraction(score, HIGHEST),
        score=score,
        gate=_gate(score >= minimum) if minimum is not None else None,
        outcome=(band or criterion).expected_outcome or "",
        bands=tuple(ScoreBand(row.minimum, row.maximum, row.expected_outcome) for row in criterion.score_ranges),
    )


def _scored(criterion: Criterion, check: Check, **judged: Any) -> CriterionScore:
    shared = {name: getattr(criterion, name) for name in _shared_fields(type(criterion))}
    return CriterionScore(**shared, reasoning=check.reasoning, **judged)


@lru_cache
def _shared_fields(kind: type[Criterion]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(CriterionScore) if field.name in kind.model_fields)


def _gate(holds: bool) -> Gate:  # noqa: FBT001 - its name says it.
    return "passed" if holds else "failed"


def _gates_hold(criteria: Iterable[CriterionScore]) -> bool:
    return all(criterion.gate != "failed" for criterion in criteria)


# Several judgements of one answer become that of the majority. The agreement is the share of samples that agree.
# In a tie the less favourable counts: not met, and of two middle scores the lower.


def merge_scores(samples: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """Return the lower median of scores, and the share that is equal to it. Raises ValueError without samples."""
    median = lower_median(samples)
    return median, Fraction(samples.count(median), len(samples))


def merge_checks(samples: Sequence[Sequence[Check]]) -> tuple[tuple[Check, ...], dict[str, Fraction]]:
    """Return one check for each criterion, in the order of the first sample, and the agreement by criterion.

    The reasoning is that of the first sample that agrees. Raises ValueError without samples, and where they do not
    judge the same criteria in the same modes.
    """
    if not samples:
        raise ValueError("There are no samples to merge.")
    ids = [sorted(check.id for check in sample) for sample in samples]
    if any(sample_ids != sorted(set(ids[0])) for sample_ids in ids):
        raise ValueError("All samples must judge the same criteria, each of them once.")
    by_id = [{check.id: check for check in sample} for sample in samples]
    merged = [_merge_check([sample[name] for sample in by_id]) for name in by_id[0]]
    return tuple(check for check, _ in merged), {check.id: agreement for check, agreement in merged}


def _merge_check(checks: Sequence[Check]) -> tuple[Check, Fraction]:
    met = [check.satisfied for check in checks if check.satisfied is not None]
    scores = [check.score for check in checks if check.score is not None]
    if sorted((len(met), len(scores))) != [0, len(checks)]:
        raise ValueError(f"All samples must judge {checks[0].id!r} in the same mode.")
    satisfied = 2 * met.count(True) > len(met) if met else None
    score = lower_median(scores) if scores else None
    alike = [check for check in checks if (check.satisfied, check.score) == (satisfied, score)]
    # A tie among booleans has samples with "not met", so that there is always one alike.
    return alike[0], Fraction(len(alike), len(checks))


def lower_median(scores: Sequence[_Score]) -> _Score:
    """Return the middle score, and of two the lower. Raises ValueError without scores."""
    if not scores:
        raise ValueError("There are no samples to merge.")
    return sorted(scores)[(len(scores) - 1) // 2]
