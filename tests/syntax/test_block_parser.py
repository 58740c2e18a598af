"""The fast path reads block style of the common kind, and hands over whatever it is not sure of."""

from __future__ import annotations

from typing import Any

import pytest
from plain_trees import data, shape

from rubric_core.syntax.block_parser import parse_common
from rubric_core.syntax.complete_parser import parse_complete

COMMON = [
    pytest.param("", None, id="empty"),
    pytest.param("# note\n\n", None, id="comment"),
    pytest.param("a: 1\nb:\n", [("a", "1"), ("b", "")], id="mapping"),
    pytest.param("a:", [("a", "")], id="key-at-the-end"),
    pytest.param("-", [""], id="dash-at-the-end"),
    pytest.param("- a\n-\n- b\n", ["a", "", "b"], id="list"),
    pytest.param("a:\n- b\n- c\nd: e\n", [("a", ["b", "c"]), ("d", "e")], id="flush-dashes"),
    pytest.param("a:\n    -   b: 1\n        c:\n    - d\n", [("a", [[("b", "1"), ("c", "")], "d"])], id="wide"),
    pytest.param("- a:\n    b: 1\n  c: 2\n- d: 3\n", [[("a", [("b", "1")]), ("c", "2")], [("d", "3")]], id="items"),
    pytest.param("-\n  a: 1\n-\n  - b\n", [[("a", "1")], ["b"]], id="value-below-its-dash"),
    pytest.param("- a:\n  - b\n  c: 1\n", [[("a", ["b"]), ("c", "1")]], id="flush-dashes-in-an-item"),
    pytest.param("a:\n  - b:\nc:\n", [("a", [[("b", "")]]), ("c", "")], id="empty-values-close"),
    pytest.param("a: # note\n  b: 1 # note\n", [("a", [("b", "1")])], id="comments"),
    pytest.param("a: b\n  c\n\n  d # e\nf: g\n", [("a", "b c\nd"), ("f", "g")], id="plain-over-lines"),
    pytest.param("a:\n  b c\n", [("a", "b c")], id="plain-below-its-key"),
    pytest.param("a: b  \nc: http://x:1/#y \n", [("a", "b"), ("c", "http://x:1/#y")], id="space-and-marks"),
    pytest.param("a: -1\nb: ..\n", [("a", "-1"), ("b", "..")], id="dashes-and-dots"),
    pytest.param("a: 'b' # c\nd: [1, 2]\n", [("a", "b"), ("d", ["1", "2"])], id="closed-values"),
    pytest.param("a: |\n  b\n\n   c\nd: >-\n  e\n  f\n", [("a", "b\n\n c\n"), ("d", "e f")], id="block-scalars"),
    pytest.param("a: | # note\n\n  b\n", [("a", "\nb\n")], id="block-scalar-with-a-note"),
    pytest.param("- |\n a\n- b\n", ["a\n", "b"], id="block-scalar-in-a-list"),
    pytest.param("a: 1\r\nb: |\r\n  c\r\n", [("a", "1"), ("b", "c\n")], id="crlf"),
    pytest.param("0: a\n$x.y/z-1: b\n", [("0", "a"), ("$x.y/z-1", "b")], id="keys"),
    pytest.param("a: 1\nb: 2\na: 3\n", [("a", "1"), ("b", "2"), ("a", "3")], id="repeated-key"),
    pytest.param("a:\na:\n  b: 1\n", [("a", ""), ("a", [("b", "1")])], id="repeated-empty-key"),
]

UNSURE = [
    *("a: &x 1", "a: *x", "a: !t 1", "<<: 1", "? a", "'a': 1", "two words: 1", "a: b: c", "a: b:", "a: b:\tc"),
    *("a: @b", "a: %b", "a: `b", "a: - b", "a: -", "a: 'b", "a: 'b\n  c'", "a: [b", "a: [b] c", "a: 'b' c"),
    *("a: 1\n  b: 2", "  a: 1\nb: 2", "a:\n    b: 1\n  c: 2", "- a\nb: 1", "a: 1\n- b", "  - a\n- b"),
    *("a:\n  - b\n c: 1", "a:\n  b: 1\n - c", "-a", "word", "a: b\nc", "- a: 1\n b: 2", "a: b\n  # c\n  d"),
    *("a: b # c\n  d", "a: b\n  - c", "a: b\n  'c'", "a: 'b'\n  c", "a: |2\n  b", "a: | b", "a: |\nb: 1", "a: |"),
    *("a: |\n\tb", "a: |\n    \n  b", "a: >\n\n", "\ta: 1", "a:\n\tb: 1", "a: b\t# c", "a: b\u2028c", "a: \x07"),
    *("a: 1\rb: 2", "\ufeffa: 1", "---\na: 1", "a: 1\n...\n", "a: ---", "--- a", ": a", "a: 1\n: b", "%YAML 1.2"),
    f"{'k' * 1001}: 1",
    "".join(f"{' ' * level}a:\n" for level in range(70)),
    "".join(f"{' ' * (2 * level)}- a:\n" for level in range(70)),
    "a: " + "[" * 50 + "]" * 50,
]


@pytest.mark.parametrize(("text", "expected"), COMMON)
def test_the_common_kind_is_read(text: str, expected: Any) -> None:
    """Into the very nodes that the complete parser makes."""
    common = parse_common(text)
    assert common is not None
    assert data(common.root) == expected
    assert shape(common.root) == shape(parse_complete(text).root)


@pytest.mark.parametrize("text", UNSURE, ids=lambda text: repr(text[:20]))
def test_everything_else_is_handed_over(text: str) -> None:
    """Right or wrong, it is not for the fast path to say."""
    assert parse_common(text) is None


def test_mappings_that_repeat_a_key_are_named_once() -> None:
    """In the order in which they are found."""
    common = parse_common("- a: 1\n  a: 2\n  a: 3\n- b:\n  b:\n- c: 1\n")
    assert common is not None
    assert [mapping.pairs[0].name for mapping in common.duplicates] == ["a", "b"]


def test_block_style_may_nest_as_deep_as_anyone_writes() -> None:
    """Fifty levels are common enough."""
    text = "".join(f"{' ' * level}a:\n" for level in range(50))
    assert parse_common(text) is not None
