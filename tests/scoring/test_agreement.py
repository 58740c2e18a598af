"""How far two judges agree."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.scoring.agreement import Agreement, Rating, RatingPair, agreement_of


def _pairs(*ratings: tuple[Rating, Rating], times: int = 1) -> list[RatingPair]:
    return [*ratings] * times


@pytest.mark.parametrize(
    ("counts", "raw", "kappa"),
    [
        # Both yes, only the first yes, only the second yes, both no.
        ((20, 5, 10, 15), "7/10", "2/5"),
        ((45, 15, 25, 15), "3/5", "3/23"),
        ((25, 35, 5, 35), "3/5", "7/27"),
        ((1, 0, 0, 1), "1", "1"),
        ((0, 1, 1, 0), "0", "-1"),
        ((1, 1, 1, 1), "1/2", "0"),
        # One judge always says yes: what agreement there is, chance gives too.
        ((3, 1, 0, 0), "3/4", "0"),
    ],
)
def test_booleans(counts: tuple[int, ...], raw: str, kappa: str) -> None:
    """Raw agreement and Cohen's kappa by the table of both judges' answers, as exact fractions."""
    cells = product((True, False), repeat=2)
    pairs = [pair for cell, count in zip(cells, counts, strict=True) for pair in _pairs(cell, times=count)]
    assert agreement_of(pairs) == Agreement(sum(counts), Fraction(raw), Fraction(kappa))


@pytest.mark.parametrize(
    ("ratings", "raw", "kappa", "weighted"),
    [
        (((7, 7), (3, 3)), "1", "1", "1"),
        (((7, 3), (3, 7)), "0", "-1", "-1"),
        # Always one apart: no agreement by the letter, and nearly all of it by distance.
        (((0, 1), (9, 10)), "0", "0", "81/83"),
        (((0, 10), (0, 0)), "1/2", "0", "0"),
    ],
)
def test_scores(ratings: tuple[tuple[int, int], ...], raw: str, kappa: str, weighted: str) -> None:
    """For scores there is a kappa that counts a disagreement by the square of its distance, too."""
    expected = Agreement(len(ratings), Fraction(raw), Fraction(kappa), Fraction(weighted))
    assert agreement_of(_pairs(*ratings)) == expected


@pytest.mark.parametrize("rating", [True, False, 0, 7])
def test_kappa_is_undefined_where_nobody_ever_says_anything_else(rating: Rating) -> None:
    """Agreement is full, but so would it be by chance: kappa is None, and not 0 or 1."""
    assert agreement_of(_pairs((rating, rating), times=3)) == Agreement(3, Fraction(1), None, None)


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ([], "no ratings to compare"),
        (_pairs((True, 1)), "partly booleans and partly scores"),
        (_pairs((1, 1), (True, True)), "The ratings are partly booleans"),
    ],
)
def test_what_cannot_be_compared_is_refused(pairs: list[RatingPair], message: str) -> None:
    """True is no score of 1."""
    with pytest.raises(ValueError, match=message):
        agreement_of(pairs)


def _textbook_kappa(pairs: list[tuple[int, int]]) -> Fraction | None:
    """Return (observed - expected) / (1 - expected), with shares for each score."""
    count = len(pairs)
    observed = Fraction(sum(first == second for first, second in pairs), count)
    expected = sum(
        Fraction(sum(first == score for first, _ in pairs), count)
        * Fraction(sum(second == score for _, second in pairs), count)
        for score in range(11)
    )
    return (observed - expected) / (1 - expected) if expected != 1 else None


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), min_size=1, max_size=20))
def test_kappa_is_that_of_the_textbook(ratings: list[tuple[int, int]]) -> None:
    """It is at most 1, is 1 only for full agreement, and does not depend on who is called the first."""
    found = agreement_of(_pairs(*ratings))
    assert found.kappa == _textbook_kappa(ratings)
    assert found == agreement_of(_pairs(*[(second, first) for first, second in ratings]))
    for kappa in (found.kappa, found.weighted_kappa):
        assert kappa is None or (-1 <= kappa <= 1 and (kappa == 1) == (found.raw == 1))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=20))
def test_for_two_ratings_distance_does_not_matter(ratings: list[tuple[bool, bool]]) -> None:
    """Booleans have no weighted kappa of their own: as scores of 0 and 1 it is the plain one."""
    as_scores = agreement_of(_pairs(*[(int(first), int(second)) for first, second in ratings]))
    found = agreement_of(_pairs(*ratings))
    assert found.weighted_kappa is None
    assert (found.raw, found.kappa) == (as_scores.raw, as_scores.kappa)
    assert as_scores.weighted_kappa == as_scores.kappa
