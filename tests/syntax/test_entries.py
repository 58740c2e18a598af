"""Entries of lists and mappings are inserted and sorted with the comments that belong to them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_trees import mapping_of

from rubric_core.syntax.entries import change_integer, insert_entry, sort_entries, write_item, write_pair
from rubric_core.syntax.nodes import Mapping, Node, Pair, Scalar, ScalarStyle, Sequence
from rubric_core.text.spans import apply_edits


def _collection(text: str) -> Mapping | Sequence:
    """Return the value of the text's only top-level key."""
    root = mapping_of(text)
    value = root.pairs[0].value
    assert isinstance(value, Mapping | Sequence)
    return value


def _entries(collection: Mapping | Sequence) -> list[Node | Pair]:
    return list(collection.items if isinstance(collection, Sequence) else collection.pairs)


def _key(entry: Node | Pair) -> str:
    node = entry.key if isinstance(entry, Pair) else entry
    return node.value if isinstance(node, Scalar) else ""


def _inserted(text: str, number: int, *, before: bool = False) -> str:
    collection = _collection(text)
    written = ["- new"] if isinstance(collection, Sequence) and not collection.flow else ["new"]
    edits = insert_entry(text, collection, _entries(collection)[number], written, before=before)
    return apply_edits(text, edits)


def _sorted(text: str) -> str | None:
    collection = _collection(text)
    edits = sort_entries(text, collection, sorted(_entries(collection), key=_key))
    return None if edits is None else apply_edits(text, edits)


INSERTIONS = [
    pytest.param(
        "k:\n  - a # 1\n    # 2\n  # 3\n  - b\n",
        0,
        False,
        "k:\n  - a # 1\n    # 2\n  - new\n  # 3\n  - b\n",
        id="comments",
    ),
    pytest.param("k:\n  # 1\n\n  # 2\n  - a\n", 0, True, "k:\n  # 1\n\n  - new\n  # 2\n  - a\n", id="before-comment"),
    pytest.param("k:\n- a\nl: 1\n", 0, False, "k:\n- a\n- new\nl: 1\n", id="flush"),
    pytest.param("k:\n- a", 0, False, "k:\n- a\n- new", id="no-final-line-break"),
    pytest.param("k:\r\n- a\r\n# 1\r\n- b\r\n", 1, True, "k:\r\n- a\r\n- new\r\n# 1\r\n- b\r\n", id="crlf"),
    pytest.param("k:\n  -\n    a\n  - b\n", 0, True, "k:\n  - new\n  -\n    a\n  - b\n", id="dash-above"),
    pytest.param("k:\n  -\n  - b\n", 0, False, "k:\n  -\n  - new\n  - b\n", id="empty-item"),
    pytest.param("k:\n  - &a-b x\n  - y\n", 0, True, "k:\n  - new\n  - &a-b x\n  - y\n", id="anchor-with-dash"),
    pytest.param("k: [a, b]\n", 0, False, "k: [a, new, b]\n", id="inline-behind"),
    pytest.param("k: [a, &x b]\n", 1, True, "k: [a, new, &x b]\n", id="inline-before-anchor"),
    pytest.param("k: {a: , b: 1}\n", 0, False, "k: {a: , new, b: 1}\n", id="empty-value"),
    pytest.param("k: {a : , b: 1}\n", 0, False, "k: {a : , new, b: 1}\n", id="empty-value-behind-a-space"),
    pytest.param("k: {a, b: 1}\n", 0, False, "k: {a, new, b: 1}\n", id="no-value"),
    pytest.param("k: [\n  a,\n  b\n]\n", 1, False, "k: [\n  a,\n  b,\n  new\n]\n", id="last-without-comma"),
    pytest.param("k: [\n  a,\n  b # 1\n]\n", 1, False, "k: [\n  a,\n  b, # 1\n  new\n]\n", id="last-with-comment"),
    pytest.param("k: [\n  a,\n  b, # 1\n]\n", 1, False, "k: [\n  a,\n  b, # 1\n  new,\n]\n", id="last-with-comma"),
    pytest.param("k: [\n  a,\n  # 1\n  b\n]\n", 1, True, "k: [\n  a,\n  new,\n  # 1\n  b\n]\n", id="lines-before"),
    pytest.param("k: [\n  a\n  , b\n]\n", 0, False, "k: [\n  a, new\n  , b\n]\n", id="comma-on-the-next-line"),
]


