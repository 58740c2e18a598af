"""Work that is done in slices, and cursors in texts: what tests of assistance need to ask for something."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Generator

Answer = TypeVar("Answer")
CURSOR = "$0"


def finished(work: Generator[None, None, Answer]) -> Answer:
    """Do all the slices of some work and return its outcome."""
    try:
        while True:
            next(work)
    except StopIteration as done:
        answer: Answer = done.value
        return answer


def cut_cursor(marked: str) -> tuple[str, int]:
    """Return a text without its `$0`, and the offset at which that was."""
    at = marked.index(CURSOR)
    return marked[:at] + marked[at + len(CURSOR) :], at
