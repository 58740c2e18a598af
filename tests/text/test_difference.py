"""What changed between two texts is reported line by line, and quickly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.text.difference import Stretch, changed_stretches, line_edits
from rubric_core.text.spans import Edit, apply_edits

STRETCHES = {
    "nothing": ("abc", "abc", []),
    "one in the middle": ("abc", "axc", [Stretch(1, 2, 1, 2)]),
    "one more": ("ac", "abc", [Stretch(1, 1, 1, 2)]),
    "one less": ("abc", "ac", [Stretch(1, 2, 1, 1)]),
    "both ends": ("abc", "xby", [Stretch(0, 1, 0, 1), Stretch(2, 3, 2, 3)]),
    "moved down": ("abc", "bca", [Stretch(0, 1, 0, 0), Stretch(3, 3, 2, 3)]),
    "twice the same": ("aabaa", "aaxaa", [Stretch(2, 3, 2, 3)]),
    "all": ("", "ab", [Stretch(0, 0, 0, 2)]),
}


@pytest.mark.parametrize(("old", "new", "expected"), STRETCHES.values(), ids=list(STRETCHES))
def test_changed_stretches(old: str, new: str, expected: list[Stretch]) -> None:
    """What each list has once holds them together, and what is alike at the ends of a stretch is left out."""
    assert list(changed_stretches(old, new)) == expected


def test_lines_that_stay_are_not_touched() -> None:
    """Also where they are there more than once."""
    before = "a\nsame\nsame\nb\nsame\nc\n"
    after = "x\nsame\nsame\ny\nsame\nc\n"
    assert list(line_edits(before, after)) == [Edit(0, 2, "x\n"), Edit(12, 14, "y\n")]


def test_long_stretches_without_a_line_of_their_own_are_one_edit() -> None:
    """Comparing each line with each other one would take the square of their number."""
    before, after = "x\n" + "same\n" * 200 + "y\n", "v\n" + "same\n" * 201 + "w\n"
    assert list(line_edits(before, after)) == [Edit(0, len(before), after)]


LINES = st.lists(st.sampled_from(["a\n", "b\r\n", "c\r", "d\n", "e"])).map("".join)


@given(LINES, LINES)
def test_the_edits_lead_from_one_text_to_the_other(before: str, after: str) -> None:
    """Whatever the texts are, and whatever their line breaks."""
    edits = list(line_edits(before, after))
    assert apply_edits(before, edits) == after
    assert before != after or not edits
