"""Score ranges are written another way, sorted, split and spread, and every comment stays with its range."""

from __future__ import annotations

import pytest
from refactoring import PATH, criteria, ranges, refactored, titles_at

MAP = """\
0: Wrong  # the worst
# a gap would be here
5: |
  Right,

  but short
8: "All
  of it"
"""
ARRAY = """\
- score_range: [0, 4]
  expected_outcome: Wrong  # the worst
# a gap would be here
- score_range: [5, 7]
  expected_outcome: |
    Right,

    but short
- score_range: [8, 10]
  expected_outcome: "All
    of it"
"""


def _with_cursor(lines: str) -> str:
    """Return a suite with ranges and the cursor on their key."""
    return ranges(lines).replace("score_ranges:", "score_$0ranges:")


def test_a_map_becomes_an_array() -> None:
    """Both bounds are written out, long texts move to the right, and comments stay where they are."""
    assert refactored(_with_cursor(MAP), "map-to-array") == ranges(ARRAY)


def test_an_array_becomes_a_map() -> None:
    """That is the way back, to the last byte."""
    assert refactored(_with_cursor(ARRAY), "array-to-map") == ranges(MAP)


@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_both_ways_keep_the_line_breaks(line_break: str) -> None:
    """What is inserted breaks its lines as the file does."""
    before = _with_cursor(MAP).replace("\n", line_break)
    after = refactored(before, "map-to-array")
    assert after == ranges(ARRAY).replace("\n", line_break)
    assert refactored(after.replace("- score_range", "- $0score_range", 1), "array-to-map") == before.replace("$0", "")


ARRAYS = {
    "a comment at the bounds moves above the range": (
        "- score_range: [0, 4]  # low\n  expected_outcome: Wrong\n- score_range: [5, 10]\n  expected_outcome: Right\n",
        "# low\n0: Wrong\n5: Right\n",
    ),
    "a comment between bounds and text moves above the range": (
        "- score_range: [0, 4]\n  # low\n  expected_outcome: Wrong\n- score_range: [5, 10]\n  expected_outcome: All\n",
        "# low\n0: Wrong\n5: All\n",
    ),
    "the text may come first": (
        (
            "- expected_outcome: Wrong  # text\n  score_range: [0, 4]  # low\n- score_range: [5, 10]\n"
            "  expected_outcome: Right\n"
        ),
        "# low\n0: Wrong  # text\n5: Right\n",
    ),
    "bounds may have lines of their own": (
        (
            "- score_range:\n    - 0  # low\n    - 4\n  expected_outcome: Wrong\n- score_range: [5, 10]\n"
            "  expected_outcome: Right\n"
        ),
        "# low\n0: Wrong\n5: Right\n",
    ),
    "the dash may have a line of its own": (
        "-\n  score_range: [0, 4]\n  expected_outcome: Wrong\n- score_range: [5, 10]\n  expected_outcome: Right\n",
        "0: Wrong\n5: Right\n",
    ),
    "an item may be in braces": (
        "- {score_range: [0, 4], expected_outcome: Wrong}  # low\n- {score_range: [5, 10], description: 'Right, so'}\n",
        "0: Wrong  # low\n5: 'Right, so'\n",
    ),
    "the old name of the text is as good": (
        "- score_range: [0, 4]\n  description: Wrong\n- score_range: [5, 10]\n  expected_outcome: Right\n",
        "0: Wrong\n5: Right\n",
    ),
    "ranges may stand in any order": (
        "- score_range: [5, 10]\n  expected_outcome: Right\n- score_range: [0, 4]\n  expected_outcome: Wrong\n",
        "5: Right\n0: Wrong\n",
    ),
    "an alias stays an alias": (
        "- score_range: [0, 4]\n  expected_outcome: &same Wrong\n- score_range: [5, 10]\n  expected_outcome: *same\n",
        "0: &same Wrong\n5: *same\n",
    ),
}


@pytest.mark.parametrize(("before", "after"), ARRAYS.values(), ids=list(ARRAYS))
def test_an_array_in_any_style_becomes_a_map(before: str, after: str) -> None:
    """Whatever is around bounds and text finds its place."""
    assert refactored(_with_cursor(before), "array-to-map") == ranges(after)


def test_a_list_in_the_column_of_its_key_becomes_a_map_further_in() -> None:
    """A mapping cannot be in the column of its key as a list can."""
    before = """\
evalcases:
- id: open-port
  expected_outcome: Names the port
  input: Which port?
  rubrics:
  - id: quality
    expected_outcome: Explains it
    score_$0ranges:
    - score_range: [0, 4]
      expected_outcome: >-
        Wrong
        or missing
    - score_range: [5, 10]
      expected_outcome: Right
"""
    after = """\
    score_ranges:
      0: >-
        Wrong
        or missing
      5: Right
"""
    assert refactored(before, "array-to-map") == before.partition("    score_$0")[0] + after


