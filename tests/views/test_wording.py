"""Texts are compared by what they say, and ids are read as words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.views.texts import normalised, numbered, sentence_from_id, words_of


@pytest.mark.parametrize(
    ("identifier", "sentence"),
    [
        ("handles-empty-input", "Handles empty input"),
        ("handles_empty.input", "Handles empty input"),
        ("handlesEmptyInput", "Handles empty input"),
        ("usesHTTPStatus", "Uses HTTP status"),
        ("lists-2xx-codes", "Lists 2xx codes"),
        ("correctness", "Correctness"),
        ("SQL-injection", "SQL injection"),
        ("nennt-größe", "Nennt größe"),
        ("rubric-2", None),
        ("rubric2", None),
        ("c1", None),
        ("42", None),
        ("--", None),
        ("2xx", None),
        ("", None),
    ],
)
def test_an_id_with_words_is_a_sentence(identifier: str, sentence: str | None) -> None:
    """An id that only counts says nothing."""
    assert sentence_from_id(identifier) == sentence


@pytest.mark.parametrize(
    ("first", "second"),
    [("Names the port.", "names  the\nPort"), ('"Right"', "right!"), ("STRASSE", "straße")],
)
def test_case_space_and_surrounding_punctuation_make_no_difference(first: str, second: str) -> None:
    """Two texts that a reader takes for the same are the same."""
    assert normalised(first) == normalised(second)


@given(st.text())
def test_normalising_twice_changes_nothing(text: str) -> None:
    """What is normalised is its own normal form, or ends in marks that white space had hidden."""
    assert normalised(normalised(text)) == normalised(text)


def test_words_have_no_punctuation() -> None:
    """An apostrophe inside of a word belongs to it."""
    assert words_of("Don't use (well-known) `eval`!") == ["don't", "use", "well", "known", "eval"]


@given(st.text(max_size=3), st.sets(st.text(max_size=5)))
def test_a_numbered_id_is_free(identifier: str, taken: set[str]) -> None:
    """The number is the lowest from 2 that nothing else has."""
    new = numbered(identifier, taken)
    assert new not in taken
    number = int(new.removeprefix(f"{identifier}-"))
    assert all(f"{identifier}-{lower}" in taken for lower in range(2, number))
