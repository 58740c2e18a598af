"""The line on standard error that shows how far a command is."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.live import Live

_INTERVAL = 0.1
_BAR_WIDTH = 20


def is_terminal() -> bool:
    """Return whether standard error is a terminal."""
    return sys.stderr.isatty()


class ProgressLine:
    """A bar with words beside it. It is kept up to date on a terminal and written nowhere else."""

    def __init__(self, total: int, *, shown: bool = True) -> None:
        self.total = total
        self._live = _live() if shown and is_terminal() else None
        self._next = 0.0

    def show(self, done: int, words: str) -> None:
        """Show how many are done, unless the line was written a moment ago and more are to come."""
        now = time.monotonic()
        if self._live is None or (now < self._next and done < self.total):
            return
        from rich.progress_bar import ProgressBar  # noqa: PLC0415 - most runs show no progress.
        from rich.table import Table  # noqa: PLC0415 - the same.
        from rich.text import Text  # noqa: PLC0415 - the same.

        line = Table.grid(padding=(0, 1))
        line.add_row(ProgressBar(self.total, done, width=_BAR_WIDTH), Text(words))
        self._live.start()
        self._live.update(line, refresh=True)
        self._next = now + _INTERVAL

    def erase(self) -> None:
        """Remove the line, so that other text can be written."""
        if self._live is not None:
            self._live.stop()


def _live() -> Live:
    from rich.console import Console  # noqa: PLC0415 - most runs show no progress.
    from rich.live import Live  # noqa: PLC0415 - the same.

    # It draws when it is told to: a thread that draws must not be there when the processes of a check are forked.
    return Live(
        console=Console(stderr=True, force_terminal=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
