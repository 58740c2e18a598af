"""What became of the chunks of a document, kept for whoever follows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rubric_core.syntax.chunks import Chunk


class Changes(NamedTuple):
    """What became of the chunks since the last time somebody asked."""

    removed: list[Chunk]
    # Chunks that are new, or that have to be looked at again because the text around them changed.
    fresh: list[Chunk]


class ChangeLog:
    """The changes since they were last taken. Dictionaries stand for sets that keep their order."""

    __slots__ = ("_fresh", "_removed")

    def __init__(self) -> None:
        self._removed: dict[Chunk, None] = {}
        self._fresh: dict[Chunk, None] = {}

    def __bool__(self) -> bool:
        return bool(self._fresh or self._removed)

    def note(self, removed: Iterable[Chunk], fresh: Iterable[Chunk]) -> None:
        """Remember what was exchanged."""
        for chunk in removed:
            self._fresh.pop(chunk, None)
            self._removed[chunk] = None
        self._fresh.update(dict.fromkeys(fresh))

    def take(self) -> Changes:
        """Return the changes and start anew."""
        changes = Changes(list(self._removed), list(self._fresh))
        self._removed, self._fresh = {}, {}
        return changes
