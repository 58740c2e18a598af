"""The signals that ask a program to end, and a task that ends by them."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

STOPPING_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Ctrl-C, a request to end, and a terminal that is closed."""


def cancel_on_signals(task: asyncio.Future[Any], signals: Iterable[signal.Signals] = STOPPING_SIGNALS) -> None:
    """Cancel a task of the running event loop when one of these signals comes."""
    for number in signals:
        # Windows has no handlers of this kind; there Ctrl-C raises KeyboardInterrupt, which cancels too.
        with suppress(NotImplementedError):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
