"""Several judgements of one answer become one: what most of them say, and how far they agree.

Agreement is the share of samples that say what the merged judgement says. Where as many say one thing as another, the
less favourable counts: a criterion is not met, and of two middle scores the lower is taken.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import TypeVar

from rubric_core.scoring.rubrics import Check
from rubric_core.scoring.scorecards import DimensionJudgement, Finding, ScorecardJudgement

_Score = TypeVar("_Score", int, Fraction)


def merge_scores(samples: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """Return the lower median of scores, and the share that is equal to it. Raises ValueError without samples."""
    median = _lower_median(samples)
    return median, Fraction(samples.count(median), len(samples))


def merge_checks(samples: Sequence[Sequence[Check]]) -> tuple[tuple[Check, ...], dict[str, Fraction]]:
    """Return one check for each criterion, in the order of the first sample, and the agreement by criterion.

    The reasoning is that of the first sample that says what the merged check says. Raises ValueError without samples,
    and where they do not judge the same criteria in the same modes.
    """
    if not samples:
        raise ValueError("There are no samples to merge.")
    ids = [sorted(check.id for check in sample) for sample in samples]
    if any(each != sorted(set(ids[0])) for each in ids):
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
    score = _lower_median(scores) if scores else None
    alike = [check for check in checks if (check.satisfied, check.score) == (satisfied, score)]
    # A tie among booleans still has samples that say "not met", so that there is always one alike.
    return alike[0], Fraction(len(alike), len(checks))


def merge_scorecards(samples: Sequence[ScorecardJudgement]) -> tuple[ScorecardJudgement, dict[str, Fraction]]:
    """Return one judgement of a scorecard, and the agreement.

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
        score = _lower_median([each.score for each in judged])
        alike = [each for each in judged if each.score == score]
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
    kept = tuple(finding for name, finding in first.items() if 2 * named[name] > len(samples))
    # A tie keeps the finding out, and half of the samples agree with that.
    return kept, {name: Fraction(max(named[name], len(samples) - named[name]), len(samples)) for name in first}


def _distance(these: Mapping[str, DimensionJudgement], those: Mapping[str, DimensionJudgement]) -> int:
    return sum(abs(these[name].score - those[name].score) for name in those)


def _lower_median(scores: Sequence[_Score]) -> _Score:
    if not scores:
        raise ValueError("There are no samples to merge.")
    return sorted(scores)[(len(scores) - 1) // 2]
