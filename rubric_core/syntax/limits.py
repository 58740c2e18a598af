"""Limits of the work for a text, so that none can block an editor: file size, alias repeats, joined chunks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from rubric_core.syntax.chunks import Chunk
from rubric_core.syntax.nodes import SyntaxProblem
from rubric_core.text.lines import line_starts
from rubric_core.text.spans import Span

_MEGABYTE = 1024 * 1024

CEILINGS = {
    "file_bytes": 256 * _MEGABYTE,
    "line_length": 64 * _MEGABYTE,
    "depth": 500,
    "cases": 1_000_000,
    "alias_expansion": 1_000,
}
"""The highest value that each limit can be set to."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one check, each at most its ceiling. RB008 reports text that exceeds one.

    Attributes:
        file_bytes: The size of a file.
        line_length: The code points of one line.
        depth: How many collections may be inside each other.
        cases: The cases of one file.
        alias_expansion: How many nodes aliases may repeat for each code point of the text; see `AliasTotals`.
    """

    file_bytes: int = 64 * _MEGABYTE
    line_length: int = 16 * _MEGABYTE
    depth: int = 100
    cases: int = 100_000
    alias_expansion: int = 10

    def __post_init__(self) -> None:
        for name, ceiling in CEILINGS.items():
            if getattr(self, name) > ceiling:
                object.__setattr__(self, name, ceiling)

    def lowered_to(self, other: Limits) -> Limits:
        """Return the lower one of each limit."""
        return Limits(**{name: min(getattr(self, name), getattr(other, name)) for name in CEILINGS})


DEFAULT_LIMITS = Limits()


def over_limits(text: str, limits: Limits) -> tuple[SyntaxProblem, ...]:
    """Return the problem of a text that exceeds a limit as a whole, at the place where it does."""
    if len(text) <= min(limits.file_bytes // 4, limits.line_length):
        # No character takes more than four bytes.
        return ()
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > limits.file_bytes:
        message = f"The file has {size:,} bytes and the limit is {limits.file_bytes:,}; split it into several files."
        return (SyntaxProblem(Span(0, 1), message, "RB008"),)
    for number, (start, end) in enumerate(pairwise([*line_starts(text), len(text)]), start=1):
        # Only a line near the limit is measured without its line break.
        length = len(text[start:end].rstrip("\r\n")) if end - start > limits.line_length else 0
        if length > limits.line_length:
            message = f"Line {number} has {length:,} characters and the limit is {limits.line_length:,}; break it up."
            return (SyntaxProblem(Span(start, start + 1), message, "RB008"),)
    return ()


_SMALLEST = 10_000
# A repeated node takes up to 300 bytes, and up to 20 microseconds if it has a problem.
_LARGEST = 20_000
# Thousands of cases with an alias of a short list repeat more.
_LARGEST_PER_CODE_POINT = 0.5


def allowed_repeats(size: int, limits: Limits) -> int:
    """Return how many nodes the aliases of a text of so many code points may repeat."""
    configured = max(_SMALLEST, limits.alias_expansion * size)
    return min(configured, _LARGEST + int(_LARGEST_PER_CODE_POINT * size))


class AliasTotals:
    """How many nodes the aliases of all chunks repeat, updated by differences.

    If that is too many, no alias of a collection is followed, but its nodes are still counted: so the decision
    depends on the text alone, not on the order in which chunks are read.
    """

    __slots__ = ("_repeats", "_total", "_unknown", "is_over")

    def __init__(self) -> None:
        self.is_over = False
        self._repeats: dict[Chunk, int] = {}
        self._total = 0
        # Chunks with a possible alias that were not read since they or an anchor changed.
        self._unknown: set[Chunk] = set()

    def replace(self, old: Iterable[Chunk], fresh: Iterable[Chunk]) -> None:
        """Replace chunks."""
        for chunk in old:
            self._total -= self._repeats.pop(chunk, 0)
            self._unknown.discard(chunk)
        self._unknown.update(chunk for chunk in fresh if "*" in chunk.text)

    def count(self, chunk: Chunk, repeats: int) -> None:
        """Record how many nodes the aliases of a chunk repeat."""
        self._unknown.discard(chunk)
        self._total += repeats - self._repeats.pop(chunk, 0)
        if repeats:
            self._repeats[chunk] = repeats

    def left(self, chunk: Chunk, allowed: int) -> int:
        """Return how many nodes the aliases of a chunk may repeat beside all others."""
        return 0 if self.is_over else allowed - self._total + self._repeats.get(chunk, 0)

    def decide(self, allowed: int) -> list[Chunk]:
        """Decide whether the aliases repeat too much; return the chunks to read again because that changed.

        The sum is known to be small enough only when no chunk is left to count.
        """
        is_over = self._total > allowed or (self.is_over and bool(self._unknown))
        if is_over == self.is_over:
            return []
        self.is_over = is_over
        return list(self._repeats)


# How many code points may be parsed again; then no more chunks are joined. Only hundreds of open quotes need so many.
_BUDGET = 4_000_000
_BUDGET_PER_CODE_POINT = 4


class JoinBudget:
    """The work of joining chunks, by the joined chunk, or by the first one where no end of its quote was found.

    `joined` are the joined chunks: a quote or bracket that one opens is closed by another.
    """

    __slots__ = ("_total", "_work", "is_spent", "joined")

    def __init__(self) -> None:
        self.joined: set[Chunk] = set()
        self.is_spent = False
        self._work: dict[Chunk, int] = {}
        self._total = 0

    def left(self, size: int) -> float:
        """Return the work that is left for another chunk of a text of this size."""
        return -1 if self.is_spent else _BUDGET + _BUDGET_PER_CODE_POINT * size - self._total

    def count(self, chunk: Chunk, work: int) -> None:
        """Record how many code points were parsed for a chunk."""
        self._total += work - self._work.pop(chunk, 0)
        if work:
            self._work[chunk] = work

    def drop(self, chunks: Iterable[Chunk]) -> None:
        """Remove chunks."""
        for chunk in chunks:
            self.joined.discard(chunk)
            self.count(chunk, 0)
