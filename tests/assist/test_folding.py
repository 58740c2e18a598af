"""What can be folded."""

from __future__ import annotations

import pytest
from assistance import finished
from hypothesis import example, given
from hypothesis import strategies as st
from yaml_texts import edits, mangled

from rubric_core.analysis.check import analyse
from rubric_core.assist.folding import Fold, chunk_folds, folds, outermost

PATH = "a.eval.yaml"


def shown(text: str, path: str = PATH) -> list[str]:
    """Return each fold as its first and its last line."""
    found = finished(folds(analyse(text, path=path)))
    lines = text.splitlines()
    return [f"{lines[fold.first_line].strip()} … {lines[fold.last_line].strip()}" for fold in found]


@pytest.mark.parametrize("line_break", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "byte order mark"])
def test_cases_lists_ranges_and_texts_are_folded(line_break: str, mark: str) -> None:
    """Each thing of several lines hides behind its first line, blank lines and comments below it stay."""
    text = f"""{mark}\
description: |
  One
  # no comment

  Two
evalcases:

  - id: a
    rubrics:
      - id: b
        score_ranges:
          0: None
          5: All
      # Below the criterion.

  - id: c
    note: >-
      Text
"""
    assert shown(text.replace("\n", line_break)) == [
        f"{mark}description: | … Two",
        "evalcases: … Text",
        "- id: a … 5: All",
        "rubrics: … 5: All",
        "- id: b … 5: All",
        "score_ranges: … 5: All",
        "- id: c … Text",
        "note: >- … Text",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "cases:\n- id: a\n  rubrics:\n  - b\n  - c\n- id: d\n",
            ["cases: … - id: d", "- id: a … - c", "rubrics: … - c"],
        ),
        ("a: {\n  b: 1\n}\nc: [\n  1,\n  2 ]\n", ["a: { … b: 1", "c: [ … 2 ]"]),
        ("a: 'one\n  two'\n", ["a: 'one … two'"]),
        ("# one\n# two\na: b\n  # three\n\n# four\n", ["# one … # two"]),
        ("a:\n  # one\n  # two\n  - b\n", ["a: … - b", "# one … # two"]),
        ("a: |\n  # one\n  # two\n", ["a: | … # two"]),
        ("a: b |\n  # one\n  # two\n", ["# one … # two"]),
        ("a:\n  - |\n   # one\n   # two\n", ["a: … # two", "- | … # two"]),
        ("a:\n  - &x |-2 # note\n    # one\n    # two\n", ["a: … # two", "- &x |-2 # note … # two"]),
        ("a:\n  b: 1\n---\nc:\n  d: 1\n", ["a: … b: 1", "c: … d: 1"]),
        ("a:\n  - - b\n    - c\n", ["a: … - c", "- - b … - c"]),
        ("a:\n  b: [c\n  d: e\n", ["a: … d: e"]),
        ("", []),
    ],
    ids=[
        *("flush dashes", "brackets", "quotes", "comments", "comments in a list", "comments that are text"),
        *("no indicator", "text behind a dash", "anchor and comment", "two documents", "dashes", "half typed", "empty"),
    ],
)
def test_folds_follow_the_indentation(text: str, expected: list[str]) -> None:
    """They need no text that can be read, so they stay while somebody types."""
    assert shown(text) == expected


def test_comment_blocks_are_distinguished() -> None:
    """Editors can fold all comments at once."""
    found = chunk_folds("# one\n# two\na:\n  b: c\n").folds
    assert [(fold.is_comment, fold.first_line, fold.last_line) for fold in found] == [
        (True, 0, 1),
        (False, 2, 3),
    ]


def test_a_client_with_little_room_gets_the_outer_folds() -> None:
    """First all cases, then the lists in the first of them."""
    text = "evalcases:\n" + "  - id: a\n    rubrics:\n      - id: b\n        weight: 1\n" * 3
    found = finished(folds(analyse(text, path=PATH)))
    assert len(found) == 10
    assert [(fold.level, fold.first_line) for fold in outermost(found, 5)] == [(0, 0), (1, 1), (2, 2), (1, 5), (1, 9)]
    assert outermost(found, 10) == found
    assert outermost(found, 1) == found[:1]


def test_json_lines_have_nothing_to_fold() -> None:
    """A case is a line there."""
    assert shown('{"id": "a", "rubrics": []}\n{"id": "b"}\n', "a.jsonl") == []


def test_other_yaml_has_no_folds() -> None:
    """Others fold it."""
    assert shown("services:\n  web:\n    image: x\n", "compose.yaml") == []


@given(mangled())
@example("a:\n -\n  b:\n  - c: |\n")
def test_folds_of_any_text_lie_inside_of_each_other(text: str) -> None:
    """Editors drop folds that cross, and only one can start on a line."""
    found = finished(folds(analyse(text, path=PATH)))
    around: list[Fold] = []
    last = text.count("\n") + text.count("\r")
    for fold in found:
        assert fold.first_line < fold.last_line <= last
        while around and around[-1].last_line < fold.first_line:
            around.pop()
        assert not around or (around[-1].first_line < fold.first_line and fold.last_line <= around[-1].last_line)
        around.append(fold)


@given(st.data())
def test_folds_after_edits_are_those_of_the_final_text(data: st.DataObject) -> None:
    """What is remembered of a chunk is right as long as the chunk is there."""
    analysis = analyse(data.draw(mangled()), path=PATH)
    for _ in range(3):
        analysis.edit([data.draw(edits(len(analysis.document.text)))])
        finished(folds(analysis))
    assert finished(folds(analysis)) == finished(folds(analyse(analysis.document.text, path=PATH)))
