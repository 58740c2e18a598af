"""A counter on standard error while many files are checked."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Fewer files are done before anybody could read a counter.
_FEW = 20
INTERVAL = 0.1
ERASE_LINE = "\r\x1b[K"

T = TypeVar("T")


def is_terminal() -> bool:
    """Tell whether somebody looks at standard error."""
    return sys.stderr.isatty()


def counted(results: Iterable[T], total: int, *, quiet: bool) -> Iterator[T]:
    """Pass results on and count them on a terminal."""
    if quiet or total < _FEW or not is_terminal():
        yield from results
        return
    shown = 0.0
    try:
        for number, result in enumerate(results, start=1):
            now = time.monotonic()
            if now - shown >= INTERVAL:
                sys.stderr.write(f"{ERASE_LINE}Checked {number:,} of {total:,} files")
                sys.stderr.flush()
                shown = now
            yield result
    finally:
        sys.stderr.write(ERASE_LINE)
        sys.stderr.flush()
