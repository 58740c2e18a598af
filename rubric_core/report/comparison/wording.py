"""The words of a comparison, for the terminal and for Markdown alike."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rubric_core.report.results.wording import gate_words, judged_words, score_words, short_score
from rubric_core.report.text import many
from rubric_core.scoring.exact import decimal_text, rounded

if TYPE_CHECKING:
    from decimal import Decimal

    from rubric_core.report.comparison.compared import (
        CasePair,
        ComparedResults,
        CriterionMove,
        PartialCase,
        ScorecardMove,
    )
    from rubric_core.scoring.comparison import CriterionChange

_PLACES = 4
_ANSWERS = {"better": "Yes, it got better", "worse": "No, it got worse", "unclear": "No clear change"}


def headline(compared: ComparedResults) -> str:
    """Return the answer to the question in one sentence: did the change help, and how sure is that?"""
    interval = compared.comparison.interval
    if interval is None:
        pairs = sum(pair.change.difference is not None for pair in compared.pairs)
        return f"Too few to tell: {many(pairs, 'case')} with a score in both, and it takes 2 to see how scores vary."
    if not interval.low and not interval.high:
        return f"No change: all {many(interval.cases, 'case')} have the same scores as before."
    bounds = f"95 % interval {_signed(interval.low)} to {_signed(interval.high)}, {many(interval.cases, 'case')}"
    return f"{_ANSWERS[interval.direction]}: the mean score {_mean_change(interval.mean)} ({bounds})."


def _mean_change(mean: Decimal) -> str:
    if not mean:
        return "stayed the same"
    return f"{'rose' if mean > 0 else 'fell'} by {_short(abs(mean))}"


def score_change(pair: CasePair) -> str:
    """Return the scores of a case in both gradings, with the difference."""
    before, after = pair.before.score, pair.after.score
    if before is None or after is None:
        return " → ".join("no score" if score is None else score_words(score) for score in (before, after))
    return f"{score_words(before)} → {score_words(after)} ({signed_fraction(after - before)})"


def move_words(move: CriterionMove) -> str:
    """Return how a criterion was judged in both gradings."""
    gate = ""
    if move.before.gate != move.after.gate:
        gate = f" ({gate_words(move.after) or 'no gate any more'})"
    return f"{move.name}: {judged_words(move.before)} → {judged_words(move.after)}{gate}"


def criterion_words(change: CriterionChange) -> str:
    """Return the mean values of a criterion in both gradings."""
    return f"{short_score(change.before)} → {short_score(change.after)} ({signed_fraction(change.change)})"


def scorecard_words(move: ScorecardMove) -> str:
    """Return the final scores and grades of a scorecard in both gradings."""
    before, after = move.before, move.after
    scores = f"{before.final_score} {before.grade} → {after.final_score} {after.grade}"
    return f"{scores} ({_signed(move.difference)})"


def error_words(pair: CasePair, names: tuple[str, str]) -> str:
    """Return which grading of a case is in error, and why."""
    told = [
        f"in error in {name}: {result.error}"
        for name, result in zip(names, (pair.before, pair.after), strict=True)
        if result.error is not None
    ]
    return "; ".join(told)


def partial_words(case: PartialCase) -> str:
    """Return in which grading a case is partial."""
    return f"partial in {' and '.join(dict.fromkeys(case.where))}"


def signed_fraction(change: Fraction) -> str:
    """Return a change with its sign, to four places."""
    return _signed(rounded(change, _PLACES))


def _short(number: Decimal) -> str:
    return decimal_text(Fraction(number))


def _signed(number: Decimal) -> str:
    return f"{'-' if number < 0 else '+'}{_short(abs(number))}"
