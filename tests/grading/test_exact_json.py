"""JSON with exact numbers."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.grading import exact_json

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.decimals(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(PLAIN, st.sampled_from([None, 0, 2]))
def test_every_value_comes_back(value: object, indent: int | None) -> None:
    """Also the largest, the smallest and the longest number."""
    assert exact_json.read(exact_json.write(value, indent=indent)) == value


@given(
    st.recursive(
        st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_the_layout_is_that_of_the_standard_library(value: object) -> None:
    """Nobody has to get used to another one."""
    assert exact_json.write(value, indent=2) == json.dumps(value, indent=2)
    assert exact_json.write(value) == json.dumps(value)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_is_neither_written_nor_read(number: str) -> None:
    """JSON has none of these."""
    with pytest.raises(ValueError, match="JSON has no number for"):
        exact_json.write(Decimal(number))
    with pytest.raises(ValueError, match="is not a number that JSON has"):
        exact_json.read(f"[{number}]")


def test_a_binary_float_is_not_written() -> None:
    """It would pretend to be exact."""
    with pytest.raises(TypeError, match="float is not plain data"):
        exact_json.write([0.1])


def test_deep_nesting_is_refused() -> None:
    """A file cannot end the process."""
    with pytest.raises(ValueError, match="nested too deeply"):
        exact_json.read("[" * 100_000)
