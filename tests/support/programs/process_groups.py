"""Programs that start others: they end together, with the test that started them and also if this process is killed."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

# Waits for the end of its input, which comes with the end of the process that holds the other side, however that ends.
_GUARD = "cat; kill -s TERM -- -$0; sleep 5; kill -s KILL -- -$0"
_PATIENCE_IN_SECONDS = 20


@contextmanager
def process_group(command: Sequence[str | Path], **options: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program in a group of its own, and end the group on leaving; a guard does so if we are killed."""
    process = subprocess.Popen(command, start_new_session=True, **options)
    guard = subprocess.Popen(
        ["/bin/sh", "-c", _GUARD, str(process.pid)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        _end_group(process)
        os.killpg(guard.pid, signal.SIGKILL)
        guard.communicate()


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End a process with all that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_PATIENCE_IN_SECONDS)
    # What it started may take longer than itself, or not listen.
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
