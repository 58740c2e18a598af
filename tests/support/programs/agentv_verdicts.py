"""A second, independent account of how AgentV 4 and 5 tests are graded, for comparison with the product.

A test is plain data. Everything here follows the rules in words, in fractions and, for AgentV's own answer, in binary
floats; nothing of the product is used.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True)
class Check:
    """A criterion and what the judge says of it: met or not, or a score from 0 to 10."""

    said: bool | int
    weight: str = "1"
    required: bool | None = None
    min_score: str | None = None

    @property
    def is_range(self) -> bool:
        """Return whether it has score ranges."""
        return not isinstance(self.said, bool)


@dataclass(frozen=True)
class Assertion:
    """An assertion: of criteria, with a fixed result, with members, or one that is not run (all of them empty)."""

    checks: tuple[Check, ...] = ()
    holds: bool | None = None
    members: tuple[Assertion, ...] = ()
    is_strings: bool = False
    weight: str = "1"
    negate: bool = False
    required: bool = False
    min_score: str | None = None


@dataclass(frozen=True)
class Test:
    """A test with the thresholds of all places, and what of the suite counts for it."""

    __test__ = False

    assertions: tuple[Assertion, ...]
    shared: tuple[Assertion, ...] = ()
    skip_defaults: bool = False
    thresholds: dict[str, str] = field(default_factory=dict)


ORDER = {
    "agentv-4": ("command line", "execution", "suite execution"),
    "agentv-5": ("command line", "run", "execution", "default_test", "suite"),
}


def threshold_of(test: Test, dialect: str) -> str:
    """Return the first threshold that is given, in the order of the dialect, or 0.8."""
    return next((test.thresholds[place] for place in ORDER[dialect] if place in test.thresholds), "0.8")


def _counted(test: Test) -> tuple[Assertion, ...]:
    return test.assertions if test.skip_defaults else (*test.assertions, *test.shared)


def _is_run(assertion: Assertion) -> bool:
    if assertion.members:
        return any(map(_is_run, assertion.members))
    return bool(assertion.checks) or assertion.holds is not None


def _score(assertion: Assertion) -> Fraction:
    """Return the score before `negate`."""
    if assertion.members:
        run = [(Fraction(each.weight), _score(each)) for each in assertion.members if _is_run(each)]
        return sum((weight * score for weight, score in run), Fraction(0)) / sum(weight for weight, _ in run)
    if assertion.holds is not None:
        return Fraction(assertion.holds)
    earned = total = Fraction(0)
    for check in assertion.checks:
        total += Fraction(check.weight)
        earned += Fraction(check.weight) * (Fraction(check.said, 10) if check.is_range else int(check.said))
    return earned / total


def _has_failed_gate(assertion: Assertion, dialect: str) -> bool:
    if assertion.members:
        return any(_has_failed_gate(each, dialect) for each in assertion.members)
    return any(_fails(check, dialect) for check in assertion.checks)


def _fails(check: Check, dialect: str) -> bool:
    if not check.is_range:
        return check.required is not False and not check.said
    if check.min_score is not None:
        return Fraction(check.said, 10) < Fraction(check.min_score)
    # AgentV 4 reads `required` beside ranges as 10 of 10, and AgentV 5 not at all.
    return dialect == "agentv-4" and check.required is True and check.said < 10


def grade(test: Test, dialect: str) -> tuple[Fraction, str] | None:
    """Return the score and the verdict; None where nothing was run."""
    run = [each for each in _counted(test) if _is_run(each)]
    if not run:
        return None
    threshold = Fraction(threshold_of(test, dialect))
    earned = total = Fraction(0)
    is_zero = has_failed_gate = False
    for each in run:
        score = 1 - _score(each) if each.negate else _score(each)
        total += Fraction(each.weight)
        earned += Fraction(each.weight) * score
        minimum = threshold if each.min_score is None else Fraction(each.min_score)
        is_zero = is_zero or (each.required and score < minimum)
        has_failed_gate = has_failed_gate or (not each.negate and _has_failed_gate(each, dialect))
    score = Fraction(0) if is_zero else earned / total
    return score, "pass" if score >= threshold and not has_failed_gate else "fail"


def _is_run_throughout(assertion: Assertion) -> bool:
    return all(map(_is_run_throughout, assertion.members)) if assertion.members else _is_run(assertion)


def _float_mean(pairs: list[tuple[float, float]]) -> float:
    total = weights = 0.0
    for weight, score in pairs:
        weights += weight
        total += score * weight
    return total / weights


def _float_score(assertion: Assertion) -> float:
    if assertion.members:
        return _float_mean([(float(each.weight), _float_score(each)) for each in assertion.members])
    if assertion.holds is not None:
        return float(assertion.holds)
    # With one criterion that has ranges all of them are scored from 0 to 10.
    raw = [check.said if check.is_range else 10 * check.said for check in assertion.checks]
    return _float_mean([(float(each.weight), said / 10) for each, said in zip(assertion.checks, raw, strict=True)])


def agentv(test: Test, dialect: str) -> tuple[float, str] | None:
    """Return what AgentV says, in its own arithmetic; None where something is not run here."""
    counted = _counted(test)
    if not all(map(_is_run_throughout, counted)):
        return None
    threshold = float(threshold_of(test, dialect))
    pairs, is_zero = [], False
    for each in counted:
        score = 1 - _float_score(each) if each.negate else _float_score(each)
        pairs.append((float(each.weight), score))
        minimum = threshold if each.min_score is None else float(each.min_score)
        is_zero = is_zero or (each.required and score < minimum)
    score = 0.0 if is_zero else _float_mean(pairs)
    return score, "pass" if score >= threshold else "fail"
