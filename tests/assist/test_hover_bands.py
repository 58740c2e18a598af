"""Hover on score ranges: the ruler, wherever bands are named, with the one under the cursor marked."""

from __future__ import annotations

import pytest
from hovers import ARRAY, SUITE, said_at

_RULER = "0 1 2 3 4 5 6 7 8 9 10"
ON_BANDS = (
    "          $00: Nothing",
    "        score_$0ranges:",
    "        required_min_score$0:",
    "        required_min_score: $03",
)


@pytest.mark.parametrize("line", ON_BANDS)
def test_the_ruler_is_shown_on_ranges_keys_and_the_gate(line: str) -> None:
    """Wherever bands are named, all of them are shown."""
    marked = SUITE.replace(line.replace("$0", ""), line)
    assert _RULER in said_at(marked)


@pytest.mark.parametrize(
    ("stretch", "marked_row"),
    [
        ("- score_range: [0", "0-4"),
        ("[0, 4]", "0-4"),
        ("0, 4]", "0-4"),
        (", 4]", "0-4"),
        ("score_range: [", "0-4"),
        ("min: 5", "?"),
        ("5, max", "?"),
        ("- 10\n", "10"),
        ("10\n", "10"),
    ],
)
def test_the_ruler_marks_the_band_under_the_cursor(stretch: str, marked_row: str) -> None:
    """Brackets, commas and dashes of the bounds are as good as the numbers."""
    at = ARRAY.index(stretch)
    said = said_at(f"{ARRAY[:at]}$0{ARRAY[at:]}")
    rows = [line for line in said.splitlines() if line.startswith("> ")]
    assert [row[26:].split()[0] for row in rows] == [marked_row]


def test_an_item_that_is_no_range_shows_the_ruler_too() -> None:
    """It is one of those that cannot be read."""
    assert "cannot be read: nothing" in said_at(ARRAY.replace("- nothing", "- no$0thing"))


@pytest.mark.parametrize(
    ("ranges", "sentence"),
    [
        ("[]", "There are no bands yet."),
        ("", "There are no bands yet."),
        ("7", "The bands cannot be read: this is neither a mapping nor a list."),
    ],
)
def test_ranges_without_bands_say_so(ranges: str, sentence: str) -> None:
    """Nothing is drawn, and nothing is left unsaid."""
    said = said_at(f"evalcases: [{{id: a, rubrics: [{{score_$0ranges: {ranges}}}]}}]")
    assert said.endswith(sentence)
