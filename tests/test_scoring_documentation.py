"""The worked numbers of the page about scores are those that the code computes."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

import pytest
from pages import page, table, words
from scoring_values import checks, composed, item, judgement, numbered, ranged, scorecard

from rubric_core.model.suite import DEFAULT_DEDUCTION, DEFAULT_WEIGHTS
from rubric_core.report.results.wording import score_words
from rubric_core.schema.grades import GRADES, HIGHEST_FINAL, LOWEST_FINAL
from rubric_core.schema.scales import BORDERLINE_MARK, PASS_MARK
from rubric_core.scoring.grades import EvaluatorScore, combine
from rubric_core.scoring.ranking import STEPS
from rubric_core.scoring.rubrics import score_rubric
from rubric_core.scoring.scorecards import (
    BONUS_AMOUNT,
    LARGEST_BONUS,
    LARGEST_DEDUCTION,
    history_report,
    score_scorecard,
)

TEXT = " ".join(page("scoring.md").split())


def test_the_verdicts_have_these_marks() -> None:
    """The three rows of the table."""
    marks = f"{float(PASS_MARK):g}", f"{float(BORDERLINE_MARK):g}"
    assert table("scoring.md", "| verdict | when |") == [
        ["`pass`", f"score >= {marks[0]}, and every gate holds"],
        ["`borderline`", f"score >= {marks[1]}, and every gate holds"],
        ["`fail`", f"score < {marks[1]}, or a gate failed"],
    ]


def test_the_checklist_of_the_page() -> None:
    """Weights 1, 2, 2, 1.5 and 1, without the one of 1.5."""
    criteria = [item("a", "1"), item("b", "2"), item("c", "2"), item("d", "1.5", required=False), item("e", "1")]
    scored = score_rubric(criteria, checks(criteria, [True, True, True, False, True]))
    assert (scored.score, scored.verdict.value) == (Fraction(4, 5), "pass")
    assert "score 6 / 7.5 = 0.8 pass" in TEXT


@pytest.mark.parametrize("row", table("scoring.md", "| correctness | style | score | verdict |"), ids="/".join)
def test_two_score_ranges_of_the_page(row: list[str]) -> None:
    """Weight 2 with a gate at 7, and weight 1; the score is behind the last equals sign."""
    criteria = [ranged("correctness", "2", minimum=7), ranged("style", "1")]
    scored = score_rubric(criteria, checks(criteria, [int(row[0]), int(row[1])]))
    assert words(row[3])[0] == scored.verdict.value
    shown = row[2].rpartition("= ")[2]
    assert score_words(scored.score).startswith(shown.removesuffix("..."))
    if not shown.endswith("..."):
        assert Fraction(shown) == scored.score


def test_binary_floats_would_say_something_else() -> None:
    """As the page claims."""
    assert 0.7999 < (2 * 0.7 + 1 * 1.0) / 3 < 0.8


@pytest.mark.parametrize(
    ("each", "verdict", "told"), [(8, "pass", "0.8: `pass`"), (6, "borderline", "0.6: `borderline`")]
)
def test_small_decimal_weights_are_exact(each: int, verdict: str, told: str) -> None:
    """Weights 0.1, 0.2 and 0.3."""
    criteria = [ranged("a", "0.1"), ranged("b", "0.2"), ranged("c", "0.3")]
    scored = score_rubric(criteria, checks(criteria, [each] * 3))
    assert (scored.score, scored.verdict.value) == (Fraction(each, 10), verdict)
    assert told in TEXT


def test_how_a_score_is_printed() -> None:
    """The example of a report."""
    assert f"`{score_words(Fraction(11, 15))}`" in TEXT


def test_two_evaluators_of_the_page() -> None:
    """A rubric at 0.9 and a code judge at 0.5 with half of the weight."""
    score, verdict = combine(
        [EvaluatorScore("rubric", Decimal(1), Fraction(9, 10)), EvaluatorScore("code", Decimal("0.5"), Fraction(1, 2))]
    )
    assert (score, verdict.value) == (Fraction(23, 30), "borderline")
    assert "(0.9 + 0.25) / 1.5 = 0.7666..., `borderline`" in TEXT


def test_the_table_of_grades_is_complete() -> None:
    """Both halves of the table, one below the other."""
    rows = table("scoring.md", "| grade | from | label | | grade | from | label |")
    shown = [row[:3] for row in rows] + [row[4:] for row in rows]
    assert shown == [[row.grade, str(row.lowest), row.label] for row in GRADES]


def test_the_constants_of_scorecards() -> None:
    """Default weights, what flags and bonuses are worth, and the caps."""
    assert ", ".join(f"{name} {weight}" for name, weight in DEFAULT_WEIGHTS.items()) in TEXT
    assert f"each red flag takes {DEFAULT_DEDUCTION}, " in TEXT
    assert f"together at most {LARGEST_DEDUCTION:.1f}. The result is not below {LOWEST_FINAL:.1f}." in TEXT
    assert f"each adds {BONUS_AMOUNT}, once; together at most {LARGEST_BONUS:.1f}. " in TEXT
    assert f"The result is not above {HIGHEST_FINAL:.1f}." in TEXT


def test_the_scorecard_of_the_page() -> None:
    """One red flag and one bonus, step by step."""
    said = re.search(r"Correctness (\d+), .*?consistency (\d+), default weights, one red flag, one bonus", TEXT)
    assert said is not None
    scores = [int(number) for number in re.findall(r"\d+", said[0])]
    card = scorecard(red_flags=["0.5"], bonuses=1)
    scored = score_scorecard(card, judgement(scores, red_flags=["flag-1"], bonuses=["bonus-1"]))
    assert f"+ 7x0.05 = {scored.composite}" in TEXT
    assert f"deductions {scored.composite} - 0.50 = {scored.adjusted}" in TEXT
    assert f"bonuses {scored.adjusted} + 0.25 = {scored.final_score}" in TEXT
    assert f"grade {scored.grade}, {scored.label}" in TEXT


def test_the_floor_comes_before_the_bonuses() -> None:
    """Composite 2.50 with four flags and four bonuses."""
    weights, scores = composed("2.50")
    card = scorecard(weights=weights, red_flags=["0.5"] * 4, bonuses=4)
    scored = score_scorecard(card, judgement(scores, numbered("flag", 4), numbered("bonus", 4)))
    assert (str(scored.composite), str(scored.adjusted), str(scored.final_score)) == ("2.50", "1.00", "2.00")
    assert f"which is raised to 1.00; 1.00 + 1.00 is 2.00: {scored.grade}." in TEXT


def test_the_history_of_the_page() -> None:
    """Correctness 8, 8 and 9 so far; then 7, or 9."""
    earlier = [{"correctness": score} for score in (8, 8, 9)]
    low, high = (history_report("a", {"correctness": score}, earlier).dimensions[0] for score in (7, 9))
    assert f"have the mean {low.mean} and the deviation {low.standard_deviation}: 7 is {low.deviation} away" in TEXT
    assert (low.flagged, high.flagged) == (True, False)


def test_the_order_of_ties_is_that_of_the_steps() -> None:
    """The nine steps behind the final score, in the words of the page."""
    names = [step.name for step in STEPS]
    places = [TEXT.index(name, TEXT.index("### Ties")) for name in names]
    assert places == sorted(places)
