"""A second, independent account of how promptfoo decides whether a test passes, for comparison with the product.

A test is plain data. Our answer is in fractions, promptfoo's own in binary floats; nothing of the product is used.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Assertion:
    """A check that holds or not, a rubric with a score, a set of others, or something that is not run."""

    weight: str = "1"
    holds: bool | None = None
    score: str | None = None
    members: tuple[Assertion, ...] = ()
    threshold: str | None = None
    negated: bool = False

    @property
    def is_run(self) -> bool:
        """Return whether it, or a member of it, gives a score."""
        return self.holds is not None or self.score is not None or any(each.is_run for each in self.members)

    @property
    def is_run_whole(self) -> bool:
        """Return whether it and all of its members give scores."""
        return all(each.is_run for each in self.members) if self.members else self.is_run


Said = tuple[Fraction, bool]


def ours(assertions: tuple[Assertion, ...], threshold: str | None) -> Said | None:
    """Return the exact score, and whether the test passes; None where nothing was run."""
    run = [each for each in assertions if each.is_run]
    if not run:
        return None
    said = [(Fraction(each.weight), *_ours(each)) for each in run]
    weights = sum(weight for weight, _, _ in said)
    score = sum((weight * part for weight, part, _ in said), Fraction(0)) / weights if weights else Fraction(0)
    return score, all(passes for _, _, passes in said) if threshold is None else score >= Fraction(threshold)


def _ours(assertion: Assertion) -> Said:
    if assertion.members:
        said = ours(assertion.members, assertion.threshold)
        assert said is not None
        return said
    if assertion.score is not None:
        score, passes = Fraction(assertion.score), Fraction(assertion.score) >= Fraction(assertion.threshold or "0.8")
    else:
        score, passes = Fraction(bool(assertion.holds)), bool(assertion.holds)
    if assertion.negated:
        score, passes = 1 - score, not passes
    return score, passes or Fraction(assertion.weight) == 0


def promptfoo(assertions: tuple[Assertion, ...], threshold: str | None) -> tuple[float, bool]:
    """Return what promptfoo says of assertions that were all run, where the judge gives scores alone."""
    total = weights = 0.0
    everything = True
    for each in assertions:
        score, passes = _promptfoo(each)
        total += score * float(each.weight)
        weights += float(each.weight)
        everything = everything and passes
    score = total / weights if weights > 0 else 0.0
    return score, everything if threshold is None else score >= float(threshold)


def _promptfoo(assertion: Assertion) -> tuple[float, bool]:
    if assertion.members:
        return promptfoo(assertion.members, assertion.threshold)
    if assertion.score is not None:
        score = float(assertion.score)
        passes = assertion.threshold is None or score >= float(assertion.threshold)
    else:
        score, passes = float(bool(assertion.holds)), bool(assertion.holds)
    if assertion.negated:
        score, passes = 1 - score, not passes
    return score, passes or float(assertion.weight) == 0
