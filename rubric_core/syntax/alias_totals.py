"""How many nodes the aliases of a document repeat, counted by chunk, and whether these are too many."""

from __future__ import annotations

from collections.abc import Iterable

from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.limits import Limits

_SMALLEST = 10_000
# A repeated node takes up to 300 bytes, and up to 20 microseconds where each of them has a problem.
_LARGEST = 20_000
# Aliases of a short list in thousands of cases repeat more; these cases are text, too.
_LARGEST_PER_CODE_POINT = 0.5


def allowed_repeats(size: int, limits: Limits) -> int:
    """Return how many nodes the aliases of a text of so many code points may repeat."""
    wanted = max(_SMALLEST, limits.alias_expansion * size)
    return min(wanted, _LARGEST + int(_LARGEST_PER_CODE_POINT * size))


class AliasTotals:
    """The sum over all chunks, kept by difference.

    Whether it is too large follows from the text alone, in whatever order chunks are read: where it is, no alias of a
    collection is followed, and what the aliases would repeat is counted all the same.
    """

    __slots__ = ("_repeats", "_total", "_unknown", "is_over")

    def __init__(self) -> None:
        self.is_over = False
        self._repeats: dict[Chunk, int] = {}
        self._total = 0
        # Chunks that may have aliases and were not read since they, or an anchor, changed.
        self._unknown: set[Chunk] = set()

    def replace(self, old: Iterable[Chunk], fresh: Iterable[Chunk]) -> None:
        """Note which chunks came and went."""
        for chunk in old:
            self._total -= self._repeats.pop(chunk, 0)
            self._unknown.discard(chunk)
        self._unknown.update(chunk for chunk in fresh if "*" in chunk.text)

    def count(self, chunk: Chunk, repeats: int) -> None:
        """Note how many nodes the aliases of a chunk repeat."""
        self._unknown.discard(chunk)
        self._total += repeats - self._repeats.pop(chunk, 0)
        if repeats:
            self._repeats[chunk] = repeats

    def left(self, chunk: Chunk, allowed: int) -> int:
        """Return how many nodes the aliases of a chunk may repeat beside all others."""
        return 0 if self.is_over else allowed - self._total + self._repeats.get(chunk, 0)

    def decide(self, allowed: int) -> list[Chunk]:
        """Compare the sum with what is allowed; return the chunks to be read again because that changed the answer.

        Chunks that are not counted yet can make the sum too large, so only without these it is known to be small.
        """
        is_over = self._total > allowed or (self.is_over and bool(self._unknown))
        if is_over == self.is_over:
            return []
        self.is_over = is_over
        return list(self._repeats)
