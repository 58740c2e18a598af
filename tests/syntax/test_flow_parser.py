"""Flow collections and quoted scalars of one line are read fast; everything else is handed over."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_trees import data, shape

from rubric_core.syntax.complete_parser import parse_complete
from rubric_core.syntax.flow_parser import Unsure, read_flow, read_quoted
from rubric_core.syntax.nodes import ScalarStyle


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[]", []),
        ("{}", []),
        ("[0, 10]", ["0", "10"]),
        ("[ 0 ,10 ]", ["0", "10"]),
        ("[a, b c, 'd', \"e\", -1, -]", None),
        ("[a b , [c], {d: e}]", ["a b", ["c"], [("d", "e")]]),
        ("[a, ]", ["a"]),
        ("{a: 1, 'b': 2, \"c\":3, }", [("a", "1"), ("b", "2"), ("c", "3")]),
        ("{a: 1, a: 2}", [("a", "1"), ("a", "2")]),
        ("word, more", "word"),
        ("it's", "it's"),
        ("-1", "-1"),
    ],
)
def test_common_text_is_read(text: str, expected: Any) -> None:
    """A plain scalar ends at a comma or a bracket; a comma may be behind the last entry."""
    if expected is None:
        with pytest.raises(Unsure):
            read_flow(text, 0)
    else:
        assert data(read_flow(text, 0)) == expected


@pytest.mark.parametrize(
    ("text", "value", "style"),
    [
        ("'it''s' x", "it's", ScalarStyle.SINGLE),
        ("''", "", ScalarStyle.SINGLE),
        ('"a" x', "a", ScalarStyle.DOUBLE),
        (
            r'"\"\\\/\n\t\x41\u00e9\U0001F389\0\e\_\N\L\P\a\b\v\f\r\ "',
            '"\\/\n\tAé🎉\0\x1b\xa0\x85\u2028\u2029\a\b\v\f\r ',
            ScalarStyle.DOUBLE,
        ),
    ],
)
def test_quoted_scalars_are_unescaped(text: str, value: str, style: ScalarStyle) -> None:
    """With all escapes that YAML has."""
    node = read_quoted(text, 0)
    assert (node.value, node.style, node.start) == (value, style, 0)


@pytest.mark.parametrize(
    "text",
    [
        *("[a", "[a b: c]", "[a\n]", "[a:b]", "[a #b]", "[&x a]", "[*x]", "[!t a]", "[? a]", "[a, , b]", "[,]"),
        *("{a}", "{a:1}", "{a: }", "{<<: b}", "{[a]: b}", "{a: b c: d}", "{a : b}", "{a", "{a: b", "[a] b]"[:2]),
        *("'open", '"open', '"a\nb"', "'a\nb'", '"\\q"', '"\\ud83d\\ude00"', '"\\U00110000"', '"\\x4"', ""),
        "[" * 50 + "]" * 50,
    ],
)
def test_what_is_not_sure_is_handed_over(text: str) -> None:
    """Wrong or just uncommon: the complete parser decides."""
    with pytest.raises(Unsure):
        read_flow(text, 0)


_PIECES = st.lists(
    st.sampled_from(["[", "]", "{", "}", ", ", ",", ": ", ":", "a", "-1", "- ", "'", "''", '"', "\\n", " ", "#", "?"]),
    max_size=14,
).map("".join)


@given(st.sampled_from(["[", "{", "'", '"']), _PIECES)
def test_what_is_read_is_what_the_complete_parser_reads(first: str, rest: str) -> None:
    """The same nodes at the same places."""
    text = first + rest
    try:
        node = read_flow(text, 0)
    except Unsure:
        return
    if node.end == len(text.rstrip(" ")):
        assert shape(node) == shape(parse_complete(text).root)
