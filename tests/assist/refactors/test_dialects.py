"""Refactors write the keys of a file's own dialect."""

from __future__ import annotations

import pytest
from dialect_suites import SUITES

from .refactoring import refactored

_MAP = "            score_ranges:\n              0: Nothing\n              7: All of it\n"
_ARRAY = """\
            score_ranges:
              - score_range: [0, 6]
                outcome: Nothing
              - score_range: [7, 10]
                outcome: All of it
"""


@pytest.mark.parametrize("name", SUITES)
def test_a_map_of_ranges_becomes_an_array_and_back(name: str) -> None:
    """The texts stand under `outcome`."""
    text = SUITES[name]
    array = text.replace(_MAP, _ARRAY)
    assert refactored(text.replace("0: Nothing", "$00: Nothing"), "map-to-array") == array
    assert refactored(array.replace("score_range: [0", "$0score_range: [0"), "array-to-map") == text


@pytest.mark.parametrize("name", SUITES)
def test_a_range_is_split(name: str) -> None:
    """The new half has its text under `outcome` as well."""
    array = SUITES[name].replace(_MAP, _ARRAY)
    split = refactored(array.replace("score_range: [7", "$0score_range: [7"), "split-band") or ""
    assert "              - score_range: [9, 10]\n                outcome: " in split


@pytest.mark.parametrize("name", SUITES)
def test_a_string_in_a_list_of_criteria_becomes_a_mapping(name: str) -> None:
    """A string among assertions does not: a mapping there is an assertion."""
    text = SUITES[name].replace("          - id: number\n", "          - $0Is short\n          - id: number\n")
    assert "          - outcome: Is short\n" in (refactored(text, "string-to-mapping") or "")
    assert refactored(SUITES[name].replace("- Gives a reason", "- $0Gives a reason"), "string-to-mapping") is None
