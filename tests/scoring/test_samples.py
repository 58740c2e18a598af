"""Several judgements of one answer become one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from statistics import median_low

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scoring_values import check, judgement

from rubric_core.scoring.rubrics import Check, merge_checks, merge_scores
from rubric_core.scoring.scorecards import DimensionJudgement, ScorecardJudgement, merge_scorecards


@pytest.mark.parametrize(
    ("said", "merged", "agreement"),
    [
        ((True,), True, "1"),
        ((True, True, False), True, "2/3"),
        ((False, True, False), False, "2/3"),
        # A tie is not met.
        ((True, False), False, "1/2"),
        ((True, True, False, False), False, "1/2"),
        ((7,), 7, "1"),
        ((3, 9, 4), 4, "1/3"),
        ((7, 8, 8), 8, "2/3"),
        # Of two middle scores, the lower.
        ((6, 9), 6, "1/2"),
        ((2, 6, 9, 10), 6, "1/4"),
        ((0, 10, 10, 0), 0, "1/2"),
    ],
)
def test_what_most_samples_say_counts(said: tuple[bool | int, ...], merged: bool | int, agreement: str) -> None:  # noqa: FBT001 - a table.
    """The majority of booleans, the lower median of scores; agreement is the share of samples that say the same."""
    checks, shares = merge_checks([[check("a", each)] for each in said])
    assert checks == (check("a", merged),)
    assert shares == {"a": Fraction(agreement)}


def test_the_reasoning_is_that_of_a_sample_that_says_the_same() -> None:
    """Words that argue for another score would confuse."""
    samples = [[replace(check("a", score), reasoning=f"Why {score}")] for score in (9, 6, 7)]
    assert merge_checks(samples)[0] == (Check("a", score=7, reasoning="Why 7"),)


def test_every_criterion_is_merged_by_itself_in_the_order_of_the_first_sample() -> None:
    """Samples may come in any order and in both modes."""
    samples = [
        [check("a", True), check("b", 5)],
        [check("b", 7), check("a", True)],
        [check("a", False), check("b", 9)],
    ]
    checks, shares = merge_checks(samples)
    assert checks == (check("a", True), check("b", 7))
    assert shares == {"a": Fraction(2, 3), "b": Fraction(1, 3)}


@pytest.mark.parametrize(
    ("samples", "message"),
    [
        ([], "There are no samples"),
        ([[check("a", True)], []], "the same criteria"),
        ([[check("a", True)], [check("b", True)]], "the same criteria"),
        ([[check("a", True), check("a", True)]] * 2, "each of them once"),
        ([[check("a", True)], [check("a", 7)]], "'a' in the same mode"),
        ([[Check("a")], [Check("a")]], "'a' in the same mode"),
        ([[Check("a", satisfied=True, score=7)], [Check("a")]], "'a' in the same mode"),
    ],
)
def test_samples_that_do_not_fit_together_are_refused(samples: list[list[Check]], message: str) -> None:
    """A criterion that one sample leaves out is not decided by the others."""
    with pytest.raises(ValueError, match=message):
        merge_checks(samples)


@given(st.lists(st.integers(0, 10), min_size=1, max_size=9))
def test_the_merged_score_is_one_that_a_sample_gave(scores: list[int]) -> None:
    """The lower median of the standard library, whatever the order."""
    (merged,), shares = merge_checks([[check("a", score)] for score in scores])
    assert merged.score == median_low(scores)
    assert shares["a"] == Fraction(scores.count(median_low(scores)), len(scores))


@given(st.lists(st.booleans(), min_size=1, max_size=9))
def test_a_criterion_is_met_where_more_than_half_say_so(said: list[bool]) -> None:
    """And agreement is then never below a half."""
    (merged,), shares = merge_checks([[check("a", each)] for each in said])
    assert merged.satisfied == (2 * sum(said) > len(said))
    assert shares["a"] >= Fraction(1, 2)


@pytest.mark.parametrize(
    ("samples", "score", "agreement"),
    [(["0.5"], "1/2", "1"), (["0.5", "0.9"], "1/2", "1/2"), (["1", "0.5", "0.5"], "1/2", "2/3")],
)
def test_scores_of_whole_answers(samples: list[str], score: str, agreement: str) -> None:
    """The lower median again."""
    assert merge_scores([Fraction(each) for each in samples]) == (Fraction(score), Fraction(agreement))


def test_without_samples_there_is_nothing_to_merge() -> None:
    """Nothing is made up."""
    with pytest.raises(ValueError, match="There are no samples"):
        merge_scores([])
    with pytest.raises(ValueError, match="There are no samples"):
        merge_scorecards([])


def test_dimensions_are_merged_one_by_one() -> None:
    """The lower median of each."""
    merged, shares = merge_scorecards([judgement(4), judgement((4, 9, 5, 5, 5, 5, 5)), judgement(6)])
    assert [each.score for each in merged.dimensions.values()] == [4, 6, 5, 5, 5, 5, 5]
    assert (shares["correctness"], shares["completeness"]) == (Fraction(2, 3), Fraction(1, 3))


def test_flags_and_bonuses_count_when_more_than_half_name_them() -> None:
    """Named twice by one sample is named once; the agreement covers also those that are left out."""
    samples = [
        judgement(5, ["leak", "leak"], ["tests"]),
        judgement(5, ["leak", "rude"], ["tests", "leak"]),
        judgement(5, ["rude"], []),
        judgement(5, ["leak"], []),
    ]
    merged, shares = merge_scorecards(samples)
    assert [each.id for each in merged.red_flags] == ["leak"]
    assert merged.bonuses == ()
    # A red flag and a bonus may share an id.
    assert {name: share for name, share in shares.items() if "." in name} == {
        "red_flags.leak": Fraction(3, 4),
        "red_flags.rude": Fraction(1, 2),
        "bonuses.tests": Fraction(1, 2),
        "bonuses.leak": Fraction(3, 4),
    }


def test_three_of_five_samples_are_more_than_half() -> None:
    """And two of five are not."""
    samples = [judgement(5, ["leak"] * (number < 3) + ["rude"] * (number < 2), []) for number in range(5)]
    merged, _ = merge_scorecards(samples)
    assert [each.id for each in merged.red_flags] == ["leak"]


def test_the_words_are_those_of_the_nearest_sample() -> None:
    """The overall reasoning of the one whose scores differ least from the merged ones, the first of equals."""
    samples = [replace(judgement(score), overall_reasoning=f"Why {score}") for score in (9, 5, 6)]
    merged, _ = merge_scorecards(samples)
    assert merged.overall_reasoning == "Why 6"


def test_one_sample_is_itself() -> None:
    """Nothing is lost on the way."""
    sample = replace(judgement(5, ["leak"], ["tests"]), overall_reasoning="Why")
    merged, shares = merge_scorecards([sample])
    assert merged == sample
    assert set(shares.values()) == {Fraction(1)}


def test_samples_of_other_dimensions_are_refused() -> None:
    """All of them judge the same seven."""
    with pytest.raises(ValueError, match="the same dimensions"):
        merge_scorecards([judgement(5), ScorecardJudgement({"safety": DimensionJudgement(5)})])