BRACKETS = {
    "on one line": (
        "{0: Wrong, 5: Right}",
        "[{score_range: [0, 4], expected_outcome: Wrong}, {score_range: [5, 10], expected_outcome: Right}]",
    ),
    "as JSON": (
        '{"0": "Wrong", "5":"Right"}',
        '[{"score_range": [0, 4], "expected_outcome": "Wrong"}, {"score_range": [5, 10], "expected_outcome":"Right"}]',
    ),
    "on lines of their own": (
        "{  # open\n          0: Wrong,  # low\n          5: Right\n        }",
        (
            "[  # open\n          {score_range: [0, 4], expected_outcome: Wrong},  # low\n"
            "          {score_range: [5, 10], expected_outcome: Right}\n        ]"
        ),
    ),
}


@pytest.mark.parametrize(("mapping", "array"), BRACKETS.values(), ids=list(BRACKETS))
def test_ranges_in_brackets_stay_in_brackets(mapping: str, array: str) -> None:
    """Both ways."""
    suite = criteria("- id: quality\n  expected_outcome: Explains it\n  score_ranges: ") + "@\n"
    assert refactored(suite.replace("@", f"$0{mapping}"), "map-to-array") == suite.replace("@", array)
    back = refactored(suite.replace("@", f"$0{array}"), "array-to-map")
    assert back == suite.replace("@", mapping.replace('"5":"', '"5": "'))


def test_ranges_in_json_lines_stay_json() -> None:
    """One case a line, every key in quotes."""
    before = (
        '{"id": "a", "expected_outcome": "b", "input": "c", "rubrics": [{"id": "d", "expected_outcome": "e", '
        '"score_ranges": $0{"0": "Wrong", "5": "Right"}}]}\n'
    )
    after = refactored(before, "map-to-array", "cases.jsonl")
    assert after is not None
    assert '"score_ranges": [{"score_range": [0, 4], "expected_outcome": "Wrong"}, {"score_range": [5, 10]' in after


REFUSED = {
    "a gap": "- score_range: [0, 3]\n  expected_outcome: Wrong\n- score_range: [5, 10]\n  expected_outcome: Right\n",
    "an overlap": "- score_range: [0, 5]\n  expected_outcome: Wrong\n- score_range: [5, 10]\n  expected_outcome: All\n",
    "a key that would be lost": "- score_range: [0, 10]\n  expected_outcome: Any\n  note: mine\n",
    "bounds the wrong way round": "- score_range: [10, 0]\n  expected_outcome: Any\n",
    "a range that an alias repeats": "- &all\n  score_range: [0, 10]\n  expected_outcome: Any\n",
    "bounds that an alias repeats": "- score_range: &all [0, 10]\n  expected_outcome: Any\n",
    "no text": "- score_range: [0, 10]\n",
    "a map that starts late": "2: Wrong\n5: Right\n",
    "a key twice": "0: Wrong\n5: Right\n5: Better\n",
    "an empty text": "0: Wrong\n5:\n",
    "merged ranges": "<<: {0: Wrong}\n5: Right\n",
    "a key with an anchor": "&low 0: Wrong\n5: Right\n",
    "a key with a question mark": "? 0\n: Wrong\n? 5\n: Right\n",
    "a broken list": "- score_range: [0, 10\n",
    "no ranges": "[]\n",
    "a comment within braces": "[{score_range: [0, 10],  # all\n  expected_outcome: Any}]\n",
}


@pytest.mark.parametrize("lines", REFUSED.values(), ids=list(REFUSED))
def test_what_would_not_mean_the_same_is_not_rewritten(lines: str) -> None:
    """What is wrong, repeated elsewhere or would be lost has to be dealt with first."""
    assert refactored(_with_cursor(lines), "map-to-array") is None
    assert refactored(_with_cursor(lines), "array-to-map") is None


def test_a_key_with_a_question_mark_is_left_alone_beside_others() -> None:
    """One such key is enough."""
    assert refactored(_with_cursor("0: Wrong\n? 5\n: Right\n"), "map-to-array") is None


# Sorting


def test_ranges_are_sorted_with_their_comments() -> None:
    """A comment above a range or behind it travels with it."""
    before = "5: Right  # good\n# low ones\n0: Wrong\n"
    assert refactored(_with_cursor(before), "sort-ranges") == ranges("# low ones\n0: Wrong\n5: Right  # good\n")
    assert refactored(_with_cursor("0: Wrong\n5: Right\n"), "sort-ranges") is None


# Splitting


