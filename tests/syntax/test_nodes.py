"""Nodes say what they are and where they are."""

from __future__ import annotations

from plain_trees import mapping_of

from rubric_core.syntax.nodes import BlockScalar, Pair, Scalar, ScalarStyle, Sequence, children, walk


def test_a_node_knows_its_span() -> None:
    """A pair reaches from its key to the end of its value, or of the key where there is none."""
    text = "a: [1, 2] # note\nb:\n? c\n"
    root = mapping_of(text)
    assert [text[slice(*pair.span)] for pair in root.pairs] == ["a: [1, 2]", "b:", "c"]
    assert text[slice(*root.span)] == "a: [1, 2] # note\nb:\n? c"


def test_the_first_of_equal_keys_is_found() -> None:
    """The others are duplicates, and a key that is a collection has no name."""
    root = mapping_of("a: 1\na: 2\n[k]: 3\n[k]: 4\n")
    first = root.get("a")
    assert isinstance(first, Scalar)
    assert first.value == "1"
    assert root.get("b") is None
    assert [pair.name for pair in root.pairs] == ["a", "a", None, None]
    assert root.duplicates == [root.pairs[1]]


def test_only_plain_scalars_may_be_numbers() -> None:
    """Quotes make text of anything."""
    assert [
        node.is_plain for node in (Scalar(0, 1, "5", ScalarStyle.PLAIN), Scalar(0, 3, "5", ScalarStyle.SINGLE))
    ] == [
        True,
        False,
    ]


def test_a_block_scalar_is_decoded_once() -> None:
    """Its value is made when it is asked for."""
    node = BlockScalar(0, 5, "|\n  a\n", 0, ScalarStyle.LITERAL)
    assert node.value == "a\n"
    assert node.value is node.value


def test_the_origin_is_that_of_an_alias() -> None:
    """Other nodes have none, whether they are anchored or not."""
    root = mapping_of("a: &x 1\nb: *x\nc: 2\n")
    assert [pair.value.origin is not None for pair in root.pairs] == [False, True, False]


def test_nodes_are_walked_in_the_order_of_the_text() -> None:
    """From the outside in, keys before values, and as deep as it goes."""
    root = mapping_of("a: [1, {b: 2}]\nc: 3\n")
    assert [node.value for node in walk(root) if isinstance(node, Scalar)] == ["a", "1", "b", "2", "c", "3"]
    assert [type(node).__name__ for node in children(root)] == ["Scalar", "Sequence", "Scalar", "Scalar"]
    assert list(children(root.pairs[1].value)) == []
    deep = Sequence(0, flow=True)
    for _ in range(5000):
        outer = Sequence(0, flow=True)
        outer.items = [deep]
        deep = outer
    assert sum(1 for _ in walk(deep)) == 5001
    # Taken apart from the outside, since Python would free it by recursion.
    while deep.items:
        (deep,) = deep.items  # type: ignore[assignment]


def test_nodes_show_what_they_hold() -> None:
    """Whoever looks at one in a debugger sees its place and value."""
    root = mapping_of("a: [1]\n")
    assert repr(root) == "Mapping(0, 6, [Pair(Scalar(0, 1, 'a'), Sequence(3, 6, [Scalar(4, 5, '1')]))])"
    assert repr(Pair(root.pairs[0].key, root.pairs[0].key)) == "Pair(Scalar(0, 1, 'a'), Scalar(0, 1, 'a'))"
