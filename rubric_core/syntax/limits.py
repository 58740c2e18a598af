"""Bounds of the work for a text, so that none can hang an editor: its size, what aliases repeat, what is joined."""

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
    """The limits of one check. Whatever goes over one of them is reported as RB008.

    A value above its ceiling is lowered to it.

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
    """Return the limits that a text as a whole goes over, each at the place where it does."""
    if len(text) <= min(limits.file_bytes // 4, limits.line_length):
        # No character takes more than four bytes, so this text cannot be over either limit.
        return ()
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > limits.file_bytes:
        message = f"The file has {size:,} bytes and the limit is {limits.file_bytes:,}; split it into several files."
        return (SyntaxProblem(Span(0, 1), message, "RB008"),)
    for number, (start, end) in enumerate(pairwise([*line_starts(text), len(text)]), start=1):
        # Most lines are far from the limit, so only the others are measured without their line break.
        length = len(text[start:end].rstrip("\r\n")) if end - start > limits.line_length else 0
        if length > limits.line_length:
            message = f"Line {number} has {length:,} characters and the limit is {limits.line_length:,}; break it up."
            return (SyntaxProblem(Span(start, start + 1), message, "RB008"),)
    return ()


_SMALLEST = 10_000
# A repeated node takes up to 300 bytes, and up to 20 microseconds where each of them has a problem.
_LARGEST = 20_000
# Aliases of a short list in thousands of cases repeat more; these cases are text, too.
_LARGEST_PER_CODE_POINT = 0.5


def allowed_repeats(size: int, limits: Limits) -> int:
    """Return how many nodes the aliases of a text of so many code points may repeat."""
    configured = max(_SMALLEST, limits.alias_expansion * size)
    return min(configured, _LARGEST + int(_LARGEST_PER_CODE_POINT * size))


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
