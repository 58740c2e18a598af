"""How large a file may be before we stop reading it, so that no text can hang an editor."""

from __future__ import annotations

from dataclasses import dataclass

_MEGABYTE = 1024 * 1024

CEILINGS = {
    "file_bytes": 256 * _MEGABYTE,
    "line_length": 64 * _MEGABYTE,
    "depth": 500,
    "cases": 1_000_000,
    "alias_expansion": 1_000,
}
"""The most that each limit can be set to, whoever asks for it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one check. Whatever goes over one of them is reported as RB008.

    A value above its ceiling is lowered to it.

    Attributes:
        file_bytes: The size of a file.
        line_length: The code points of one line.
        depth: How many collections may stand inside each other.
        cases: The cases of one file.
        alias_expansion: How many nodes aliases may repeat for each code point of the text; see `alias_totals`.
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
