"""The scoring methodology: composite, deductions, bonuses, and the order in which they come."""

from __future__ import annotations

from decimal import Decimal, localcontext

import pytest
from scoring_values import composed, judgement, numbered, only_case, scorecard

from rubric_core.model.suite import DEFAULT_WEIGHTS, Scorecard
from rubric_core.schema.scorecards import DIMENSIONS
from rubric_core.scoring.grades import grade_of
from rubric_core.scoring.scorecards import DimensionJudgement, Finding, ScorecardJudgement, score_scorecard

# correctness, completeness, adherence, actionability, efficiency, safety, consistency
_TWO_AND_A_HALF = (2, 2, 2, 2, 5, 4, 2)


@pytest.mark.parametrize(
    ("scores", "composite"),
    [
        (1, "1.00"),
        (5, "5.00"),
        (10, "10.00"),
        ((10, 1, 1, 1, 1, 1, 1), "3.25"),
        ((1, 10, 1, 1, 1, 1, 1), "2.80"),
        ((1, 1, 10, 1, 1, 1, 1), "2.35"),
        ((1, 1, 1, 10, 1, 1, 1), "2.35"),
        ((1, 1, 1, 1, 10, 1, 1), "1.90"),
        ((1, 1, 1, 1, 1, 10, 1), "1.90"),
        ((1, 1, 1, 1, 1, 1, 10), "1.45"),
        ((9, 8, 7, 8, 9, 10, 6), "8.30"),
        (_TWO_AND_A_HALF, "2.50"),
    ],
)
def test_composite(scores: int | tuple[int, ...], composite: str) -> None:
    """Weighted Composite Formula. 0.25, 0.20, 0.15, 0.15, 0.10, 0.10 and 0.05, on the same scale as the dimensions."""
    result = score_scorecard(scorecard(), judgement(scores))
    assert str(result.composite) == str(result.final_score) == composite
    assert [(each.name, each.weight) for each in result.dimensions] == list(DEFAULT_WEIGHTS.items())


@pytest.mark.parametrize("score", [0, 11, -1, 7.0, "7", True, None], ids=repr)
def test_dimensions_are_integers_from_1_to_10(score: object) -> None:
    """Weighted Composite Formula. All dimension scores are on a 1-10 scale."""
    dimensions = {**judgement(5).dimensions, "safety": DimensionJudgement(score)}  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"The score of safety is .*; it must be an integer from 1 to 10"):
        score_scorecard(scorecard(), ScorecardJudgement(dimensions))


@pytest.mark.parametrize("change", [{"safety": None}, {"speed": DimensionJudgement(5)}], ids=["missing", "unknown"])
def test_all_seven_dimensions_are_judged(change: dict[str, DimensionJudgement | None]) -> None:
    """Weighted Composite Formula. A dimension that is missing is not left out of the sum in silence."""
    dimensions = {name: judged for name, judged in {**judgement(5).dimensions, **change}.items() if judged is not None}
    with pytest.raises(ValueError, match="each of the seven dimensions"):
        score_scorecard(scorecard(), ScorecardJudgement(dimensions))


def test_custom_weights() -> None:
    """Custom Weight Overrides. The formula remains the same; only the weights change."""
    weights = dict(zip(DIMENSIONS, ("0.40", "0.15", "0.10", "0.10", "0.10", "0.10", "0.05"), strict=True))
    result = score_scorecard(scorecard(weights=weights), judgement((9, 8, 7, 8, 9, 10, 6)))
    assert result.composite == Decimal("8.50")
    assert [each.weight for each in result.dimensions] == [Decimal(weight) for weight in weights.values()]


@pytest.mark.parametrize("weight", ["0.15", "0.09", "0.1" + "0" * 40 + "1", "0.0" + "9" * 40])
def test_custom_weights_sum_to_exactly_one(weight: str) -> None:
    """Custom Weight Overrides. They MUST sum to 100% (1.0), also beyond the digits that decimals usually have."""
    weights = {**DEFAULT_WEIGHTS, "safety": Decimal(weight)}
    card = Scorecard.model_construct(skill="review", weights=weights, red_flags=(), bonuses=())
    with pytest.raises(ValueError, match=r"sum to .*; they must sum to exactly 1"):
        score_scorecard(card, judgement(5))


def test_weights_of_many_digits_are_summed_before_anything_is_rounded() -> None:
    """Custom Weight Overrides. Rounding each product would give another composite."""
    # Each product of a weight and its score would lose its last digits; the sum is 8.445 and a little less or more.
    for last, composite in (("4" + "9" * 60, "8.44"), ("5" + "0" * 60, "8.45"), ("5" + "0" * 59 + "1", "8.45")):
        with localcontext() as context:
            context.prec = 100
            weights, scores = composed(f"8.44{last}")
        assert str(score_scorecard(scorecard(weights=weights), judgement(scores)).composite) == composite


