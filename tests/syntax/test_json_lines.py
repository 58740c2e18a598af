"""A line of a JSON Lines file is read by the rules of JSON, with the place of every value."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from plain_trees import data

from rubric_core.syntax.json_lines import parse_json_line
from rubric_core.syntax.limits import DEFAULT_LIMITS, Limits
from rubric_core.syntax.nodes import Mapping, Node, Scalar, ScalarStyle, Sequence, walk
from rubric_core.syntax.scalars import resolve


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": 1, "b": [true, null, -0.5e+3, "x"]}\n', [("a", "1"), ("b", ["true", "null", "-0.5e+3", "x"])]),
        ("{}", []),
        ("[ ]\r\n", []),
        ('\ufeff {"a" : {"b":""}} ', [("a", [("b", "")])]),
        (r'"\u00e9\ud83d\ude00\n\/"', "é\U0001f600\n/"),
        ('"a\u2028b"', "a\u2028b"),
    ],
)
def test_json_is_read(text: str, expected: Any) -> None:
    """Space around values and a byte order mark do not count; escapes are those of JSON."""
    tree = parse_json_line(text, limits=DEFAULT_LIMITS)
    assert tree.problems == ()
    assert data(tree.root) == expected


@pytest.mark.parametrize("text", ["", "\n", " \t\r\n", "\ufeff"])
def test_a_blank_line_holds_nothing(text: str) -> None:
    """It is no problem either."""
    tree = parse_json_line(text, limits=DEFAULT_LIMITS)
    assert (tree.root, tree.problems) == (None, ())


def test_every_value_has_its_place() -> None:
    """Quotes and brackets belong to it."""
    text = ' {"a": [1, "b"], "a": {}}'
    root = parse_json_line(text, limits=DEFAULT_LIMITS).root
    assert isinstance(root, Mapping)
    assert [text[node.start : node.end] for node in walk(root)] == [
        *('{"a": [1, "b"], "a": {}}', '"a"', '[1, "b"]', "1", '"b"', '"a"', "{}"),
    ]
    assert (root.flow, len(root.duplicates)) == (True, 1)
    assert [node.style for node in walk(root) if isinstance(node, Scalar)] == [
        *(ScalarStyle.DOUBLE, ScalarStyle.PLAIN, ScalarStyle.DOUBLE, ScalarStyle.DOUBLE),
    ]


@pytest.mark.parametrize(
    ("text", "at", "reason"),
    [
        ('{"a": "b\n', 6, "the quote opened here is never closed"),
        ('{"a": "b\x01"}', 8, "a control character has to be written as an escape"),
        (r'{"a": "\q"}', 7, "invalid \\escape"),
        ("[1 2]", 3, "expecting ',' or ']'"),
        ('{"a": 1 "b": 2}', 8, "expecting ',' or '}'"),
        ('{"a" 1}', 5, "expecting ':' behind the key"),
        ("{a: 1}", 1, "expecting a key in double quotes"),
        ("[1,]", 2, "trailing comma"),
        ('{"a": 1, }', 7, "trailing comma"),
        ("nul", 0, "expecting value"),
        ("NaN", 0, "expecting value"),
        ("01", 1, "extra data"),
        ("{} {}", 3, "extra data"),
        ('{"a":  \n', 4, "expecting value"),
        ("[", 0, "expecting value"),
        ("\u2028", 0, "expecting value"),
        ("\x0c\n", 0, "expecting value"),
    ],
)
def test_what_is_not_json_is_reported_at_its_place(text: str, at: int, reason: str) -> None:
    """The sentence says what was expected, and a line that just ends is marked at its last character."""
    tree = parse_json_line(text, limits=DEFAULT_LIMITS)
    (problem,) = tree.problems
    assert tree.root is None
    assert (problem.span, problem.code) == ((at, at + 1), "RB001")
    assert problem.message.startswith(f"This line is not JSON: {reason}")
    assert problem.message.endswith("; write one object a line.")


@pytest.mark.parametrize("text", ["[[1]]", '{"a": [1]}', "[[]]", "[{}]"])
def test_collections_may_nest_up_to_the_limit(text: str) -> None:
    """Scalars are no level of their own."""
    assert parse_json_line(text, limits=Limits(depth=2)).problems == ()


@pytest.mark.parametrize(("text", "at"), [("[[[]]]", 2), ('{"a": [{}]}', 7), ("[" * 5000, 2)])
def test_deeper_nesting_is_reported(text: str, at: int) -> None:
    """The first collection that is too deep is marked, closed or not."""
    (problem,) = parse_json_line(text, limits=Limits(depth=2)).problems
    assert (problem.span, problem.code) == ((at, at + 1), "RB008")
    assert "2 levels" in problem.message


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@given(VALUES, st.booleans(), st.sampled_from([(",", ":"), (" , ", " : ")]))
def test_what_json_writes_is_read_back(value: Any, ascii_only: bool, separators: tuple[str, str]) -> None:  # noqa: FBT001 - drawn.
    """The values are those of the standard library, scalars by way of YAML 1.2."""
    text = json.dumps(value, ensure_ascii=ascii_only, separators=separators)
    tree = parse_json_line(text, limits=DEFAULT_LIMITS)
    assert tree.problems == ()
    assert tree.root is not None
    assert _plain(tree.root) == value


def _plain(node: Node) -> Any:
    if isinstance(node, Mapping):
        return {pair.name: _plain(pair.value) for pair in node.pairs}
    if isinstance(node, Sequence):
        return [_plain(item) for item in node.items]
    assert isinstance(node, Scalar)
    value = resolve(node).value
    return float(value) if isinstance(value, Decimal) else value


@given(st.text() | st.lists(st.sampled_from('{}[],:"\\ue01- ntrfalse\u2028\n'), max_size=20).map("".join))
@example("\x0b")
def test_any_line_gives_nodes_or_a_problem_in_the_line(text: str) -> None:
    """It never raises, and what it accepts is what the standard library accepts."""
    tree = parse_json_line(text, limits=DEFAULT_LIMITS)
    for problem in tree.problems:
        assert 0 <= problem.span.start < problem.span.end <= len(text)
    try:
        json.loads(text.strip(" \t\r\n\ufeff"), parse_constant=_refuse)
    except ValueError:
        assert tree.root is None
    else:
        assert tree.problems == ()


def _refuse(name: str) -> Any:
    raise ValueError(name)
