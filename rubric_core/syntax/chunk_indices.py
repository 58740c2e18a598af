"""The index of each chunk of a document, kept right while chunks come and go."""

from __future__ import annotations

from bisect import bisect_right

from rubric_core.syntax.chunks import Chunk


class ChunkIndices:
    """Counts the chunks of a list when somebody asks.

    Reading joins chunks from the top to the end, and what follows only moves up. So that each join need not count all
    of them again, it is noted from which counted index on how many chunks are fewer.
    """

    __slots__ = ("_chunks", "_counted", "_shift_places", "_shifts")

    def __init__(self, chunks: list[Chunk]) -> None:
        self._chunks = chunks
        self._counted: dict[Chunk, int] | None = None
        self._shift_places: list[int] = []
        self._shifts: list[int] = []

    def all(self) -> dict[Chunk, int]:
        """Return the index of each chunk. They are counted again only after some came or went."""
        if self._counted is None or self._shifts:
            self._counted = {each: index for index, each in enumerate(self._chunks)}
            self._shift_places, self._shifts = [], []
        return self._counted

    def of(self, chunk: Chunk) -> int:
        """Return the index of a chunk."""
        if self._counted is None or not self._shifts:
            return self.all()[chunk]
        counted = self._counted[chunk]
        at = bisect_right(self._shift_places, counted)
        return counted + self._shifts[at - 1] if at else counted

    def exchange(self, start: int, old: list[Chunk], fresh: list[Chunk]) -> None:
        """Note that some chunks have taken the place of others in the list."""
        shift = self._shifts[-1] if self._shifts else 0
        first = start - shift
        is_in_order = not self._shift_places or self._shift_places[-1] <= first
        if self._counted is None or len(fresh) > len(old) or not is_in_order:
            self._counted = None
            self._shift_places, self._shifts = [], []
            return
        for chunk in old:
            del self._counted[chunk]
        self._counted.update(zip(fresh, range(first, first + len(fresh)), strict=True))
        if len(fresh) < len(old):
            self._shift_places.append(first + len(old))
            self._shifts.append(shift + len(fresh) - len(old))