SPLITS = {
    "a map": ("0: Wrong\n$05: Right\n", "0: Wrong\n5: Right\n8: {}\n", "Split 5-10 into 5-7 and 8-10", "8-10"),
    "a map with comments": (
        "$00: Wrong  # low\n5: Right\n",
        "0: Wrong  # low\n3: {}\n5: Right\n",
        "Split 0-4 into 0-2 and 3-4",
        "3-4",
    ),
    "an array": (
        "- score_range: [0, 9]  # low\n  expected_outcome: $0Wrong\n- score_range: [10, 10]\n  expected_outcome: All\n",
        (
            "- score_range: [0, 4]  # low\n  expected_outcome: Wrong\n- score_range: [5, 9]\n  expected_outcome: {}\n"
            "- score_range: [10, 10]\n  expected_outcome: All\n"
        ),
        "Split 0-9 into 0-4 and 5-9",
        "5-9",
    ),
    "the dash counts": (
        "$0- score_range: [0, 1]\n  expected_outcome: Wrong\n- score_range: [2, 10]\n  expected_outcome: Right\n",
        (
            "- score_range: [0, 0]\n  expected_outcome: Wrong\n- score_range: [1, 1]\n  expected_outcome: {}\n"
            "- score_range: [2, 10]\n  expected_outcome: Right\n"
        ),
        "Split 0-1 into 0 and 1",
        "1",
    ),
}


@pytest.mark.parametrize(("before", "after", "title", "scores"), SPLITS.values(), ids=list(SPLITS))
def test_a_range_is_split_in_the_middle(before: str, after: str, title: str, scores: str) -> None:
    """The lower half keeps the text; the upper half gets one that asks to be filled in."""
    text = f'"TODO: describe an answer that scores {scores}"'
    assert refactored(ranges(before), "split-band") == ranges(after.format(text))
    assert title in titles_at(ranges(before))


@pytest.mark.parametrize(
    "lines",
    [
        "0: Wrong\n$010: Right\n",
        "- score_range: [0, 5]\n  expected_outcome: $0Wrong\n- score_range: [5, 10]\n  expected_outcome: Right\n",
        "- score_range: [0, 12]\n  expected_outcome: $0Wrong\n",
    ],
    ids=["one score", "an overlap", "out of bounds"],
)
def test_a_range_that_cannot_be_split_well_is_left_alone(lines: str) -> None:
    """A single score has no middle, and a split overlap would be one more."""
    assert refactored(ranges(lines), "split-band") is None


# Spreading


SPREADS = {
    "a map": ("0: A\n1: B\n2: C\n3: D\n", "0: A\n3: B\n6: C\n9: D\n", "0-2, 3-5, 6-8, 9-10"),
    "an array with a gap": (
        "- score_range: [0, 1]\n  expected_outcome: A\n- score_range: [9, 10]  # best\n  expected_outcome: B\n",
        "- score_range: [0, 5]\n  expected_outcome: A\n- score_range: [6, 10]  # best\n  expected_outcome: B\n",
        "0-5, 6-10",
    ),
    "out of order": ("9: C\n0: A\n5: B\n", "8: C\n0: A\n4: B\n", "0-3, 4-7, 8-10"),
    "keys in quotes": ('"0": A\n"2": B\n', '"0": A\n"6": B\n', "0-5, 6-10"),
}


@pytest.mark.parametrize(("before", "after", "scores"), SPREADS.values(), ids=list(SPREADS))
def test_ranges_are_spread_evenly(before: str, after: str, scores: str) -> None:
    """Their number, their order and their texts stay; only bounds change."""
    assert refactored(_with_cursor(before), "distribute-bands") == ranges(after)
    count = scores.count(",") + 1
    assert f"Spread the {count} ranges evenly: {scores}" in titles_at(_with_cursor(before))


@pytest.mark.parametrize(
    "lines",
    [
        "0: A\n6: B\n",
        "0: A\n",
        "- score_range: [10, 0]\n  expected_outcome: A\n- score_range: [9, 10]\n  expected_outcome: B\n",
        "- score_range: [0, 10]\n  expected_outcome: A\n- score_range: [0, 10]\n  expected_outcome: B\n",
        "- score_range: &low [0, 2]\n  expected_outcome: A\n- score_range: [3, 10]\n  expected_outcome: B\n",
    ],
    ids=["even already", "one range", "the wrong way round", "no order", "repeated elsewhere"],
)
def test_ranges_that_cannot_be_spread_are_left_alone(lines: str) -> None:
    """Nothing to do, or no telling what comes first."""
    assert refactored(_with_cursor(lines), "distribute-bands") is None


def test_the_ranges_of_an_evaluator_of_the_suite_can_be_changed_as_well() -> None:
    """Criteria are in more places than cases."""
    suite = """\
execution:
  evaluators:
    - name: ports
      type: llm_judge
      rubrics:
        - id: quality
          expected_outcome: Explains it
          score_ranges: $0{0: Wrong, 1: Right}
evalcases:
  - id: open-port
    expected_outcome: Names the port
    input: Which port?
"""
    assert titles_at(suite, PATH)[:2] == [
        "Spread the 2 ranges evenly: 0-5, 6-10",
        "Write the ranges as an array of [min, max]",
    ]