@pytest.mark.parametrize(
    ("sum_of_products", "composite"),
    [
        ("8.444", "8.44"),
        ("8.445", "8.45"),
        ("8.4449999999", "8.44"),
        ("8.455", "8.46"),
        ("9.995", "10.00"),
        ("9.9949", "9.99"),
        ("1.005", "1.01"),
        ("1.0049", "1.00"),
    ],
)
def test_the_composite_has_two_places(sum_of_products: str, composite: str) -> None:
    """Boundary Rules. Scores are computed to two decimal places; a half is rounded up, also after an even digit."""
    weights, scores = composed(sum_of_products)
    assert str(score_scorecard(scorecard(weights=weights), judgement(scores)).composite) == composite


@pytest.mark.parametrize(
    ("amounts", "named", "total", "adjusted"),
    [
        # 1. Each red flag deducts 0.5 points by default.
        (["0.5"] * 6, 0, "0.00", "8.00"),
        (["0.5"] * 6, 1, "0.50", "7.50"),
        (["0.5"] * 6, 2, "1.00", "7.00"),
        (["0.5"] * 6, 3, "1.50", "6.50"),
        (["0.5"] * 6, 4, "2.00", "6.00"),
        # 2. A single evaluation accumulates 2.0 points at most.
        (["0.5"] * 6, 5, "2.00", "6.00"),
        (["0.5"] * 6, 6, "2.00", "6.00"),
        # A scorecard may say otherwise than 0.5, and the cap remains.
        (["0.25", "1"], 1, "0.25", "7.75"),
        (["0.25", "1"], 2, "1.25", "6.75"),
        (["1.5", "1"], 2, "2.00", "6.00"),
        (["2"], 1, "2.00", "6.00"),
        (["0.333"], 1, "0.333", "7.67"),
        (["0.335"], 1, "0.335", "7.67"),
        (["0.3351"], 1, "0.3351", "7.66"),
    ],
)
def test_deductions(amounts: list[str], named: int, total: str, adjusted: str) -> None:
    """Deduction Rules 1 and 2, and Deduction Formula."""
    card = scorecard(red_flags=amounts)
    result = score_scorecard(card, judgement(8, red_flags=numbered("flag", named)))
    assert (str(result.deduction_total), str(result.adjusted)) == (total, adjusted)
    assert result.final_score == result.adjusted
    assert [str(each.amount) for each in result.deductions] == amounts[:named]


def test_a_red_flag_without_a_deduction_takes_half_a_point() -> None:
    """Deduction Rules 1. By default."""
    text = """\
evalcases:
  - id: review
    expected_outcome: A review
    input: Review this
    scorecard:
      red_flags: [Prints a credential]
      bonuses: [Measures]
"""
    card = only_case(text).scorecard
    assert card is not None
    result = score_scorecard(card, judgement(8, ["red-flag-1"], ["bonus-1"]))
    assert (result.deduction_total, result.bonus_total) == (Decimal("0.5"), Decimal("0.25"))


def test_deductions_come_after_the_composite() -> None:
    """Deduction Rules 3. The composite is rounded before: 8.004 becomes 8.00, and 8.00 - 0.009 is 7.99 and not 8.00."""
    weights, scores = composed("8.004")
    card = scorecard(weights=weights, red_flags=["0.009"])
    result = score_scorecard(card, judgement(scores, numbered("flag", 1)))
    assert (str(result.composite), str(result.adjusted)) == ("8.00", "7.99")


@pytest.mark.parametrize(("composite", "named"), [("1.00", 1), ("1.40", 1), ("1.50", 1), ("2.50", 4), ("3.00", 4)])
def test_deductions_stop_at_one(composite: str, named: int) -> None:
    """Deduction Rules 4. The composite score cannot go below 1.0 after deductions."""
    weights, scores = composed(composite)
    card = scorecard(weights=weights, red_flags=["0.5"] * 4)
    result = score_scorecard(card, judgement(scores, numbered("flag", named)))
    assert (str(result.composite), str(result.adjusted), result.grade) == (composite, "1.00", "F")


def test_a_flag_counts_once() -> None:
    """Deduction Rules 5. No double-counting; the first explanation is kept, and the order is that of the scorecard."""
    named = tuple(Finding(*each) for each in (("flag-2", "Here"), ("flag-1", "There"), ("flag-2", "And here")))
    said = ScorecardJudgement(judgement(8).dimensions, red_flags=named)
    result = score_scorecard(scorecard(red_flags=["0.5", "0.5"]), said)
    assert [(each.id, each.explanation) for each in result.deductions] == [("flag-1", "There"), ("flag-2", "Here")]
    assert result.final_score == 7


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (judgement(8, red_flags=["flag-1", "rude"]), "names 'rude' as a red flag"),
        (judgement(8, bonuses=["witty"]), "names 'witty' as a bonus"),
        (judgement(8, red_flags=["bonus-1"]), "names 'bonus-1' as a red flag"),
    ],
)
def test_what_the_scorecard_does_not_list_is_refused(said: ScorecardJudgement, message: str) -> None:
    """Auto-Deductions, and Domain-Specific Bonuses. Only those listed in the rubric count."""
    with pytest.raises(ValueError, match=message):
        score_scorecard(scorecard(red_flags=["0.5"], bonuses=1), said)


