"""The usage of judges and providers: calls and tokens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Usage:
    """Counts of calls that were made, of replies that were cached instead, and of tokens that providers report."""

    calls: int = 0
    remembered: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.remembered + other.remembered,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
        )


NOTHING_SPENT = Usage()


def total(usages: Iterable[Usage]) -> Usage:
    """Return the sum of several counts."""
    return sum(usages, NOTHING_SPENT)
