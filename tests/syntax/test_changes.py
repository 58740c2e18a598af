"""Whoever follows a document learns which chunks went and which have to be looked at."""

from __future__ import annotations

from rubric_core.syntax.changes import ChangeLog
from rubric_core.syntax.chunks import Chunk, ChunkKind, Piece
from rubric_core.syntax.tree import Tree


def _chunk(text: str) -> Chunk:
    return Chunk(Piece(ChunkKind.ENTRY, text), 0, 0)


def test_changes_are_given_once_and_in_order() -> None:
    """Asking again gives what happened since."""
    first, second, third = _chunk("a"), _chunk("b"), _chunk("c")
    log = ChangeLog()
    log.note([first], [third, second, third])
    assert len(log) == 2
    assert log.take() == ([first], [third, second])
    assert log.take() == ([], [])


def test_what_was_removed_is_no_longer_fresh() -> None:
    """A chunk that came and went since the last question has nothing to look at."""
    chunk = _chunk("a")
    log = ChangeLog()
    log.note([], [chunk])
    log.note([chunk], [])
    assert log.take() == ([chunk], [])


def test_unread_chunks_are_given_until_they_are_parsed() -> None:
    """The document parses one after the other; some of them are joined on the way."""
    first, second = _chunk("a"), _chunk("b")
    log = ChangeLog()
    log.note([], [first, second])
    assert log.unread() is first
    first.tree = Tree(None)
    assert log.unread() is second
    log.note([second], [])
    assert log.unread() is None
