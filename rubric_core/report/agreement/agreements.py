"""The agreement of each judge with a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rubric_core.scoring.agreement import RatingPair, agreement_of
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rubric_core.grading.judges.judge import JudgeIdentity
    from rubric_core.grading.store.pairs import PairedJudgement
    from rubric_core.scoring.agreement import Agreement

ENOUGH = 30
"""From so many pairs on, one more hardly moves a kappa."""

_GENERATED = lazily(r"rubric-[0-9]+")
"""The id of a criterion that was written without one: its place in the list of its case."""


@dataclass(frozen=True, slots=True)
class CriterionAgreement:
    """How far a judge agrees with a person on one criterion, over all answers to all `cases` that both have judged.

    Those of several cases that were written without an id have nothing but a number in common. They are told together,
    and `criterion` is None.
    """

    evaluator: str
    criterion: str | None
    has_scores: bool
    cases: int
    agreement: Agreement


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """How far a judge agrees with a person: on each criterion over its cases, and on all of one mode together."""

    judge: JudgeIdentity
    pairs: int
    criteria: tuple[CriterionAgreement, ...]
    checklist: Agreement | None
    scores: Agreement | None


def agreements(pairs: Iterable[PairedJudgement]) -> tuple[JudgeAgreement, ...]:
    """Return the agreement of each judge with the person, in the order in which they first come."""
    by_judge: dict[JudgeIdentity, list[PairedJudgement]] = {}
    for pair in pairs:
        by_judge.setdefault(pair.judge, []).append(pair)
    return tuple(_of_judge(judge, own) for judge, own in by_judge.items())


def _of_judge(judge: JudgeIdentity, pairs: Sequence[PairedJudgement]) -> JudgeAgreement:
    by_criterion: dict[tuple[str, str | None, bool], list[PairedJudgement]] = {}
    by_mode: dict[bool, list[PairedJudgement]] = {}
    are_told_together = _cases([pair for pair in pairs if _GENERATED.fullmatch(pair.subject.criterion)]) > 1
    for pair in pairs:
        about, has_scores = pair.subject, not isinstance(pair.manual, bool)
        has_no_id = are_told_together and _GENERATED.fullmatch(about.criterion)
        key = (about.evaluator, None if has_no_id else about.criterion, has_scores)
        by_criterion.setdefault(key, []).append(pair)
        by_mode.setdefault(has_scores, []).append(pair)
    totals = {has_scores: _agreement(own) for has_scores, own in by_mode.items()}
    criteria = tuple(CriterionAgreement(*key, _cases(own), _agreement(own)) for key, own in by_criterion.items())
    return JudgeAgreement(judge, len(pairs), criteria, totals.get(False), totals.get(True))


def _cases(pairs: Sequence[PairedJudgement]) -> int:
    return len({(pair.subject.file, pair.subject.case_id) for pair in pairs})


def _agreement(pairs: Sequence[PairedJudgement]) -> Agreement:
    return agreement_of([RatingPair(pair.subject.criterion, pair.manual, pair.rating) for pair in pairs])
