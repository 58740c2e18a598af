"""What the host tells the rules about the world outside of the text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


class Surroundings(Protocol):
    """Answers about the disk. The host looks; rules only get the answers."""

    def files(self, paths: frozenset[str]) -> Mapping[str, bool | None]:
        """Tell whether each path exists; None where it must not be looked at."""
        ...

    @property
    def targets(self) -> frozenset[str] | None:
        """Return the names of the known targets; None where there is no list of them."""
        ...


@dataclass(frozen=True, slots=True)
class KnownSurroundings:
    """Surroundings that never change; without arguments nothing is known, so nothing is reported as missing."""

    known: frozenset[str] | None = None
    targets: frozenset[str] | None = None

    def files(self, paths: frozenset[str]) -> Mapping[str, bool | None]:
        """Tell whether each path is among the known ones."""
        known = self.known
        return {path: None if known is None else path in known for path in paths}


NOWHERE = KnownSurroundings()
