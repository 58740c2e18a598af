"""Making ids that nothing else has."""

from __future__ import annotations

from collections import defaultdict
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator


def numbered(identifier: str, taken: Container[str]) -> str:
    """Return an id with the lowest number from 2 behind it that makes it a free one."""
    return numbering(taken)(identifier)


def numbering(taken: Container[str]) -> Callable[[str], str]:
    """Return a function that gives an id a number which makes it a free one, another one at each call."""
    numbers: defaultdict[str, Iterator[int]] = defaultdict(lambda: count(2))
    return lambda identifier: next(
        name for number in numbers[identifier] if (name := f"{identifier}-{number}") not in taken
    )