def test_the_report_has_what_it_must_list() -> None:
    """Reporting. The composite before deductions, each flag with its explanation and its amount, the final score."""
    result = score_scorecard(scorecard(red_flags=["0.5", "0.75"]), judgement(8, ["flag-2", "flag-1"]))
    assert result.composite == 8
    told = [(each.id, each.outcome, each.explanation, str(each.amount)) for each in result.deductions]
    assert told == [("flag-1", "Fault 1", "Saw flag-1", "0.5"), ("flag-2", "Fault 2", "Saw flag-2", "0.75")]
    assert (result.adjusted, result.final_score) == (Decimal("6.75"), Decimal("6.75"))


@pytest.mark.parametrize(
    ("named", "total", "final"),
    [
        (0, "0.00", "8.00"),
        (1, "0.25", "8.25"),
        (2, "0.50", "8.50"),
        (3, "0.75", "8.75"),
        (4, "1.00", "9.00"),
        (6, "1.00", "9.00"),
    ],
)
def test_bonuses(named: int, total: str, final: str) -> None:
    """Bonus Rules 1 and 2, and Bonus Formula. Each adds 0.25 points, and all of them 1.0 at most."""
    result = score_scorecard(scorecard(bonuses=6), judgement(8, bonuses=numbered("bonus", named)))
    assert (str(result.bonus_total), str(result.final_score)) == (total, final)
    assert len(result.bonuses) == named


@pytest.mark.parametrize(
    ("composite", "flags", "bonuses", "steps", "grade"),
    [
        # The floor is reached before the bonuses lift the score from there.
        ("2.50", 4, 4, ("1.00", "2.00"), "F"),
        ("1.00", 4, 1, ("1.00", "1.25"), "F"),
        # The ceiling comes last, so that the deductions have made room for the bonuses.
        ("10.00", 2, 4, ("9.00", "10.00"), "A+"),
        ("9.80", 1, 4, ("9.30", "10.00"), "A+"),
        ("8.00", 1, 1, ("7.50", "7.75"), "B"),
        ("8.00", 5, 5, ("6.00", "7.00"), "B-"),
    ],
)
def test_bonuses_come_after_deductions(
    composite: str, flags: int, bonuses: int, steps: tuple[str, str], grade: str
) -> None:
    """Bonus Rules 3, and Score Computation Order. In another order the first four would end elsewhere."""
    weights, scores = composed(composite)
    card = scorecard(weights=weights, red_flags=["0.5"] * 5, bonuses=5)
    result = score_scorecard(card, judgement(scores, numbered("flag", flags), numbered("bonus", bonuses)))
    assert (str(result.composite), str(result.adjusted), str(result.final_score)) == (composite, *steps)
    assert (result.grade, result.label) == (grade, grade_of(result.final_score).label)


@pytest.mark.parametrize(("composite", "named"), [("10.00", 1), ("9.90", 1), ("9.75", 1), ("9.00", 4), ("9.50", 4)])
def test_bonuses_stop_at_ten(composite: str, named: int) -> None:
    """Bonus Rules 4. The composite score cannot exceed 10.0 after bonuses."""
    weights, scores = composed(composite)
    result = score_scorecard(scorecard(weights=weights, bonuses=4), judgement(scores, (), numbered("bonus", named)))
    assert (str(result.final_score), result.grade) == ("10.00", "A+")


def test_a_bonus_counts_once() -> None:
    """Bonus Rules 5. Each unique bonus can only be applied once per evaluation."""
    result = score_scorecard(scorecard(bonuses=2), judgement(8, bonuses=["bonus-1", "bonus-1", "bonus-1"]))
    assert (len(result.bonuses), str(result.final_score)) == (1, "8.25")


def test_the_words_of_the_judge_are_kept() -> None:
    """Score Computation Order, step 8. The report has all details."""
    dimensions = {**judgement(8).dimensions, "safety": DimensionJudgement(8, "Harmless.")}
    result = score_scorecard(scorecard(), ScorecardJudgement(dimensions, overall_reasoning="Good."))
    assert result.overall_reasoning == "Good."
    assert [each.reasoning for each in result.dimensions if each.reasoning] == ["Harmless."]


def test_consistency_is_what_the_judge_saw_within_the_output() -> None:
    """Within-Output Consistency (Primary). This is the score of the dimension, whatever the past says."""
    result = score_scorecard(scorecard(), judgement((8, 8, 8, 8, 8, 8, 3)))
    assert result.dimensions[-1].name == "consistency"
    assert (result.dimensions[-1].score, result.composite) == (3, Decimal("7.75"))
