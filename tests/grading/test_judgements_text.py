"""JSON in text that nobody vouches for: its parts come out as they are written."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.grading.json_text import NotJson, elements, find_object, members

_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def test_numbers_are_read_as_they_are_written() -> None:
    """No digit is lost, and what no decimal can hold is no number."""
    found = find_object('{"a": 0.1000, "b": 12345678901234567890123, "c": 1e99999999999999999999, "d": -Infinity}')
    assert [str(value) for value in found.value.values()] == ["0.1000", "12345678901234567890123", "NaN", "-Infinity"]
    assert all(type(value) is Decimal for value in found.value.values())


def test_the_object_is_also_given_as_it_is_written() -> None:
    """With its own blanks, and without what is around it."""
    assert find_object('So: {"a" :  [1.0]} !').text == '{"a" :  [1.0]}'


@pytest.mark.parametrize("indent", [None, 2])
@given(value=st.dictionaries(st.text(), _values, max_size=5))
def test_members_are_the_written_parts_of_an_object(value: dict[str, Any], indent: int | None) -> None:
    """Each of them says what the whole says under its name."""
    text = f" {json.dumps(value, indent=indent)}\n"
    found = members(text)
    assert {name: json.loads(part) for name, part in found} == value
    assert all(part in text for _, part in found)


@pytest.mark.parametrize("indent", [None, 2])
@given(value=st.lists(_values, max_size=5))
def test_elements_are_the_written_parts_of_a_list(value: list[Any], indent: int | None) -> None:
    """In their order."""
    assert [json.loads(part) for part in elements(json.dumps(value, indent=indent))] == value


def test_repeated_members_are_all_there() -> None:
    """Whoever asks decides what a repetition means."""
    assert members('{"a": 1.0, "b": {"c": 1, "c": 2}, "a": 3e1}') == [
        ("a", "1.0"),
        ("b", '{"c": 1, "c": 2}'),
        ("a", "3e1"),
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "The JSON object ends before it is complete."),
        ('{"a": 1', "The JSON object ends before it is complete."),
        ('{"a": 1} x', "Something follows the end of the JSON."),
        ("[1]", "It is a JSON list, not a JSON object."),
        ("null", "It is null, not a JSON object."),
        ("{'a': 1}", "The JSON is broken at line 1, column 2"),
        ('{"a":' * 100_000, "The JSON is nested too deeply."),
    ],
)
def test_members_of_what_is_no_object(text: str, problem: str) -> None:
    """The reason is one sentence."""
    with pytest.raises(NotJson) as caught:
        members(text)
    assert str(caught.value).startswith(problem)


def test_elements_of_what_is_no_list() -> None:
    """The reason is one sentence."""
    with pytest.raises(NotJson, match="not a JSON list"):
        elements("{}")
