"""Small edits change one thing, follow the style around them, and keep every other byte."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from plain_trees import data

from rubric_core.syntax.edits import (
    Data,
    column_of,
    dash_of,
    insert_first_key,
    insert_key,
    insert_lines_after,
    is_json,
    item_indent,
    line_end,
    line_start,
    remove_entry,
    remove_item,
    remove_pair,
    rename_key,
    render,
    render_like,
    render_text,
    replace_node,
)
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, ScalarStyle, Sequence, walk
from rubric_core.syntax.parse import parse
from rubric_core.text.spans import Edit, apply_edits

if TYPE_CHECKING:
    from collections.abc import Callable


def _root(text: str) -> Node:
    tree = parse(text)
    assert tree.problems == (), text
    assert tree.root is not None
    return tree.root


def _mapping(text: str) -> Mapping:
    """Return the innermost mapping that has a key `a`, or the first one of all."""
    mappings = [node for node in walk(_root(text)) if isinstance(node, Mapping) and not node.origin]
    return next((node for node in reversed(mappings) if "a" in node.index), mappings[0])


def _sequence(text: str) -> Sequence:
    """Return the innermost list of a text."""
    return [node for node in walk(_root(text)) if isinstance(node, Sequence)][-1]


def _applied(text: str, edit: Edit | None) -> str | None:
    return None if edit is None else apply_edits(text, [edit])


class TestWriting:
    """Data is written so that YAML reads it back."""

    @pytest.mark.parametrize(
        ("value", "expected"),
        [
            ("text", "text"),
            ("it's 5 > 3", "it's 5 > 3"),
            ("", '""'),
            ("a: b", '"a: b"'),
            ("a #b", '"a #b"'),
            (" a", '" a"'),
            ("a ", '"a "'),
            ("- a", '"- a"'),
            ("5", '"5"'),
            ("true", '"true"'),
            ("yes", '"yes"'),
            ("null", '"null"'),
            ("12:30", '"12:30"'),
            ("é", "é"),
            ("a\nb", '"a\\nb"'),
            ("a\x7f\x85\u2028\ufeff\uffff", '"a\\u007f\\u0085\\u2028\\ufeff\\uffff"'),
            (5, "5"),
            (Decimal("0.25"), "0.25"),
            (True, "true"),
            (False, "false"),
            (None, "null"),
            ([1, "a, b", None], '[1, "a, b", null]'),
            ({0: "x", "k": [1]}, "{0: x, k: [1]}"),
            ([], "[]"),
            ({}, "{}"),
        ],
    )
    def test_plain_where_that_is_safe_and_quoted_elsewhere(self, value: Data, expected: str) -> None:
        """What another version of YAML takes for a boolean is quoted, too."""
        assert render(value) == expected

    def test_json_is_json(self) -> None:
        """Decimals are numbers there, and keys are strings."""
        assert render({"a": Decimal("0.5"), 1: ["é\x7f", None]}, as_json=True) == (
            '{"a": 0.5, "1": ["é\\u007f", null]}'
        )

    def test_commas_are_quoted_in_brackets(self) -> None:
        """Elsewhere they are harmless."""
        assert (render_text("a, b"), render_text("a, b", flow=True)) == ("a, b", '"a, b"')

    @pytest.mark.parametrize(
        ("style", "text", "expected"),
        [
            (ScalarStyle.PLAIN, "a", "a"),
            (ScalarStyle.SINGLE, "it's", "'it''s'"),
            (ScalarStyle.SINGLE, "a\tb", '"a\\tb"'),
            (ScalarStyle.SINGLE, "a\x07", '"a\\u0007"'),
            (ScalarStyle.DOUBLE, "a", '"a"'),
            (ScalarStyle.LITERAL, "a", '"a"'),
        ],
    )
    def test_quotes_are_those_of_the_neighbour(self, style: ScalarStyle, text: str, expected: str) -> None:
        """Single quotes cannot hold what needs an escape."""
        assert render_like(Scalar(0, 0, "", style), text) == expected

    def test_text_beside_a_collection_has_no_quotes_to_follow(self) -> None:
        """In brackets it gets some, so that JSON stays JSON."""
        node = Sequence(0, flow=True)
        assert (render_like(node, "a"), render_like(node, "a", flow=True)) == ("a", '"a"')

    @given(st.text(st.characters(codec="utf-8"), max_size=8), st.booleans())
    def test_any_text_is_read_back(self, text: str, flow: bool) -> None:  # noqa: FBT001 - drawn.
        """Whatever it holds, and also as a key."""
        written = render_text(text, flow=flow)
        source = f"{{{written}: {written}}}" if flow else f"k: {written}\n"
        root = _root(source)
        assert isinstance(root, Mapping)
        assert data(root) == [(text if flow else "k", text)]


class TestPlaces:
    """Lines and columns around an offset."""

    @pytest.mark.parametrize(
        ("text", "offset", "start", "end", "column"),
        [
            ("ab\ncd\n", 4, 3, 5, 1),
            ("ab\r\ncd\r\n", 5, 4, 6, 1),
            ("ab\rcd", 4, 3, 5, 1),
            ("ab", 2, 0, 2, 2),
            ("", 0, 0, 0, 0),
            ("\ufeffab", 2, 0, 3, 1),
            ("a\u2028b", 2, 0, 3, 2),
        ],
    )
    def test_the_line_of_an_offset(self, text: str, offset: int, start: int, end: int, column: int) -> None:
        """The end is before the line break, and a byte order mark takes no column."""
        assert (line_start(text, offset), line_end(text, offset), column_of(text, offset)) == (start, end, column)

    @pytest.mark.parametrize(
        ("text", "number", "dash"),
        [
            ("- a\n- b\n", 0, 0),
            ("- a\n- b\n", 1, 4),
            ("k:\n  -   a: 1\n", 0, 5),
            ("- &x-y a\n", 0, 0),
            ("- !t-u &x- -5\n", 0, 0),
            ("-\n- b\n", 0, 0),
            ("- &x\n- b\n", 0, 0),
            ("-\n\n  # - x\n  a: 1\n", 0, 0),
            ("- # note - here\n  a: 1\n", 0, 0),
            ("- - a\n", 0, 2),
            ("\ufeff- a\n", 0, 1),
            ("-\r\n  a: 1\r\n", 0, 0),
        ],
    )
    def test_the_dash_of_an_item(self, text: str, number: int, dash: int) -> None:
        """It may be on a line above, and anchors and tags may be between."""
        assert dash_of(text, _sequence(text).items[number]) == dash

    @pytest.mark.parametrize("text", ["[a]", "x [\n a]"])
    def test_items_in_brackets_have_no_dash(self, text: str) -> None:
        """There is nothing to find."""
        item = Scalar(text.index("a"), text.index("a") + 1, "a", ScalarStyle.PLAIN)
        assert dash_of(text, item) == -1

    @pytest.mark.parametrize(("text", "indent"), [("k:\n  - a\n", "  "), ("k:\n- a\n", "")])
    def test_the_white_space_before_dashes(self, text: str, indent: str) -> None:
        """Flush with the key there is none."""
        assert item_indent(text, _sequence(text)) == indent

    @pytest.mark.parametrize(
        ("text", "expected"),
        [('{"a": 1}', True), ("{a: 1}", False), ('{"a": 1, b: 2}', False), ("{}", False), ('"a": 1', False)],
    )
    def test_json_is_braces_with_quoted_keys(self, text: str, expected: bool) -> None:  # noqa: FBT001 - a column.
        """Nobody can tell for an empty object."""
        root = _root(text)
        assert isinstance(root, Mapping)
        assert is_json(root) is expected


class TestReplacing:
    """A node is exchanged for other text."""

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("a: 1\n", "new-key: 1\n"),
            ("- a: 1\n", "- new-key: 1\n"),
            ("'a': 1\n", "'new-key': 1\n"),
            ('{"a": 1}', '{"new-key": 1}'),
            ("{a: 1}", "{new-key: 1}"),
            ("? |\n  a\n: 1\n", "? new-key\n: 1\n"),
        ],
    )
    def test_a_key_keeps_its_quotes(self, text: str, expected: str) -> None:
        """Only the name changes."""
        pair = next(node for node in walk(_root(text)) if isinstance(node, Mapping)).pairs[0]
        assert _applied(text, rename_key(pair, "new-key")) == expected

    @pytest.mark.parametrize(
        ("text", "expected"), [("a: 1", "a: 2"), ("a:", "a: 2"), ("a: # note\n", "a: 2 # note\n"), ("- 1\n", "- 2\n")]
    )
    def test_a_value_that_was_left_out_gets_its_space(self, text: str, expected: str) -> None:
        """Everything else is put exactly in the old place."""
        last = list(walk(_root(text)))[-1]
        assert _applied(text, replace_node(last, "2")) == expected


INSERTIONS = [
    pytest.param("a: 1\n", "a: 1\nnew: 5\n", id="block"),
    pytest.param("a: 1", "a: 1\nnew: 5", id="no-line-break-at-the-end"),
    pytest.param("a: 1\r\nb: 2\r\n", "a: 1\r\nb: 2\r\nnew: 5\r\n", id="crlf"),
    pytest.param("a: 1\rb: 2\r", "a: 1\rb: 2\rnew: 5\r", id="lone-cr"),
    pytest.param("\ufeffa: 1\n", "\ufeffa: 1\nnew: 5\n", id="byte-order-mark"),
    pytest.param("- a: 1 # note\n- x\n", "- a: 1 # note\n  new: 5\n- x\n", id="behind-a-dash"),
    pytest.param("-   a: 1\n    b:\n      c: 2\n", "-   a: 1\n    b:\n      c: 2\n    new: 5\n", id="nested-value"),
    pytest.param("- - a: 1\n", "- - a: 1\n    new: 5\n", id="two-dashes"),
    pytest.param("k:\n    a:\n", "k:\n    a:\n    new: 5\n", id="empty-value"),
    pytest.param("a: |\n  x\n\nz: 1\n", "a: |\n  x\n\nz: 1\nnew: 5\n", id="block-scalar-before"),
    pytest.param("k:\n  a: |-\n    x\n\n\n", "k:\n  a: |-\n    x\n  new: 5\n\n\n", id="block-scalar"),
    pytest.param("k:\n  a: |+\n    x\n\n", None, id="block-scalar-that-keeps-blank-lines"),
    pytest.param("a:\n  - b:\n    - |+\n      x\n\n", None, id="block-scalar-that-keeps-blank-lines-at-the-end"),
    pytest.param("&x a: 1\nb: 2\n", "&x a: 1\nb: 2\nnew: 5\n", id="anchor-on-the-first-key"),
    pytest.param("? a\n: 1\n", None, id="explicit-key"),
    pytest.param("k: &x {b: 1}\nl:\n  <<: *x\n  a: 1\n", "k: &x {b: 1}\nl:\n  <<: *x\n  a: 1\n  new: 5\n", id="merge"),
    pytest.param("k: {a: 1}\n", "k: {a: 1, new: 5}\n", id="flow"),
    pytest.param("k: {a: 1,}\n", "k: {a: 1, new: 5,}\n", id="flow-with-a-last-comma"),
    pytest.param("k: {\n  a: 1 # note\n}\n", "k: {\n  a: 1, new: 5 # note\n}\n", id="flow-with-a-comment"),
    pytest.param("k: {a: }\n", "k: {a: , new: 5 }\n", id="flow-empty-value"),
    pytest.param("k: {a}\n", "k: {a, new: 5}\n", id="flow-without-a-colon"),
    pytest.param('{"a": 1}\n', '{"a": 1, "new": 5}\n', id="json"),
    pytest.param("k: {<<: {a: 1}}\n", "k: {new: 5, <<: {a: 1}}\n", id="flow-merge"),
]


class TestInserting:
    """A key is put behind the others, in the style of its mapping."""

    @pytest.mark.parametrize(("text", "expected"), INSERTIONS)
    def test_a_key_comes_last(self, text: str, expected: str | None) -> None:
        """With the indentation, the line breaks and the quotes around it; or not at all where there is no room."""
        assert _applied(text, insert_key(text, _mapping(text), "new", 5)) == expected

    def test_the_first_key_of_empty_braces_needs_no_comma(self) -> None:
        """There is nothing else."""
        assert _applied("{}", insert_key("{}", _mapping("{}"), "new", 5)) == "{new: 5}"

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("a: 1 # x\nb: 2\n", "a: 1 # x\nnew: 5\nb: 2\n"),
            ("- a:\n    - 1\n  b: 2\n", "- a:\n    - 1\n  new: 5\n  b: 2\n"),
            ("{a: 1, b: 2}", "{a: 1, new: 5, b: 2}"),
        ],
    )
    def test_a_key_comes_behind_another(self, text: str, expected: str) -> None:
        """The rest moves down."""
        mapping = _mapping(text)
        assert _applied(text, insert_key(text, mapping, "new", 5, after=mapping.index["a"])) == expected

    def test_a_value_may_be_lines(self) -> None:
        """They are indented relative to the key."""
        text = "- a: 1\r\n"
        edit = insert_key(text, _mapping(text), 0, None, lines=["  - x", "  - y"])
        assert _applied(text, edit) == "- a: 1\r\n  0:\r\n    - x\r\n    - y\r\n"

    @pytest.mark.parametrize("text", ["k: &x {a: 1}\nl:\n  <<: *x\n", "l:\n  <<: {a: 1}\n"])
    def test_a_mapping_without_keys_of_its_own_leaves_no_room(self, text: str) -> None:
        """A merged key is elsewhere, so nothing can be put behind it."""
        root = _root(text)
        assert isinstance(root, Mapping)
        merged = root.pairs[-1].value
        assert isinstance(merged, Mapping)
        assert insert_key(text, merged, "new", 5) is None
        assert insert_key(text, merged, "new", 5, after=merged.pairs[0]) is None

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("a: 1\n", "new: 5\na: 1\n"),
            ("- # note\n  a: 1\r\n", "- # note\n  new: 5\n  a: 1\r\n"),
            ("-   a: 1\r\n", "-   new: 5\r\n    a: 1\r\n"),
            ("\ufeffa: 1\n", "\ufeffnew: 5\na: 1\n"),
            ("{a: 1}", "{new: 5, a: 1}"),
            ('{"a": 1}', '{"new": 5, "a": 1}'),
            ("{}", "{new: 5}"),
            ("<<: {b: 1}\na: 1\n", "<<: {b: 1}\nnew: 5\na: 1\n"),
        ],
    )
    def test_a_key_comes_first(self, text: str, expected: str) -> None:
        """The old first key moves to a line of its own."""
        assert _applied(text, insert_first_key(text, _mapping(text), "new", 5)) == expected

    def test_a_key_comes_before_a_merge_key_that_is_alone(self) -> None:
        """There is no other key to go by."""
        text = "k: &x {b: 1}\nl:\n  <<: *x\n"
        root = _root(text)
        assert isinstance(root, Mapping)
        merged = root.pairs[1].value
        assert isinstance(merged, Mapping)
        assert _applied(text, insert_first_key(text, merged, "new", 5)) == "k: &x {b: 1}\nl:\n  new: 5\n  <<: *x\n"

    def test_lines_are_inserted_behind_a_line(self) -> None:
        """Each with its indentation and the line break of the text."""
        text = "a: 1\r\nb: 2\r\n"
        assert _applied(text, insert_lines_after(text, 1, ["x", "y"], "  ")) == "a: 1\r\n  x\r\n  y\r\nb: 2\r\n"


REMOVALS = [
    pytest.param("a: 1\nb: 2\n", "b: 2\n", id="first"),
    pytest.param("b: 2\na: 1\n", "b: 2\n", id="last"),
    pytest.param("b: 2\na: 1", "b: 2", id="last-without-line-break"),
    pytest.param("b: 2\r\na: 1", "b: 2", id="last-without-line-break-crlf"),
    pytest.param("b: 2\r\na:\r\n  - 1\r\nc: 3\r\n", "b: 2\r\nc: 3\r\n", id="crlf"),
    pytest.param("b: 2\ra: 1\rc: 3\r", "b: 2\rc: 3\r", id="lone-cr"),
    pytest.param("\ufeffa: 1\nb: 2\n", "\ufeffb: 2\n", id="byte-order-mark"),
    pytest.param("b: 2\na: 1 # note\nc: 3\n", "b: 2\n# note\nc: 3\n", id="comment-behind"),
    pytest.param("b: 2\n# above\na: 1\n", "b: 2\n# above\n", id="comment-above"),
    pytest.param("a:\n  # inside\n  c: 1\nb: 2\n", None, id="comment-inside"),
    pytest.param("a: | # note\n  c\nb: 2\n", None, id="comment-behind-an-indicator"),
    pytest.param("a: |\n  # text\nb: 2\n", "b: 2\n", id="text-that-looks-like-a-comment"),
    pytest.param("a: 'x # y'\nb: 2\n", "b: 2\n", id="quotes-around-what-looks-like-a-comment"),
    pytest.param("a: {x: [y#z, 'p # q']}\nb: 2\n", "b: 2\n", id="number-sign-in-a-word"),
    pytest.param("a: 1\n", None, id="only"),
    pytest.param("- a: 1\n  b: 2\n", "- b: 2\n", id="behind-a-dash"),
    pytest.param("- a: 1\n  # of b\n  b: 2\n", None, id="behind-a-dash-with-a-comment-below"),
    pytest.param("- b: 2\n  a: 1\n- x\n", "- b: 2\n- x\n", id="second-of-an-item"),
    pytest.param("? a\n: 1\nb: 2\n", None, id="explicit-key"),
    pytest.param("- &x a: 1\n  b: 2\n", None, id="anchor-on-a-key"),
    pytest.param("k: &x {b: 2}\nl:\n  - a: 1\n    <<: *x\n", None, id="only-a-merge-key-follows"),
    pytest.param("k: {a: 1, b: 2}", "k: {b: 2}", id="flow-first"),
    pytest.param("k: {b: 2 , a: 1}", "k: {b: 2 }", id="flow-last"),
    pytest.param("k: {b: 2, a: 1, c: 3}", "k: {b: 2, c: 3}", id="flow-between"),
    pytest.param("k: {b: , a: 1}", "k: {b: }", id="flow-behind-an-empty-value"),
    pytest.param("k: {a: , b: 1}", "k: {b: 1}", id="flow-empty-value"),
    pytest.param("{\n  b: 2, # of b\n  a: 1,\n  c: 3\n}", "{\n  b: 2, # of b\n  c: 3\n}", id="flow-comment-of-another"),
    pytest.param("{\n  b: 2, # of b\n  a: 1\n}", "{\n  b: 2, # of b\n}", id="flow-comment-between"),
    pytest.param("{b: 2, # of b\n  a: 1}", "{b: 2, # of b\n  }", id="flow-comment-between-before-the-brace"),
    pytest.param("{\n  a: 1, # of a\n  b: 2\n}", "{\n  # of a\n  b: 2\n}", id="flow-comment-behind-the-first"),
    pytest.param("{a: 1, # of a\n  b: 2\n}", None, id="flow-comment-that-would-become-text"),
    pytest.param("{b: 2, a: 1, # of a\n  c: 3}", "{b: 2, # of a\n  c: 3}", id="flow-comment-behind"),
    pytest.param("{b: 2, a: [1, # inside\n  2]}", None, id="flow-comment-inside"),
    pytest.param("{&x a: 1, b: 2}", None, id="flow-anchor-on-the-first-key"),
    pytest.param("{b: 2, &x a: 1, c: 3}", "{b: 2, c: 3}", id="flow-anchor-on-a-key"),
    pytest.param("{a: 1, &x b: 2}", "{&x b: 2}", id="flow-anchor-on-the-next-key"),
    pytest.param("{b: 1, <<: {c: 1}, a: 2}", "{b: 1, <<: {c: 1}}", id="flow-behind-a-merge-key"),
    pytest.param('{"a": 1, "b": 2}', '{"b": 2}', id="json"),
]

ITEMS = [
    pytest.param("- x\n- y\n", 0, "- y\n", id="first"),
    pytest.param("- x\n- y", 1, "- x", id="last"),
    pytest.param("k:\r\n  - a: 1\r\n    b: 2\r\n  - y\r\n", 0, "k:\r\n  - y\r\n", id="mapping-crlf"),
    pytest.param("k:\n- x\n- y # note\nl: 1\n", 1, "k:\n- x\n# note\nl: 1\n", id="comment-behind"),
    pytest.param("- a: 1\n  # inside\n  b: 2\n- y\n", 0, None, id="comment-inside"),
    pytest.param("- # note\n  a: 1\n- y\n", 0, None, id="comment-behind-the-dash"),
    pytest.param("-\n  a: 1\n- y\n", 0, "- y\n", id="dash-on-a-line-of-its-own"),
    pytest.param("-\n- y\n", 0, "- y\n", id="nothing-behind-the-dash"),
    pytest.param("- &x-y x\n- y\n", 0, "- y\n", id="anchor"),
    pytest.param("- - x\n  - y\n", 0, None, id="behind-another-dash"),
    pytest.param("- x\n", 0, None, id="only"),
    pytest.param("[x, y, z]", 1, "[x, z]", id="flow"),
    pytest.param("[x, y]", 0, "[y]", id="flow-first"),
    pytest.param("[\n  x,\n  y\n]", 1, "[\n  x\n]", id="flow-lines"),
    pytest.param("[x, &b y]", 0, "[&b y]", id="flow-anchor-of-the-next"),
    pytest.param("[x, &b y]", 1, "[x]", id="flow-anchor"),
    pytest.param("[&b x, y]", 0, None, id="flow-anchor-of-the-first"),
    pytest.param("[x, {a: 1, # note\n b: 2}]", 0, "[{a: 1, # note\n b: 2}]", id="flow-comment-in-the-other"),
    pytest.param("[x, {a: 1, # note\n b: 2}]", 1, None, id="flow-comment-inside"),
]


class TestRemoving:
    """A pair or an item goes with its line; comments stay, or nothing goes."""

    @pytest.mark.parametrize(("text", "expected"), REMOVALS)
    def test_a_pair_is_removed(self, text: str, expected: str | None) -> None:
        """The key `a` of each text."""
        mapping = _mapping(text)
        assert _applied(text, remove_pair(text, mapping, mapping.index["a"])) == expected

    @pytest.mark.parametrize("text", ["k: &x {a: 1}\nl: {<<: *x, b: 2}\n", "l: {<<: {a: 1}, b: 2}\n"])
    def test_what_is_merged_is_elsewhere(self, text: str) -> None:
        """It cannot be removed here."""
        root = _root(text)
        assert isinstance(root, Mapping)
        merged = root.pairs[-1].value
        assert isinstance(merged, Mapping)
        assert remove_pair(text, merged, merged.index["a"]) is None

    @pytest.mark.parametrize(("text", "number", "expected"), ITEMS)
    def test_an_item_is_removed(self, text: str, number: int, expected: str | None) -> None:
        """With its dash or with its comma."""
        sequence = _sequence(text)
        assert _applied(text, remove_item(text, sequence, sequence.items[number])) == expected

    def test_an_alias_is_not_removed(self) -> None:
        """The rule that reports it points at its anchor instead."""
        text = "- &x a\n- *x\n"
        sequence = _sequence(text)
        assert remove_item(text, sequence, sequence.items[1]) is None

    def test_an_item_without_a_dash_stays(self) -> None:
        """Nodes that do not belong to the text do no harm."""
        sequence = Sequence(0, flow=False)
        sequence.items = [Scalar(0, 1, "a", ScalarStyle.PLAIN), Scalar(2, 3, "b", ScalarStyle.PLAIN)]
        assert remove_item("a b", sequence, sequence.items[1]) is None

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("a:\n  - 1\n", ""),
            ("# top\r\na: 1\r\n", "# top\r\n"),
            ("a: 1", ""),
            ("# top\na: 1", "# top"),
            ("a:\n  # inside\n  - 1\n", None),
        ],
    )
    def test_the_only_entry_of_a_chunk_is_removed(self, text: str, expected: str | None) -> None:
        """Other chunks hold the other entries."""
        root = _root(text)
        assert isinstance(root, Mapping)
        assert _applied(text, remove_entry(text, root.pairs[0])) == expected


# Any mapping and any list in many styles; what is read back must be the rest.

_WORDS = st.sampled_from(["x", "two words", "5", "'it''s'", '"q, #r"', "", "[1, {k: v}]", "~"])
_COMMENTS = st.sampled_from(["", "", " # note"])


@st.composite
def _block(draw: st.DrawFn, keys: list[str]) -> str:
    """Draw a block mapping with these keys under a key, behind a dash, or at the top."""
    lead, indent = draw(st.sampled_from([("", ""), ("top:\n  ", "  "), ("- ", "  "), ("top:\n-   ", "    ")]))
    lines: list[str] = []
    for key in keys:
        kind = draw(st.sampled_from(["word", "word", "literal", "list", "nested"]))
        if kind == "word":
            lines.append(f"{key}: {draw(_WORDS)}".rstrip() + draw(_COMMENTS))
        elif kind == "literal":
            lines += [f"{key}: {draw(st.sampled_from(['|', '>-', '|2-']))}", "  # text", "", "    more"]
        elif kind == "list":
            lines += [f"{key}:", "- 1", f"-{draw(_COMMENTS)}", "- x: 2"]
        else:
            lines += [f"{key}:{draw(_COMMENTS)}", "  x: 1", "  y:"]
        lines += draw(st.sampled_from([[], [], [""], ["# between"]]))
    return lead + "\n".join([lines[0], *(indent + line if line else line for line in lines[1:])]) + "\n"


@st.composite
def _flow(draw: st.DrawFn, keys: list[str]) -> str:
    """Draw a flow mapping with these keys, on one line or on several, as JSON or not."""
    if draw(st.booleans()):
        return "{" + ", ".join(f'"{key}": {draw(st.sampled_from(["1", "[2, 3]", "null"]))}' for key in keys) + "}\n"
    gap = draw(st.sampled_from([" ", "\n  ", " # note\n  "]))
    words = ("x", "two words", "5", "'it''s'", '"q, #r"', "[1, {k: v}]")
    return "top: {" + f",{gap}".join(f"{key}: {draw(st.sampled_from(words))}" for key in keys) + "}\n"


@st.composite
def _texts(draw: st.DrawFn) -> str:
    keys = draw(st.lists(st.sampled_from(["a", "b", "'c'", "d e", "7"]), min_size=2, max_size=4, unique=True))
    text = draw(st.one_of(_block(keys), _flow(keys)))
    if draw(st.booleans()):
        text = text.replace("\n", "\r\n")
    return draw(st.sampled_from(["", "", "\ufeff"])) + text


def _first_wide(text: str) -> Mapping:
    """Return the outermost mapping that has several pairs."""
    return next(node for node in walk(_root(text)) if isinstance(node, Mapping) and len(node.pairs) > 1)


def _comments(text: str) -> int:
    return text.count("# note") + text.count("# between")


def _check(text: str, edit: Edit | None, expected: Callable[[list[Any]], list[Any]]) -> None:
    """Hold an edit to its promise: the text parses, the rest of the data is the same, no comment is lost."""
    assume(edit is not None)
    assert edit is not None
    changed = apply_edits(text, [edit])
    assert changed.startswith(text[: edit.start])
    assert changed.endswith(text[edit.end :])
    assert _comments(changed) == _comments(text)
    assert changed.count("\r") == changed.count("\n") or "\r" not in text
    tree = parse(changed)
    assert tree.problems == (), changed
    assert tree.root is not None
    before = data(_first_wide(text))
    found = [data(node) for node in walk(tree.root) if isinstance(node, Mapping)]
    assert expected(before) in found, changed


@given(_texts(), st.data())
def test_inserting_leaves_the_rest(text: str, draw: st.DataObject) -> None:
    """The new pair is where it was wanted."""
    mapping = _first_wide(text)
    place = draw.draw(st.integers(0, len(mapping.pairs)))
    if place:
        edit = insert_key(text, mapping, "new", "value, 5", after=mapping.pairs[place - 1])
    else:
        edit = insert_first_key(text, mapping, "new", "value, 5")
    assert edit is not None
    _check(text, edit, lambda pairs: [*pairs[:place], ("new", "value, 5"), *pairs[place:]])


@given(_texts(), st.data())
def test_renaming_leaves_the_rest(text: str, draw: st.DataObject) -> None:
    """Only one key is another one."""
    mapping = _first_wide(text)
    place = draw.draw(st.integers(0, len(mapping.pairs) - 1))
    edit = rename_key(mapping.pairs[place], "new, name")
    _check(text, edit, lambda pairs: [*pairs[:place], ("new, name", pairs[place][1]), *pairs[place + 1 :]])


@given(_texts(), st.data())
def test_removing_a_pair_leaves_the_rest(text: str, draw: st.DataObject) -> None:
    """Unless a comment forbids it."""
    mapping = _first_wide(text)
    place = draw.draw(st.integers(0, len(mapping.pairs) - 1))
    pair: Pair = mapping.pairs[place]
    _check(text, remove_pair(text, mapping, pair), lambda pairs: [*pairs[:place], *pairs[place + 1 :]])


@given(
    st.lists(st.sampled_from(["x", "- y", "a: 1\n{}  b: 2", "&k-1 z", "|\n{}  text", "", "'q' # note"]), min_size=2),
    st.sampled_from(["", "  "]),
    st.data(),
)
def test_removing_an_item_leaves_the_rest(items: list[str], indent: str, draw: st.DataObject) -> None:
    """Whatever the item is, its neighbours are as before."""
    text = "k:\n" + "".join(f"{indent}- {item.format(indent)}".rstrip() + "\n" for item in items)
    root = _root(text)
    assert isinstance(root, Mapping)
    sequence = root.pairs[0].value
    assert isinstance(sequence, Sequence)
    place = draw.draw(st.integers(0, len(items) - 1))
    edit = remove_item(text, sequence, sequence.items[place])
    assert edit is not None
    changed = apply_edits(text, [edit])
    before = data(sequence)
    assert data(_root(changed)) == [("k", [*before[:place], *before[place + 1 :]])]
    assert changed.count("# note") == text.count("# note")
