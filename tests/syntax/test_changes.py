"""Whoever follows a document learns which chunks went and which have to be looked at."""

from __future__ import annotations

from rubric_core.syntax.document import Document
from rubric_core.text.spans import Edit


def test_changes_are_given_once_and_in_order() -> None:
    """Asking again gives what happened since."""
    document = Document("a: 1\nb: 2\n")
    assert document.has_changes
    assert document.take_changes() == ([], document.chunks)
    assert not document.has_changes
    assert document.take_changes() == ([], [])


def test_what_was_removed_is_no_longer_fresh() -> None:
    """A chunk that came and went since the last question has nothing to look at."""
    document = Document("a: 1\nb: 2\n")
    document.take_changes()
    first = document.chunks[0]
    document.edit([Edit(3, 4, "5")])
    between = document.chunks[0]
    document.edit([Edit(3, 4, "6")])
    assert document.take_changes() == ([first, between], [document.chunks[0]])
