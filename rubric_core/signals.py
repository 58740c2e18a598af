"""The signals that ask a program to end, and a task that ends by them."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio

STOPPING_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Ctrl-C, a request to end, and a terminal that is closed."""


def cancel_on_signals(task: asyncio.Future[Any], signals: Iterable[signal.Signals] = STOPPING_SIGNALS) -> None:
    """Cancel a task of the running event loop when one of these signals comes."""
    from asyncio import get_running_loop  # noqa: PLC0415 - those who only need the names of the signals need no loop.

    for number in signals:
        # Windows has no handlers of this kind; there Ctrl-C raises KeyboardInterrupt, which cancels too.
        with suppress(NotImplementedError):
            get_running_loop().add_signal_handler(number, task.cancel)


@contextmanager
def interrupted_by_signals() -> Iterator[None]:
    """Let each of these signals raise KeyboardInterrupt meanwhile; one that is ignored stays ignored."""
    changed = [number for number in STOPPING_SIGNALS if signal.getsignal(number) is signal.SIG_DFL]
    for number in changed:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in changed:
            signal.signal(number, signal.SIG_DFL)
