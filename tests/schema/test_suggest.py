"""Did-you-mean suggestions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.dialects.agentv.records import RECORDS
from rubric_core.schema.suggest import closest


@pytest.mark.parametrize(
    ("record", "word", "meant"),
    [
        ("criterion", "require", "required"),
        ("criterion", "expectedOutcome", "expected_outcome"),
        ("criterion", "Expected-Outcome", "expected_outcome"),
        ("criterion", "expected outcome", "expected_outcome"),
        ("criterion", "score_range", "score_ranges"),
        ("criterion", "required_min", "required_min_score"),
        ("criterion", "requiredMinScore", "required_min_score"),
        ("criterion", "wieght", "weight"),
        ("criterion", "wegiht", "weight"),
        ("criterion", "Weight", "weight"),
        ("criterion", "expected", "expected_outcome"),
        ("case", "rubric", "rubrics"),
        ("case", "input_message", "input_messages"),
        ("case", "exepcted_outcome", "expected_outcome"),
        ("suite", "desc", "description"),
        ("suite", "evalcase", "evalcases"),
        ("score-range", "score_ranges", "score_range"),
        ("weights", "corectness", "correctness"),
        ("criterion", "colour", None),
        ("criterion", "x", None),
        ("criterion", "", None),
        ("case", "i", None),
        ("case", "zz", None),
        ("suite", "services", None),
    ],
)
def test_the_nearest_key_of_a_record(record: str, word: str, meant: str | None) -> None:
    """Slips, other spellings and cut-off words find their key; words of another meaning find none."""
    assert closest(word, RECORDS[record].by_key) == meant


def test_the_first_of_equally_near_choices_wins() -> None:
    """The order of the table decides, so the answer is always the same."""
    assert closest("cot", ["cat", "cut"]) == "cat"
    assert closest("cot", ["cut", "cat"]) == "cut"


@given(st.text(), st.lists(st.text(), max_size=8))
def test_the_suggestion_is_one_of_the_choices(word: str, choices: list[str]) -> None:
    """Whatever the word is, nothing is made up and nothing raises."""
    assert closest(word, choices) in {None, *choices}


@given(st.sampled_from(sorted(key for key in RECORDS["criterion"].by_key if len(key) >= 5)), st.data())
def test_one_letter_missing_is_always_found(key: str, data: st.DataObject) -> None:
    """A key of five letters or more survives the loss of any one letter."""
    at = data.draw(st.integers(0, len(key) - 1))
    assert closest(key[:at] + key[at + 1 :], RECORDS["criterion"].by_key) == key
