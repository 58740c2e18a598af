"""Doing a part of the work in a second process while the first one goes on."""

from __future__ import annotations

import os
import pickle
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

Result = TypeVar("Result")


def can_fork() -> bool:
    """Tell whether this system can copy a process with all that it has read."""
    return hasattr(os, "fork")


def in_background(work: Callable[[], Result]) -> Callable[[], Result | None]:
    """Start the work in a copy of this process; the returned function waits for it.

    It gives None where the copy could not be made or did not finish. Whoever asks then does the work themselves, so
    nothing depends on the second process.
    """
    try:
        reader, writer = os.pipe()
        process = os.fork()
    except OSError:
        return lambda: None
    if process == 0:
        _work_and_leave(work, reader, writer)
    os.close(writer)

    def wait() -> Result | None:
        with os.fdopen(reader, "rb") as pipe:
            data = pipe.read()
        _, status = os.waitpid(process, 0)
        result: Result | None = pickle.loads(data) if status == 0 else None  # noqa: S301 - our own process wrote it.
        return result

    return wait


def _work_and_leave(work: Callable[[], Result], reader: int, writer: int) -> None:
    """Do the work in the copy and end it there; nothing of the first process may run a second time."""
    status = 1
    try:
        os.close(reader)
        with os.fdopen(writer, "wb") as pipe:
            pickle.dump(work(), pipe)
        status = 0
    finally:
        os._exit(status)
