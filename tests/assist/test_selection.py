"""What is selected when a selection grows."""

from __future__ import annotations

import itertools

import pytest
from assistance import cut_cursor
from hypothesis import example, given
from hypothesis import strategies as st
from yaml_texts import mangled

from rubric_core.analysis.check import analyse
from rubric_core.assist.selection import selections

PATH = "a.eval.yaml"


def grown(marked: str, path: str = PATH) -> list[str]:
    """Return the stretches around the cursor, the smallest one first."""
    text, at = cut_cursor(marked)
    return [text[span.start : span.end] for span in selections(analyse(text, path=path), at)]


def test_a_selection_grows_from_the_word_to_the_file() -> None:
    """Word, content, scalar, pair, mapping, item, list, pair, case, item, list of cases, pair, file."""
    criterion = 'id: b\n        note: "two wor$0ds"'
    rubrics = f"- {criterion}\n      - c"
    case = f"id: a\n    rubrics:\n      {rubrics}"
    text = f"# Top.\nevalcases:\n  # Above.\n  - {case}\n  - id: d\n# Below.\n"
    plain, _ = cut_cursor(text)
    assert grown(text) == [
        stretch.replace("$0", "")
        for stretch in (
            *("words", "two words", '"two words"', 'note: "two wor$0ds"'),
            *(criterion, f"- {criterion}", rubrics, f"rubrics:\n      {rubrics}"),
            *(case, f"- {case}", f"- {case}\n  - id: d", f"evalcases:\n  # Above.\n  - {case}\n  - id: d"),
            plain,
        )
    ]


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("a: b-$0c # d\n", ["c", "b-c", "a: b-c", "a: b-c # d\n"]),
        ("a: b # c $0d\n", ["d", "# c d", "a: b # c d\n"]),
        ("a: {b: $0c, d: e}\n", ["c", "b: c", "{b: c, d: e}", "a: {b: c, d: e}", "a: {b: c, d: e}\n"]),
        ("a: [b, $0c]\n", ["c", "[b, c]", "a: [b, c]", "a: [b, c]\n"]),
        (
            "a: |\n  b $0c\n  d\nb: 1\n",
            ["c", "b c\n  d", "|\n  b c\n  d", "a: |\n  b c\n  d", "a: |\n  b c\n  d\nb: 1\n"],
        ),
        ("$0a: b\n", ["a", "a: b", "a: b\n"]),
        ("a: ''$0\n", ["''", "a: ''", "a: ''\n"]),
        ("a: &x b\nc: *x$0\n", ["x", "*x", "c: *x", "a: &x b\nc: *x\n"]),
        ("a: &x {b: c}\nd:\n  <<: *$0x\n", ["x", "*x", "<<: *x", "d:\n  <<: *x", "a: &x {b: c}\nd:\n  <<: *x\n"]),
        ("$0", []),
    ],
    ids=["plain", "comment", "braces", "brackets", "block", "key", "empty", "alias", "merge", "nothing"],
)
def test_selections_in_every_style(marked: str, expected: list[str]) -> None:
    """Each step is something that a person would call a thing."""
    assert grown(marked) == expected


def test_half_typed_text_grows_by_lines_and_indentation() -> None:
    """A case that cannot be read still has its lines, its blocks, and its place in the list."""
    case = "- id: b\n    rubrics: [\n      - id: c\n        no$0te: x\n    other: y"
    assert grown(f"evalcases:\n  - id: a\n  {case}\n") == [
        stretch.replace("$0", "")
        for stretch in (
            "no$0te",
            "no$0te: x",
            "- id: c\n        no$0te: x",
            "rubrics: [\n      - id: c\n        no$0te: x",
            case,
            f"- id: a\n  {case}",
            f"evalcases:\n  - id: a\n  {case}",
            f"evalcases:\n  - id: a\n  {case}\n",
        )
    ]


def test_json_lines_grow_to_the_line_and_the_file() -> None:
    """There is no list of cases around a line."""
    assert grown('{"id": "$0a", "rubrics": []}\n{}\n', "a.jsonl") == [
        *("a", '"a"', '"id": "a"', '{"id": "a", "rubrics": []}', '{"id": "a", "rubrics": []}\n{}\n')
    ]


def test_other_yaml_has_no_selections() -> None:
    """Others grow it."""
    assert grown("services: {web: $0x}\n", "compose.yaml") == []


@given(mangled(), st.integers(-5, 400))
@example("evalcases:\n  - id: a\n", 400)
def test_any_text_and_offset_give_stretches_that_grow(text: str, offset: int) -> None:
    """Each one holds the one before it and more, and all of them hold the cursor."""
    chain = selections(analyse(text, path=PATH), offset)
    at = min(max(offset, 0), len(text))
    assert all(0 <= span.start <= at <= span.end <= len(text) for span in chain)
    for inner, outer in itertools.pairwise(chain):
        assert outer.start <= inner.start
        assert inner.end <= outer.end
        assert inner != outer
    selections(analyse(text, path="a.jsonl"), offset)
