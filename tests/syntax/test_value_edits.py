"""Edits inside one value take the tree over. Whatever they do, the tree is that of the new text."""

from __future__ import annotations

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st
from plain_trees import shape
from yaml_texts import documents

from benchmarks.suites import make_suite
from rubric_core.syntax.document import Document
from rubric_core.syntax.parse import parse
from rubric_core.syntax.value_edits import tree_after_edit
from rubric_core.text.spans import Edit

CASE = """\
  - id: refund
    outcome: Names the delay  # and says why
    weight: 2
    note:
      on its own line
    text: it goes
      on here
    quoted: "Say: \\"no\\""
    single: 'it''s'
    prompt: |
      Answer in
        one line.

    flow: {"id": x, a: [0, 3], b: c}
    list:
      - first
      - "second"
    empty:
    last: word
"""
# What is typed where `$0` is in the case, and whether the tree is taken over.
TYPED = {
    "refund$0": ("s", True),
    "$0refund": ("a ", True),
    "$0\n    outcome": (" ", False),
    "$0\n    outcome: ": (":", False),
    "weight: $0": ("1", True),
    "weight: 2$0": (" # many", False),
    "weight: $02": ("- ", False),
    "delay$0": ("s", False),
    "$0on its own": ("still ", True),
    "line$0\n    text": (": 1", False),
    "it goes$0": ("x", False),
    "Say: $0": (": # ", True),
    '\\"no$0': ('"', False),
    "it''$0s": ("i", True),
    "it'$0's": ("x", False),
    "prompt: |$0": ("-", False),
    "Answer in$0": (" # : ", True),
    "$0Answer": (" ", False),
    "  one$0": ("\t", True),
    "one line.$0": ("  ", True),
    "one line.$0\n": ("\n", False),
    "[0, $03": ("1", False),
    "fir$0st": ("-", True),
    "sec$0ond": ("'", True),
    "empty:$0": ("x", False),
    "wor$0d": ("\x85", False),
    "word$0": ("s", True),
}  # fmt: skip


@pytest.mark.parametrize("place", TYPED)
def test_what_is_typed(place: str) -> None:
    """The tree is taken over where the line is read as before, and it is the one that parsing gives."""
    typed, is_taken_over = TYPED[place]
    assert CASE.count(place.replace("$0", "")) == 1
    at = CASE.index(place.replace("$0", "")) + place.index("$0")
    tree = tree_after_edit(parse(CASE), CASE, Edit(at, at, typed))
    assert (tree is not None) is is_taken_over
    if tree is not None:
        assert shape(tree.root) == shape(parse(CASE[:at] + typed + CASE[at:]).root)


TEXTS = st.one_of(documents(), st.integers(0, 9).map(lambda seed: make_suite(2, 0, seed=seed)), st.just(CASE))
LETTERS = st.text(st.sampled_from("aZ0 -:#'\"\\[]{},&*!|>%@`?.\t\n\r\x85\ufeffé"), max_size=2)


@given(TEXTS, st.integers(0, 10_000), st.integers(0, 2), LETTERS)
@example("a: |\n  x\n  y \nb: 1\n", 12, 0, "z")
@example("a:\nb: 1\n", 2, 0, "x")
@example("- |\r\n  x\r\n  y\r\n", 9, 0, "- ")
def test_the_tree_is_that_of_the_new_text(text: str, place: int, length: int, letters: str) -> None:
    """Wherever something is typed, removed or replaced."""
    start = place % (len(text) + 1)
    end = min(start + length, len(text))
    tree = tree_after_edit(parse(text), text, Edit(start, end, letters))
    event("taken over" if tree is not None else "parsed")
    if tree is None:
        return
    again = parse(text[:start] + letters + text[end:])
    assert again.is_common
    assert not again.duplicates
    assert shape(tree.root) == shape(again.root)


def test_a_letter_parses_nothing() -> None:
    """The chunk that comes of it has its tree at once, and the nodes before the letter are those of before."""
    document = Document(f"tests:\n{CASE}")
    document.settle()
    before = document.chunks[1].tree
    at = document.text.index('"no') + len('"no')
    document.edit([Edit(at, at, "!")])
    tree = document.chunks[1].tree
    assert before is not None
    assert tree is not None
    old, new = before.root, tree.root
    assert new is not old
    assert new.items[0].get("weight") is old.items[0].get("weight")  # type: ignore[union-attr]
    assert new.items[0].get("quoted").value == 'Say: "no!"'  # type: ignore[union-attr]
