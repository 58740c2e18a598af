"""Who is ahead, and who is on the same place."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scoring_values import judgement, numbered, scorecard

from rubric_core.scoring.grades import Verdict, standing
from rubric_core.scoring.ranking import STEPS, deciding_step, rank, result_key, scorecard_key
from rubric_core.scoring.scorecards import Adjustment, DimensionScore, ScorecardScore, score_scorecard

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping

_NINE_STEPS = (
    "correctness",
    "safety",
    "completeness",
    "actionability",
    "adherence",
    "efficiency",
    "consistency",
    "red flags",
    "bonuses",
)
_PLAIN = dict.fromkeys(_NINE_STEPS, 5) | {"red flags": 2, "bonuses": 2}


def _card(final: str, values: Mapping[str, int]) -> ScorecardScore:
    """Return a scorecard with this final score, these dimensions and so many flags and bonuses."""
    return ScorecardScore(
        dimensions=tuple(DimensionScore(name, values[name], Decimal(0)) for name in sorted(_NINE_STEPS[:7])),
        composite=Decimal(final),
        deductions=tuple(Adjustment(name, Decimal("0.5")) for name in numbered("flag", values["red flags"])),
        deduction_total=Decimal(0),
        adjusted=Decimal(final),
        bonuses=tuple(Adjustment(name, Decimal("0.25")) for name in numbered("bonus", values["bonuses"])),
        bonus_total=Decimal(0),
        final_score=Decimal(final),
        grade="B",
        label="",
    )


def _bettered(name: str, *, by: int) -> int:
    return _PLAIN[name] - by if name == "red flags" else _PLAIN[name] + by


@pytest.mark.parametrize("step", range(9), ids=_NINE_STEPS)
def test_each_step_decides_before_those_after_it(step: int) -> None:
    """Tie-Breaking Rules 1 to 9.

    With the same final score, the one that is better here wins, although it is worse in everything that comes after.
    """
    name, later = _NINE_STEPS[step], _NINE_STEPS[step + 1 :]
    winner = _card("7.50", _PLAIN | {name: _bettered(name, by=1)} | {each: _bettered(each, by=-1) for each in later})
    loser = _card("7.50", _PLAIN)
    ranking = rank([loser, winner], scorecard_key)
    assert [(each.place, each.entries) for each in ranking.places] == [(1, (winner,)), (2, (loser,))]
    deciding = deciding_step(winner, loser)
    assert deciding is STEPS[step + 1]
    assert name in deciding.name


def test_the_final_score_comes_first() -> None:
    """Tie-Breaking Rules. Ties are broken where the final scores are the same, and only there."""
    best_in_all_else = _card("7.49", {name: _bettered(name, by=1) for name in _NINE_STEPS})
    higher = _card("7.50", _PLAIN)
    assert rank([best_in_all_else, higher], scorecard_key).places[0].entries == (higher,)
    deciding = deciding_step(higher, best_in_all_else)
    assert deciding is not None
    assert deciding.name == "final score"


def test_equal_to_the_end_is_equivalent() -> None:
    """Tie-Breaking Rules. If all criteria are identical, the outputs are declared equivalent."""
    first, second = _card("7.50", _PLAIN), _card("7.50", _PLAIN)
    assert deciding_step(first, second) is None
    (place,) = rank([first, second], scorecard_key).places
    assert (place.place, place.entries) == (1, (first, second))


def test_flags_are_counted_before_the_cap() -> None:
    """Tie-Breaking Rules 8. Five unique flags are more than four, although both take 2.0 points."""
    card = scorecard(red_flags=["0.5"] * 5)
    four, five = (score_scorecard(card, judgement(8, numbered("flag", count) * 2)) for count in (4, 5))
    assert four.final_score == five.final_score
    deciding = deciding_step(four, five)
    assert deciding is not None
    assert deciding.name == "fewer red flags"
    assert [each.entries for each in rank([five, four], scorecard_key).places] == [(four,), (five,)]


@pytest.mark.parametrize(
    ("keys", "places"),
    [
        ([5, 4, 4, 3], {1: [5], 2: [4, 4], 4: [3]}),
        ([3, 3, 3], {1: [3, 3, 3]}),
        ([1, 2, 3], {1: [3], 2: [2], 3: [1]}),
        ([2, 9, 2, 9, 1], {1: [9, 9], 3: [2, 2], 5: [1]}),
        ([], {}),
    ],
)
def test_places_are_those_of_a_competition(keys: list[int], places: dict[int, list[int]]) -> None:
    """1, 2, 2, 4: after a tie, as many places stay empty as there were entries too many."""
    ranking = rank(keys, lambda key: (key,))
    assert {each.place: list(each.entries) for each in ranking.places} == places
    assert {each.place for each in ranking.places if each.is_shared} == {
        place for place, entries in places.items() if len(entries) > 1
    }


def test_results_are_ranked_by_score_and_then_by_verdict() -> None:
    """A result in error has neither, a partial one no verdict: both are on no place. Neither is a 0."""
    results = [
        ("gate failed", Fraction(4, 5), Verdict.FAIL),
        ("error", None, None),
        ("partial", Fraction(1), None),
        ("passed", Fraction(4, 5), Verdict.PASS),
        ("also passed", Fraction(4, 5), Verdict.PASS),
        ("zero", Fraction(0), Verdict.FAIL),
        ("best", Fraction(9, 10), Verdict.FAIL),
    ]
    ranking = rank(results, lambda result: result_key(result[1], result[2]))
    assert [(place.place, [name for name, *_ in place.entries]) for place in ranking.places] == [
        (1, ["best"]),
        (2, ["passed", "also passed"]),
        (4, ["gate failed"]),
        (5, ["zero"]),
    ]
    assert [name for name, *_ in ranking.unranked] == ["error", "partial"]


def test_verdicts_are_above_each_other() -> None:
    """Pass above borderline above fail, which is not the order of their letters."""
    assert sorted(Verdict, key=standing) == [Verdict.FAIL, Verdict.BORDERLINE, Verdict.PASS]


_CARDS = st.builds(
    _card,
    st.sampled_from(["7.50", "7.5", "8.00"]),
    st.fixed_dictionaries({name: st.integers(1, 2) for name in _NINE_STEPS}),
)


def _is_ahead(first: ScorecardScore, second: ScorecardScore) -> bool:
    """Compare two scorecards as the methodology tells it, one step after the other."""
    if first.final_score != second.final_score:
        return first.final_score > second.final_score
    ours, theirs = ({each.name: each.score for each in card.dimensions} for card in (first, second))
    for name in _NINE_STEPS[:7]:
        if ours[name] != theirs[name]:
            return ours[name] > theirs[name]
    if len(first.deductions) != len(second.deductions):
        return len(first.deductions) < len(second.deductions)
    return len(first.bonuses) > len(second.bonuses)


@given(st.lists(_CARDS, max_size=8), st.randoms(use_true_random=False))
def test_a_ranking_follows_the_nine_steps(cards: list[ScorecardScore], shuffle: random.Random) -> None:
    """Everybody is on one place: one more than the number of those who are ahead, in whatever order they came."""
    entries = list(enumerate(cards))
    shuffle.shuffle(entries)
    ranking = rank(entries, lambda entry: scorecard_key(entry[1]))
    found = {name: each.place for each in ranking.places for name, _ in each.entries}
    assert found == {name: 1 + sum(_is_ahead(other, card) for other in cards) for name, card in enumerate(cards)}
    assert not ranking.unranked


@given(_CARDS, _CARDS)
def test_the_deciding_step_is_there_unless_two_are_equivalent(first: ScorecardScore, second: ScorecardScore) -> None:
    """Of two scorecards either one is ahead, or the other, or they are equivalent."""
    step = deciding_step(first, second)
    ahead, behind = _is_ahead(first, second), _is_ahead(second, first)
    assert (ahead, behind).count(True) == (0 if step is None else 1)
    if step is not None:
        assert (step.value(first) > step.value(second)) == ahead
