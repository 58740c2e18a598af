"""The chunks of a document in order: their offsets, lines and indices, and which of them changed."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple

from rubric_core.syntax.chunks import Chunk
from rubric_core.text.lines import LineIndex, Position

# How many totals a search computes at a time. Most searches end near the last edit, where few are missing.
_AT_ONCE = 256


class RunningTotals:
    """The running totals of a list of sizes.

    After a change, the totals behind it are computed when they are needed: the next edit is mostly in the same place.
    """

    __slots__ = ("_sizes", "_totals", "_valid", "total")

    def __init__(self, sizes: list[int]) -> None:
        self._sizes = sizes
        self._totals = [0] * len(sizes)
        # The number of leading totals that are up to date.
        self._valid = 1
        self.total = sum(sizes)
        """The sum of all sizes."""

    def before(self, index: int) -> int:
        """Return the sum of the sizes before an index."""
        if index >= self._valid:
            if index >= len(self._sizes):
                raise IndexError(f"There is nothing at {index} of {len(self._sizes)}.")
            last = self._valid - 1
            self._totals[last : index + 1] = accumulate(self._sizes[last:index], initial=self._totals[last])
            self._valid = index + 1
        return self._totals[index]

    def totals(self) -> list[int]:
        """Return the total before each size. The caller must not change the list."""
        self.before(len(self._sizes) - 1)
        return self._totals

    def find(self, value: int) -> int:
        """Return the index of the size whose range contains a value; the last one for a value past the end."""
        while self._totals[self._valid - 1] <= value and self._valid < len(self._sizes):
            self.before(min(self._valid + _AT_ONCE, len(self._sizes)) - 1)
        return max(bisect_right(self._totals, value, 0, self._valid) - 1, 0)

    def replace(self, start: int, stop: int, sizes: list[int]) -> None:
        """Replace sizes."""
        before = self._sizes[start:stop]
        if before == sizes:
            return
        self._sizes[start:stop] = sizes
        self.total += sum(sizes) - sum(before)
        right = start + 1
        if stop - start != len(sizes):
            self._totals[start:stop] = [0] * len(sizes)
            # The first of the sizes may now be one that was further down.
            self._totals[0] = 0
            right = start
        self._valid = max(min(self._valid, right), 1)


class Changes(NamedTuple):
    """Chunks that were removed, and chunks to analyse: new ones, and those affected by changes elsewhere."""

    removed: list[Chunk]
    fresh: list[Chunk]


class ChunkList:
    """Chunks with their offsets, lines and indices, which are computed when they are needed.

    Reading joins chunks in the order of the text. So that not all indices are counted again after each join, `_shifts`
    has how far the indices behind each of `_shift_places` have moved since they were counted.
    """

    def __init__(self) -> None:
        self.chunks: list[Chunk] = []
        # The changes since they were last taken, as sets in order.
        self._removed: dict[Chunk, None] = {}
        self._fresh: dict[Chunk, None] = {}
        self._count_chunks()

    def _count_chunks(self) -> None:
        """Compute sizes and indices again after all chunks were replaced."""
        self._starts = RunningTotals([len(chunk.text) for chunk in self.chunks])
        self._lines = RunningTotals([chunk.line_breaks for chunk in self.chunks])
        self._counted: dict[Chunk, int] | None = None
        self._shift_places: list[int] = []
        self._shifts: list[int] = []

    @property
    def text(self) -> str:
        """Return the whole text."""
        return "".join([chunk.text for chunk in self.chunks])

    def start_of(self, index: int) -> int:
        """Return the offset at which a chunk starts."""
        return self._starts.before(index)

    def line_of(self, index: int) -> int:
        """Return the line at which a chunk starts."""
        return self._lines.before(index)

    def chunk_at(self, offset: int) -> int:
        """Return the index of the chunk that holds an offset; the end of the text belongs to the last chunk."""
        return self._starts.find(offset)

    @property
    def indices(self) -> dict[Chunk, int]:
        """Return the index of each chunk, counted again only after chunks were added or removed."""
        if self._counted is None or self._shifts:
            self._counted = {chunk: index for index, chunk in enumerate(self.chunks)}
            self._shift_places, self._shifts = [], []
        return self._counted

    def index_of(self, chunk: Chunk) -> int:
        """Return the index of a chunk of this document."""
        if self._counted is None or not self._shifts:
            return self.indices[chunk]
        counted = self._counted[chunk]
        at = bisect_right(self._shift_places, counted)
        return counted + self._shifts[at - 1] if at else counted

    def section_bounds(self, section: int) -> tuple[int, int]:
        """Return where the chunks of a YAML document start and stop among all chunks."""
        return bisect_left(self.chunks, section, key=_section), bisect_right(self.chunks, section, key=_section)

    @property
    def first_lines(self) -> Sequence[int]:
        """Return the line at which each chunk starts."""
        return self._lines.totals()

    def position(self, offset: int) -> Position:
        """Return the line and column of an offset."""
        index = self.chunk_at(offset)
        local = LineIndex(self.chunks[index].text).position(offset - self.start_of(index))
        return Position(local.line + self.line_of(index), local.column)

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a line and column, or the nearest one in the text."""
        if line < 0:
            return 0
        index = self._lines.find(line)
        return self.start_of(index) + LineIndex(self.chunks[index].text).offset(line - self.line_of(index), column)

    @property
    def has_changes(self) -> bool:
        """Return whether there are changes to take. Parsing makes some too, since it joins chunks."""
        return bool(self._fresh or self._removed)

    def take_changes(self) -> Changes:
        """Return the changes since the last call. New chunks may not be parsed yet."""
        changes = Changes(list(self._removed), list(self._fresh))
        self._removed, self._fresh = {}, {}
        return changes

    def _note_changes(self, removed: Iterable[Chunk], fresh: Iterable[Chunk]) -> None:
        for chunk in removed:
            self._fresh.pop(chunk, None)
            self._removed[chunk] = None
        self._fresh.update(dict.fromkeys(fresh))

    def _exchange_chunks(self, start: int, stop: int, fresh: list[Chunk]) -> None:
        """Replace chunks, and keep offsets, lines and indices up to date."""
        old = self.chunks[start:stop]
        self.chunks[start:stop] = fresh
        self._starts.replace(start, stop, [len(chunk.text) for chunk in fresh])
        self._lines.replace(start, stop, [chunk.line_breaks for chunk in fresh])
        self._note_changes(old, fresh)
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


def _section(chunk: Chunk) -> int:
    return chunk.section
