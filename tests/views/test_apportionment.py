"""Weights are divided in decimals that sum to the whole exactly."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.views.amounts import apportioned, describe, exact_sum, scaled_to_one

_WEIGHTS = st.dictionaries(
    st.sampled_from("abcdefg"), st.decimals("0.01", "100", places=2).map(lambda number: number + 0), min_size=1
)


@given(_WEIGHTS)
def test_scaled_weights_sum_to_exactly_one(weights: dict[str, Decimal]) -> None:
    """None of them is lost, and a larger one never becomes the smaller one."""
    scaled = scaled_to_one(weights)
    assert scaled is not None
    assert sum(scaled.values()) == 1
    assert all(part > 0 for part in scaled.values())
    assert all(scaled[a] >= scaled[b] for a in weights for b in weights if weights[a] > weights[b])


@given(_WEIGHTS, st.decimals("0.01", "1", places=2))
def test_parts_sum_to_the_whole(shares: dict[str, Decimal], whole: Decimal) -> None:
    """Each part is within one unit of the last place of its fair share."""
    parts = apportioned(whole, shares)
    if parts is None:
        return
    assert sum(parts.values()) == whole
    total = sum(shares.values())
    for name, part in parts.items():
        places = -int(part.as_tuple().exponent)
        assert abs(part - whole * shares[name] / total) < Decimal(10) ** -places


@pytest.mark.parametrize(
    "weights",
    [
        {"a": "0", "b": "0"},
        {"a": "-1", "b": "2"},
        {"a": "1e-30", "b": "1"},
        {"a": "1e30", "b": "1"},
        {"a": "1e9", "b": "1"},
    ],
)
def test_some_weights_cannot_be_scaled(weights: dict[str, str]) -> None:
    """There is nothing to keep in proportion, or no sensible number of decimals does it."""
    assert scaled_to_one({name: Decimal(weight) for name, weight in weights.items()}) is None


def test_a_whole_with_too_many_decimals_is_not_divided() -> None:
    """Its parts would be no sensible weights either."""
    assert apportioned(Decimal("0.12345678"), {"a": Decimal(1)}) is None


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ({"a": "1", "b": "1", "c": "2"}, {"a": "0.25", "b": "0.25", "c": "0.50"}),
        ({"a": "1", "b": "1", "c": "1"}, {"a": "0.34", "b": "0.33", "c": "0.33"}),
        ({"a": "0.0005", "b": "1"}, {"a": "0.0005", "b": "0.9995"}),
        ({"a": "0", "b": "3"}, {"a": "0.00", "b": "1.00"}),
    ],
)
def test_as_few_decimals_as_do_justice(weights: dict[str, str], expected: dict[str, str]) -> None:
    """Two at least; more where equal shares stay equal by that or a share would be lost."""
    scaled = scaled_to_one({name: Decimal(weight) for name, weight in weights.items()})
    assert scaled is not None
    assert {name: str(part) for name, part in scaled.items()} == expected


def test_a_sum_is_exact() -> None:
    """No digit is lost, however small it is beside the others."""
    assert exact_sum([Decimal(1), Decimal("1e-9000"), Decimal(-1)]) == Decimal("1e-9000")


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("1.050", "1.05"),
        ("100", "100"),
        ("0.00", "0"),
        ("1E+2", "100"),
        ("1.0000000000000000001", "1.0000000000000000001"),
        ("1.00000000000000000000000001", "about 1.00000"),
        ("1e9000", "about 1e+9000"),
        ("-0.5", "-0.5"),
    ],
)
def test_a_number_is_shown_short(number: str, shown: str) -> None:
    """Zeros at the end say nothing, and nobody reads thirty digits."""
    assert describe(Decimal(number)) == shown
