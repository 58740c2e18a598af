"""The band ruler: what it looks like for every way in which ranges can be written, and what it says is wrong."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_trees import mapping_of

from rubric_core.assist.ruler import WIDTH, Ruler, ruler_of
from rubric_core.dialects.registry import DEFAULT_DIALECT
from rubric_core.syntax.scalars import YamlVersion
from rubric_core.terminal.display import lay_out
from rubric_core.views.criteria import CriterionView


def _criterion(text: str) -> CriterionView:
    return CriterionView(mapping_of(text), 1, YamlVersion.V1_2, DEFAULT_DIALECT)


def _ruler(text: str, marked: int | None = None) -> Ruler:
    criterion = _criterion(text)
    assert criterion.bands is not None
    ruler = ruler_of(criterion, text, criterion.bands.bands[marked] if marked is not None else None)
    assert ruler is not None
    return ruler


class Case(NamedTuple):
    """A criterion, the ruler that is drawn for it, and what is said below."""

    name: str
    text: str
    drawn: str
    notes: tuple[str, ...] = ()


CASES = (
    Case(
        "a map with a gate",
        """\
required_min_score: 6
score_ranges:
  0: Nothing
  3: Something
  6: Most
  9: All
""",
        """\
0 1 2 3 4 5 6 7 8 9 10
██████                  0-2   Nothing
      ██████            3-5   Something
            ██████      6-8   Most
                  ████  9-10  All
x x x x x x ^           gate  below 6 the case fails
""",
    ),
    Case(
        "an array with a gap, an overlap and a bound off the scale",
        """\
score_ranges:
  - {score_range: [0, 2], expected_outcome: Nothing}
  - {score_range: [5, 7], expected_outcome: Some}
  - {score_range: [7, 11], expected_outcome: All}
""",
        """\
0 1 2 3 4 5 6 7 8 9 10
██████                  0-2   Nothing
      ????              3-4   no band
          ████!!        5-7   Some
              !!██████  7-11  All
""",
        ("No band covers 3-4.", "7 lies in more than one band.", "7-11 goes beyond 0-10."),
    ),
    Case(
        "gaps below, between and above",
        "score_ranges: [{score_range: [1, 1], expected_outcome: A}, {score_range: [4, 8], description: B}]\n",
        """\
0 1 2 3 4 5 6 7 8 9 10
??                      0     no band
  ██                    1     A
    ????                2-3   no band
        ██████████      4-8   B
                  ????  9-10  no band
""",
        ("No band covers 0, 2-3 or 9-10.",),
    ),
    Case(
        "unsorted and the wrong way round",
        "score_ranges: [{score_range: [10, 5], expected_outcome: B}, {score_range: [0, 4], expected_outcome: A}]\n",
        """\
0 1 2 3 4 5 6 7 8 9 10
██████████              0-4   A
          ████████████  5-10  B
""",
        ("[10, 5] is reversed: the higher score is first.", "Rows are sorted by score; the file has another order."),
    ),
    Case(
        "one band inside of another",
        "score_ranges: [{score_range: [0, 10], expected_outcome: A}, {score_range: [3, 4], expected_outcome: B}]\n",
        """\
0 1 2 3 4 5 6 7 8 9 10
██████!!!!████████████  0-10  A
      !!!!              3-4   B
""",
        ("3-4 lie in more than one band.",),
    ),
    Case(
        "what cannot be read",
        """\
required_min_score: 0.7
score_ranges:
  - {score_range: [0, 2], expected_outcome: A}
  - {score_range: 3-5, expected_outcome: B}
  - [6, 10]
""",
        """\
0 1 2 3 4 5 6 7 8 9 10
██████                  0-2   A
                        ?     cannot be read: 3-5
                        ?     cannot be read: [6, 10]
                        gate  cannot be read: 0.7
""",
        ("A band cannot be read, so gaps are not shown.",),
    ),
    Case(
        "off the scale altogether, and as far out as nobody needs to know",
        """\
required_min_score: 0
score_ranges:
  - {score_range: [0, 10], expected_outcome: A}
  - {score_range: [12, 12]}
  - {score_range: [-1000, 99999999999999999999], expected_outcome: B}
