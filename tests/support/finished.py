"""Work that is done in steps, done at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Generator

Outcome = TypeVar("Outcome")


def finished(work: Generator[None, None, Outcome]) -> Outcome:
    """Take all the steps of some work and return what comes of it."""
    outcomes: list[Outcome] = []

    def follow() -> Generator[None, None, None]:
        outcomes.append((yield from work))

    for _ in follow():
        pass
    return outcomes[0]