@pytest.mark.parametrize(("text", "number", "before", "expected"), INSERTIONS)
def test_an_entry_is_inserted_beside_another(text: str, number: int, before: bool, expected: str) -> None:  # noqa: FBT001 - a row.
    """Comments stay with the entries that own them, and every other byte stays."""
    assert _inserted(text, number, before=before) == expected


SORTS = [
    pytest.param("k:\n  b: 1\n  a: 2\n", "k:\n  a: 2\n  b: 1\n", id="block"),
    pytest.param(
        "k:\n  # 1\n  b: 1 # 2\n    # 3\n  # 4\n  a: 2", "k:\n  # 4\n  a: 2\n  # 1\n  b: 1 # 2\n    # 3", id="comments"
    ),
    pytest.param("k:\n  # 0\n\n  b: 1\n\n  a: 2\n", "k:\n  # 0\n\n  a: 2\n\n  b: 1\n", id="blank-lines-stay"),
    pytest.param("k:\n  c: 1\n  b: 2\n  a: 3\n", "k:\n  a: 3\n  b: 2\n  c: 1\n", id="three"),
    pytest.param("k:\n  ? b\n  : 1\n  a: 2\n", "k:\n  a: 2\n  ? b\n  : 1\n", id="explicit-key"),
    pytest.param("k:\n  - &x b\n  - a\n", "k:\n  - a\n  - &x b\n", id="anchor"),
    pytest.param("k: {b: 1,  &x a: 2}\n", "k: {&x a: 2,  b: 1}\n", id="inline"),
    pytest.param("k: [\n  b,\n  a\n]\n", "k: [\n  a,\n  b\n]\n", id="lines"),
    pytest.param("k: [\n  b , # 1\n  a # 2\n]\n", "k: [\n  a, # 2\n  b  # 1\n]\n", id="lines-and-commas"),
    pytest.param("k:\n  b: 1\n  a: 2\n\n  # 1\n", "k:\n  a: 2\n  b: 1\n\n  # 1\n", id="comment-further-below"),
    pytest.param("k:\n- b\n- a\n# 1\nl: 1\n", "k:\n- a\n- b\n# 1\nl: 1\n", id="comment-of-what-follows"),
    pytest.param("k:\n  b: 1\n\n  # 1\n\n  a: 2\n", None, id="adrift"),
    pytest.param("k:\n  b: 1\n  a: 2\n  # 1\n", None, id="below-the-last"),
    pytest.param("k:\n  b: 1\n  a: 2\n  # 1\nl: 1\n", None, id="below-the-last-of-a-nested-one"),
    pytest.param("k: [b, # 1\n  a]\n", None, id="comment-between-lines-shared"),
    pytest.param("k: [ # 1\n  b, a]\n", None, id="comment-behind-the-bracket"),
    pytest.param("k:\n  b: &x 1\n  a: *x\n", None, id="alias-of-an-anchor"),
    pytest.param("k:\n  b: |+\n    1\n\n  a: 2\n", None, id="kept-blank-lines"),
    pytest.param("k:\n  <<: {c: 1}\n  b: 1\n  a: 2\n", None, id="merge"),
]


@pytest.mark.parametrize(("text", "expected"), SORTS)
def test_entries_are_sorted_with_their_comments(text: str, expected: str | None) -> None:
    """An entry takes its comments along; where a comment has no owner, nothing is sorted."""
    assert _sorted(text) == expected


