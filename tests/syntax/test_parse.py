"""One chunk is read by the fast path where that is sure, and by the complete parser otherwise."""

from __future__ import annotations

import pytest
from plain_trees import data

from rubric_core.syntax.limits import Limits
from rubric_core.syntax.nodes import Scalar, ScalarStyle
from rubric_core.syntax.parse import parse


@pytest.mark.parametrize("text", ["a: 1\n", "a: &x 1\nb: 2\n", "a: 'b\n  c'\n"])
def test_either_parser_gives_a_tree(text: str) -> None:
    """Nobody can tell from the outcome which one it was."""
    tree = parse(text)
    assert (tree.problems, tree.unfinished, tree.external, tree.duplicates) == ((), False, frozenset(), ())
    assert tree.root is not None


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("a: 1\na: 2\n", 1),
        ("- a:\n    b: 1\n    b: 2\n    b:\n  a: 3\n", 2),
        ("a: &x {b: 1, b: 2}\nc: *x\n", 2),
        ("a: {b: 1, b: 2}\nc: &x 1\n", 1),
        ("a: 1\nb: 2\n", 0),
    ],
)
def test_mappings_that_repeat_a_key_are_named(text: str, count: int) -> None:
    """Each once, however often it repeats, so that nobody has to look for them."""
    tree = parse(text)
    assert len(tree.duplicates) == count
    assert all(mapping.duplicates for mapping in tree.duplicates)


def test_anchors_outside_are_looked_up() -> None:
    """The lookup is handed to the complete parser."""
    tree = parse("a: *x\n", lookup=lambda _: (Scalar(0, 1, "found", ScalarStyle.PLAIN), None, 0))
    assert data(tree.root) == [("a", "found")]
    assert tree.external == {"x"}


def test_limits_are_handed_on() -> None:
    """Text that nests deeply is no business of the fast path."""
    text = "a: &x [[[1]]]\n"
    assert [problem.code for problem in parse(text, limits=Limits(depth=2)).problems] == ["RB008"]


def test_broken_text_has_a_problem_and_no_root() -> None:
    """It never raises."""
    tree = parse("a: [1\n")
    assert (tree.root, len(tree.problems), tree.unfinished) == (None, 1, True)
