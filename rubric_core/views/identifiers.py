"""Making ids that nothing else has."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container


def numbered(identifier: str, taken: Container[str]) -> str:
    """Return an id with the lowest number from 2 behind it that makes it a free one."""
    return next(name for number in count(2) if (name := f"{identifier}-{number}") not in taken)