""",
        """\
0 1 2 3 4 5 6 7 8 9 10
!!!!!!!!!!!!!!!!!!!!!!  0-10       A
!!!!!!!!!!!!!!!!!!!!!!  <-99->999  B
                        12         off the scale: (no text)
^                       gate       0 never fails the case
""",
        ("0-10 lie in more than one band.", "12 and <-99->999 go beyond 0-10."),
    ),
    Case(
        "a map that starts late and has a key that is no number",
        "score_ranges: {5: B, '2': A, all: C}\n",
        """\
0 1 2 3 4 5 6 7 8 9 10
    ██████              2-4   A
          ████████████  5-10  B
                        ?     cannot be read: all
""",
        ("A band cannot be read, so gaps are not shown.", "Rows are sorted by score; the file has another order."),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_ruler_shows_each_band_below_its_scores(case: Case) -> None:
    """Gaps are question marks, overlaps exclamation marks, and scores that fail the gate crosses."""
    ruler = _ruler(case.text)
    # Rows are padded to a common width inside; none ends in blanks.
    assert str(ruler) + "\n" == case.drawn
    assert ruler.notes == case.notes


def test_the_band_under_the_cursor_is_marked() -> None:
    """An arrow points at it, and all rows move to the right to make room."""
    assert str(_ruler("score_ranges: {0: A, 5: B}\n", marked=1)).splitlines() == [
        "  0 1 2 3 4 5 6 7 8 9 10",
        "  ██████████              0-4   A",
        ">           ████████████  5-10  B",
    ]


@pytest.mark.parametrize("ranges", ["[]", "{}", "", "~", "words"])
def test_without_ranges_there_is_no_ruler(ranges: str) -> None:
    """Nothing is drawn where there is nothing to draw."""
    text = f"score_ranges: {ranges}\n"
    assert ruler_of(_criterion(text), text) is None
    assert ruler_of(_criterion("weight: 2\n"), "weight: 2\n") is None


TEXTS = (
    "A",
    "🎉" * 40,
    "日本語の長い説明" * 6,
    "`code` ```",
    "a\u0301" * 90,
    "👩‍👩‍👧‍👦 " * 12,
    "\u202eback",
    "x" * 5000,
)


@pytest.mark.parametrize("text", TEXTS)
def test_no_text_makes_a_row_too_wide(text: str) -> None:
    """Wide characters count twice, marks not at all, and what turns lines around is spelt out."""
    ruler = str(_ruler(f"score_ranges: {{0: '{text}', 5: B}}\n"))
    lines = ruler.splitlines()
    assert len(lines) == 3
    assert all(lay_out(line).columns[-1] <= WIDTH for line in lines)
    assert "\u202e" not in ruler


_BOUNDS = st.integers(-3, 13) | st.sampled_from(["x", "1.5", "null"])
_ARRAYS = st.lists(st.tuples(_BOUNDS, _BOUNDS), min_size=1, max_size=5)


@given(_ARRAYS, st.integers(-1, 11) | st.none())
def test_every_score_is_shown_as_what_it_is(bounds: list[tuple[object, object]], gate: int | None) -> None:
    """In each column are as many bars as bands cover the score, and a gap is marked where none does."""
    items = ", ".join(f"{{score_range: [{low}, {high}], expected_outcome: text}}" for low, high in bounds)
    text = f"score_ranges: [{items}]\n" + (f"required_min_score: {gate}\n" if gate is not None else "")
    ruler = _ruler(text)
    readable = [sorted(pair) for pair in bounds if all(isinstance(bound, int) for bound in pair)]
    for score in range(11):
        column = [row.cells[2 * score : 2 * score + 2] for row in ruler.rows]
        covering = sum(low <= score <= high for low, high in readable)
        assert column.count("██") == (covering == 1)
        assert column.count("!!") == (covering if covering > 1 else 0)
        assert column.count("??") == (covering == 0 and len(readable) == len(bounds))
        assert column.count("x ") == (gate is not None and 0 <= gate <= 10 and score < gate)
    assert sum(row.label == "?" for row in ruler.rows) == len(bounds) - len(readable)
