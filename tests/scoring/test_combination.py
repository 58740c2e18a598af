"""The score of a case from those of its evaluators."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.scoring.grades import EvaluatorScore, Verdict, combine, verdict_of

_WEIGHTS = st.sampled_from([Decimal(text) for text in ("0", "0.1", "1", "2.5", "1e9", "1e-9", "0." + "3" * 40)])
_PARTS = st.lists(
    st.builds(EvaluatorScore, st.just("part"), _WEIGHTS, st.fractions(0, 1, max_denominator=60), st.booleans()),
    min_size=1,
    max_size=5,
).filter(lambda parts: any(part.weight for part in parts))


@given(_PARTS)
def test_a_case_is_the_weighted_mean_of_its_evaluators(parts: list[EvaluatorScore]) -> None:
    """The order is irrelevant, and a gate that failed in any of them fails the case."""
    score, verdict = combine(parts)
    total = sum(Fraction(part.weight) for part in parts)
    assert score == sum(Fraction(part.weight) * part.score for part in parts) / total
    assert (score, verdict) == combine(parts[::-1])
    holds = all(part.gates_hold for part in parts)
    assert verdict == verdict_of(score, gates_hold=holds)
    if not holds:
        assert verdict is Verdict.FAIL


@pytest.mark.parametrize(
    ("scores", "expected"),
    [
        (("0.5", "1"), "0.75"),  # A score at its minimum is enough.
        (("0.49", "1"), "0"),
        (("1", "0.79"), "0"),
        (("0.49", "0.79"), "0"),
        (("0.6", "0.8"), "0.7"),
    ],
)
def test_a_part_below_its_minimum_makes_the_score_0(scores: tuple[str, str], expected: str) -> None:
    """One such part is enough; the minimums are 0.5 and 0.8."""
    minimums = (Fraction(1, 2), Fraction(4, 5))
    parts = [
        EvaluatorScore("part", Decimal(1), Fraction(score), minimum=minimum)
        for score, minimum in zip(scores, minimums, strict=True)
    ]
    assert combine(parts) == (Fraction(expected), verdict_of(Fraction(expected), gates_hold=True))


@pytest.mark.parametrize(
    ("score", "told"), [(Fraction(80), "80"), (Fraction(-1, 10), "-0.1"), (Fraction(11, 10), "1.1")]
)
def test_a_score_off_the_scale_is_refused(score: Fraction, told: str) -> None:
    """80 is a percentage or a mistake, and 0.8 is meant at best."""
    with pytest.raises(ValueError, match=f"^The score of syntax is {told}; it must be from 0 to 1"):
        combine([EvaluatorScore("syntax", Decimal(1), score)])


@pytest.mark.parametrize("parts", [[], [EvaluatorScore("syntax", Decimal(0), Fraction(1))]])
def test_without_weight_there_is_no_score(parts: list[EvaluatorScore]) -> None:
    """Neither a pass nor a 0."""
    with pytest.raises(ValueError, match="The weights sum to 0"):
        combine(parts)
