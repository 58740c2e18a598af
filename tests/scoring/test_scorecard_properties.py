"""What holds for every scorecard and every judgement of it."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st
from scoring_values import judgement, numbered, scorecard

from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.scoring.grades import grade_of
from rubric_core.scoring.scorecards import ScorecardJudgement, score_scorecard

if TYPE_CHECKING:
    import random

    from rubric_core.model.suite import Scorecard

_AMOUNTS = st.lists(st.sampled_from(["0.5", "0.25", "2", "1.75", "0.333", "0.005", "1e-30"]), max_size=6)
_SCORES = st.lists(st.integers(1, 10), min_size=7, max_size=7)


@st.composite
def _weights(draw: st.DrawFn) -> dict[str, str]:
    """Return seven weights whose sum is exactly 1: the gaps between six cuts of the unit."""
    places = draw(st.sampled_from([2, 3, 5, 27]))
    whole = 10**places
    cuts = sorted(draw(st.lists(st.integers(0, whole), min_size=6, max_size=6)))
    gaps = [after - before for before, after in zip([0, *cuts], [*cuts, whole], strict=True)]
    return {name: f"{gap}e-{places}" for name, gap in zip(DIMENSIONS, gaps, strict=True)}


@st.composite
def _graded(draw: st.DrawFn) -> tuple[Scorecard, ScorecardJudgement]:
    amounts = draw(_AMOUNTS)
    bonuses = draw(st.integers(0, 6))
    card = scorecard(weights=draw(st.none() | _weights()), red_flags=amounts, bonuses=bonuses)
    flags = draw(st.lists(st.sampled_from(numbered("flag", len(amounts))), max_size=8)) if amounts else []
    merits = draw(st.lists(st.sampled_from(numbered("bonus", bonuses)), max_size=8)) if bonuses else []
    return card, judgement(draw(_SCORES), flags, merits)


def _half_up(value: Fraction) -> Fraction:
    return Fraction((2 * value * 100 + 1) // 2, 100)


@given(_graded())
def test_the_score_is_that_of_the_methodology(graded: tuple[Scorecard, ScorecardJudgement]) -> None:
    """The pipeline in its plainest form, on fractions, gives the same numbers."""
    card, said = graded
    result = score_scorecard(card, said)
    composite = _half_up(
        sum((Fraction(card.weights[name]) * each.score for name, each in said.dimensions.items()), Fraction(0))
    )
    flags = {finding.id for finding in said.red_flags}
    taken = sum((Fraction(flag.deduction) for flag in card.red_flags if flag.id in flags), Fraction(0))
    adjusted = max(Fraction(1), _half_up(composite - min(taken, Fraction(2))))
    given_points = min(Fraction(len({finding.id for finding in said.bonuses}), 4), Fraction(1))
    final = min(Fraction(10), adjusted + given_points)
    assert [Fraction(each) for each in (result.composite, result.adjusted, result.final_score)] == [
        composite,
        adjusted,
        final,
    ]
    assert result.grade == grade_of(result.final_score).grade


@given(_graded())
def test_every_score_is_on_the_scale_with_two_places(graded: tuple[Scorecard, ScorecardJudgement]) -> None:
    """From 1.00 to 10.00, and totals within their caps."""
    result = score_scorecard(*graded)
    for score in (result.composite, result.adjusted, result.final_score):
        assert Decimal(1) <= score <= Decimal(10)
        assert score.as_tuple().exponent == -2
    assert 0 <= result.deduction_total <= 2
    assert 0 <= result.bonus_total <= 1


@given(_graded(), st.randoms(use_true_random=False))
def test_the_order_of_what_the_judge_names_is_irrelevant(
    graded: tuple[Scorecard, ScorecardJudgement], shuffle: random.Random
) -> None:
    """And so is how often."""
    card, said = graded
    dimensions = list(said.dimensions.items())
    flags, bonuses = list(said.red_flags), list(said.bonuses) * 2
    for each in (dimensions, flags, bonuses):
        shuffle.shuffle(each)
    again = ScorecardJudgement(dict(dimensions), tuple(flags), tuple(bonuses))
    assert score_scorecard(card, again) == score_scorecard(card, said)


@given(_graded(), st.integers(0, 6))
def test_a_better_judgement_never_lowers_the_final_score(
    graded: tuple[Scorecard, ScorecardJudgement], place: int
) -> None:
    """A dimension scored higher, a flag less, a bonus more."""
    card, said = graded
    before = score_scorecard(card, said).final_score
    scores = [each.score for each in said.dimensions.values()]
    scores[place] = min(10, scores[place] + 1)
    flags, bonuses = [each.id for each in said.red_flags], [each.id for each in said.bonuses]
    every_bonus = [bonus.id for bonus in card.bonuses]
    for better in (
        judgement(scores, flags, bonuses),
        judgement([each.score for each in said.dimensions.values()], flags[1:], bonuses),
        judgement([each.score for each in said.dimensions.values()], flags, every_bonus),
    ):
        assert score_scorecard(card, better).final_score >= before


@given(_graded())
def test_the_decimal_context_of_the_caller_changes_nothing(graded: tuple[Scorecard, ScorecardJudgement]) -> None:
    """A notebook may have set any precision."""
    usual = score_scorecard(*graded)
    with localcontext() as context:
        context.prec = 1
        assert str(score_scorecard(*graded)) == str(usual)