def test_entries_that_nobody_named_forbid_sorting() -> None:
    """What is to be sorted must be all of the collection."""
    text = "k:\n  b: 1\n  a: 2\n"
    collection = _collection(text)
    assert sort_entries(text, collection, _entries(collection)[:1]) is None


@given(st.permutations("abcde"), st.sampled_from(["block", "flow", "lines"]), st.booleans())
def test_sorting_keeps_every_line(names: list[str], style: str, with_comments: bool) -> None:  # noqa: FBT001 - drawn.
    """In any order the sorted text is the one that would have been written in order."""

    def write(order: list[str]) -> str:
        if style == "flow":
            return f"k: [{', '.join(order)}]\n"
        comment = "  # above {0}\n" if with_comments else ""
        if style == "block":
            return "k:\n" + "".join((comment + "  - {0}  # {0}\n").format(name) for name in order)
        lines = [(comment + "  {0}{1}  # {0}\n").format(name, "," if name is not order[-1] else "") for name in order]
        return "k: [\n" + "".join(lines) + "]\n"

    assert _sorted(write(names)) == write(sorted(names))


ITEMS = [
    pytest.param("k:\n  - x: 1\n    z: 2\n", ["- x: 3", "  z: four"], id="block"),
    pytest.param("k:\n-   x: 1\n    z: 2\n", ["-   x: 3", "    z: four"], id="wide"),
    pytest.param("k:\n  - {x: 1}\n", ["- {x: 3, z: four}"], id="braces"),
    pytest.param('k:\n  - {"x": 1}\n', ['- {"x": 3, "z": "four"}'], id="json-in-a-block"),
    pytest.param("k: [{x: 1}]\n", ["{x: 3, z: four}"], id="flow"),
    pytest.param('{"k": [{"x": 1}]}\n', ['{"x": 3, "z": "four"}'], id="json"),
    pytest.param("k: [word]\n", ["{x: 3, z: four}"], id="beside-a-scalar"),
]


@pytest.mark.parametrize(("text", "expected"), ITEMS)
def test_an_item_is_written_like_its_neighbour(text: str, expected: list[str]) -> None:
    """Width, braces and quotes follow the item beside it."""
    collection = _collection(text)
    assert isinstance(collection, Sequence)
    assert write_item(text, collection, collection.items[0], {"x": 3, "z": "four"}) == expected


def test_an_item_beside_an_alias_is_written_in_block_style() -> None:
    """What the alias means may be written in another style elsewhere."""
    text = "j: &x {a: 1}\nk:\n  - *x\n"
    root = mapping_of(text)
    aliased = root.pairs[1].value
    assert isinstance(aliased, Sequence)
    assert write_item(text, aliased, aliased.items[0], {"x": 3}) == ["- x: 3"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("k:\n  3: a\n", "0: new"),
        ("k:\n  '3': a\n", "'0': new"),
        ('k: {"3": "a"}\n', '"0": "new"'),
        ("k: {3: a}\n", "0: new"),
        ("k:\n  [3]: a\n", "0: new"),
    ],
)
def test_a_pair_is_written_like_its_neighbour(text: str, expected: str) -> None:
    """The key has the quotes of the key beside it, and the value those of JSON where all is JSON."""
    mapping = _collection(text)
    assert isinstance(mapping, Mapping)
    assert write_pair(mapping, mapping.pairs[0], 0, "new") == [expected]


@pytest.mark.parametrize(
    ("style", "expected"), [(ScalarStyle.PLAIN, "0"), (ScalarStyle.DOUBLE, '"0"'), (ScalarStyle.SINGLE, "'0'")]
)
def test_an_integer_keeps_its_quotes(style: ScalarStyle, expected: str) -> None:
    """A key of JSON stays one."""
    assert change_integer(Scalar(2, 5, "3", style), 0) == (2, 5, expected)
