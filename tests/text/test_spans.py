"""Spans and edits count code points; a group of edits names the same text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rubric_core.text.spans import Edit, Span, apply_edits


def test_things_move_with_the_text_in_front() -> None:
    """What was found in a chunk is placed in the whole text."""
    assert Span(1, 3).shifted(10) == (11, 13)
    assert Edit(1, 3, "x").shifted(10) == (11, 13, "x")


@pytest.mark.parametrize(
    ("edits", "expected"),
    [
        ([], "abcdef"),
        ([Edit(0, 0, "x")], "xabcdef"),
        ([Edit(6, 6, "x")], "abcdefx"),
        ([Edit(4, 5, ""), Edit(1, 2, "🎉")], "a🎉cdf"),
        ([Edit(1, 3, "x"), Edit(3, 4, "y")], "axyef"),
        ([Edit(2, 4, "-"), Edit(2, 2, "+")], "ab+-ef"),
        ([Edit(2, 2, "z"), Edit(2, 2, "a"), Edit(2, 2, "m")], "abzamcdef"),
    ],
)
def test_edits_are_applied_from_left_to_right(edits: list[Edit], expected: str) -> None:
    """Their order does not matter, except that insertions at one place stay in the order given."""
    assert apply_edits("abcdef", edits) == expected


@pytest.mark.parametrize("edits", [[Edit(0, 3, "x"), Edit(2, 4, "y")], [Edit(3, 2, "")], [Edit(0, 7, "")]])
def test_edits_that_overlap_or_leave_the_text_are_refused(edits: list[Edit]) -> None:
    """Half a change would be worse than none."""
    with pytest.raises(ValueError, match="overlaps another one or leaves the text"):
        apply_edits("abcdef", edits)


@given(st.text(max_size=20), st.lists(st.integers(0, 20), max_size=6), st.text(max_size=3))
def test_edits_change_only_their_own_stretch(text: str, places: list[int], new: str) -> None:
    """What they insert can be taken out again."""
    cuts = sorted(min(place, len(text)) for place in places)
    assert apply_edits(text, [Edit(cut, cut, new) for cut in cuts]) == new.join(
        text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)
    )
