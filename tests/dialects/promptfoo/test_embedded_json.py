"""The JSON objects in a text, as promptfoo finds them."""

from __future__ import annotations

from typing import Any

import pytest

from rubric_core.dialects.promptfoo.embedded_json import objects_in
from rubric_core.grading.failures import CannotGrade


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('It is {"a": 1}, or {"b": [2]}.', [{"a": 1}, {"b": [2]}]),
        ("{a: 1}", [{"a": 1}]),
        ('{"a": {"b": 1}}', [{"a": {"b": 1}}]),
        # One that is cut off gets its braces, and one that is broken is passed over.
        ('{"a": {"b": 1', [{"a": {"b": 1}}]),
        ('{"a": ] } {"b": 1}', [{"b": 1}]),
        ('{"a": 1, // one\n"b": "http://x"}', [{"a": 1, "b": "http://x"}]),
        ('{"a": "it\'s // no comment"}', [{"a": "it's // no comment"}]),
        ("[1] and nothing else", []),
    ],
)
def test_objects_in_a_text(text: str, found: list[Any]) -> None:
    """They are read as YAML, one after the other."""
    assert objects_in(text) == found


@pytest.mark.slow
def test_too_many_braces_are_an_error() -> None:
    """Looking for objects takes a bounded time."""
    with pytest.raises(CannotGrade, match="too many braces"):
        objects_in("{[" * 1_000)
