"""What was spent on joining chunks in search of the ends of quotes and brackets, and whether that is too much."""

from __future__ import annotations

from collections.abc import Iterable

from rubric_core.syntax.chunks import Chunk

# How many code points may be parsed again. Only a text with hundreds of open quotes comes near it; beyond it no chunks
# are joined.
_BUDGET = 4_000_000
_BUDGET_PER_CODE_POINT = 4


class JoinBudget:
    """The work by the chunk that came of it or that no end was found for; so it follows from the text alone.

    `joined` are the chunks that were joined because a quote or bracket that one opens is closed by another.
    """

    __slots__ = ("_total", "_work", "is_spent", "joined")

    def __init__(self) -> None:
        self.joined: set[Chunk] = set()
        self.is_spent = False
        self._work: dict[Chunk, int] = {}
        self._total = 0

    def left(self, size: int) -> float:
        """Return what may be spent on another chunk of a text of this size, beside what all others took."""
        return -1 if self.is_spent else _BUDGET + _BUDGET_PER_CODE_POINT * size - self._total

    def count(self, chunk: Chunk, work: int) -> None:
        """Note how many code points were parsed for a chunk."""
        self._total += work - self._work.pop(chunk, 0)
        if work:
            self._work[chunk] = work

    def drop(self, chunks: Iterable[Chunk]) -> None:
        """Forget chunks that are gone."""
        for chunk in chunks:
            self.joined.discard(chunk)
            self.count(chunk, 0)
