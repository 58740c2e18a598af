"""Refactors write the keys of a file's own dialect."""

from __future__ import annotations

import pytest
from dialect_suites import SUITES
from refactoring import refactored

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
    """The texts are under `outcome`."""
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


@pytest.mark.parametrize("name", SUITES)
def test_a_mapping_with_nothing_but_a_text_becomes_a_string(name: str) -> None:
    """And back; with another key it stays."""
    marked = SUITES[name].replace(
        "          - id: number\n", "          - $0outcome: Is short\n          - id: number\n"
    )
    text = refactored(marked, "mapping-to-string") or ""
    assert "          - Is short\n          - id: number\n" in text
    assert refactored(SUITES[name].replace("id: number", "$0id: number"), "mapping-to-string") is None


@pytest.mark.parametrize(
    ("name", "kind", "key"), [("agentv-4", "rubrics", "criteria"), ("agentv-5", "llm-rubric", "value")]
)
def test_strings_become_the_criteria_of_one_assertion(name: str, kind: str, key: str) -> None:
    """Of the same weight, so that nothing changes for a judge."""
    text = SUITES[name]
    changed = refactored(text.replace("- Gives a reason", "- Gi$0ves a reason"), "strings-to-rubric") or ""
    assert f"      - type: {kind}\n        weight: 2\n        {key}:\n          - " in changed
    assert "\n          - Gives a reason\n      - " in changed
    assert text.count("\n") + 3 == changed.count("\n")


@pytest.mark.parametrize("name", SUITES)
def test_a_comment_between_strings_is_not_lost(name: str) -> None:
    """A refactor that would lose it is not offered."""
    text = SUITES[name].replace("- Gives a reason", "# why\n      - Gi$0ves a reason")
    changed = refactored(text, "strings-to-rubric")
    assert changed is None or "# why" in changed
