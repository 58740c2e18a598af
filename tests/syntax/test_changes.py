"""Whoever follows a document learns which chunks went and which have to be looked at."""

from __future__ import annotations

from rubric_core.syntax.changes import ChangeLog
from rubric_core.syntax.chunks import Chunk, ChunkKind, Piece


def _chunk(text: str) -> Chunk:
    return Chunk(Piece(ChunkKind.ENTRY, text), 0, 0)


def test_changes_are_given_once_and_in_order() -> None:
    """Asking again gives what happened since."""
    first, second, third = _chunk("a"), _chunk("b"), _chunk("c")
    log = ChangeLog()
    log.note([first], [third, second, third])
    assert log
    assert log.take() == ([first], [third, second])
    assert not log
    assert log.take() == ([], [])


def test_what_was_removed_is_no_longer_fresh() -> None:
    """A chunk that came and went since the last question has nothing to look at."""
    chunk = _chunk("a")
    log = ChangeLog()
    log.note([], [chunk])
    log.note([chunk], [])
    assert log.take() == ([chunk], [])
