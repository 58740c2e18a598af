"""Timing and printing, the same for all benchmarks."""

from __future__ import annotations

import os
import platform
import resource
import time
from datetime import datetime, timezone
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Result = TypeVar("Result")

_PAGES = Path("/proc/self/statm")
_MEGABYTE = 1 << 20
_REFERENCE_ROUNDS = 20


def timed(work: Callable[[], Result], clock: Callable[[], float] = time.perf_counter) -> tuple[float, Result]:
    """Do some work and return the seconds that it took, and its result."""
    begin = clock()
    result = work()
    return clock() - begin, result


def p95(seconds: Sequence[float]) -> float:
    """Return the time that 95 of 100 stay below."""
    return quantiles(seconds, n=20, method="inclusive")[-1] if len(seconds) > 1 else seconds[0]


def milliseconds(seconds: float) -> str:
    """Return a time as it stands in a table."""
    return f"{seconds * 1_000:,.{2 if seconds < 0.1 else 0}f}"  # noqa: PLR2004 - above 100 ms nobody needs a fraction.


def resident_megabytes() -> float:
    """Return the memory that the process holds now; where the system does not tell, the most that it ever held."""
    if _PAGES.exists():
        return int(_PAGES.read_text().split()[1]) * resource.getpagesize() / _MEGABYTE
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows below their headings, as a Markdown table whose columns also line up on a terminal."""
    widths = [max(len(cell) for cell in column) for column in zip(columns, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        first, *rest = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        return f"| {cells[0].ljust(len(first))} | {' | '.join(rest)} |"

    print(f"\n{title}\n")
    print(line(columns))
    print("|" + "|".join(["-" * (widths[0] + 2), *("-" * (width + 1) + ":" for width in widths[1:])]) + "|")
    for row in rows:
        print(line(row), flush=True)


class Noise:
    """Tells how evenly the machine ran, by a piece of work that is always the same."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.sample()

    def sample(self) -> None:
        """Do the work some times; call this between measurements."""
        self.seconds += [timed(_reference_work)[0] for _ in range(_REFERENCE_ROUNDS)]

    def __str__(self) -> str:
        fastest, usual, slow = min(self.seconds), median(self.seconds), p95(self.seconds)
        return (
            f"Noise: a fixed loop took {fastest * 1e3:.2f} ms at best, {usual / fastest:.2f}x that at the median "
            f"and {slow / fastest:.2f}x at p95; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors."
        )


def _reference_work() -> int:
    return sum(len(str(number)) for number in range(20_000))


def print_machine() -> None:
    """Print when and on what the numbers were made."""
    now = datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    print(f"{now}, Python {platform.python_version()}, {platform.system()} {platform.machine()}")
