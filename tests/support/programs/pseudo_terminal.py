"""A person at a terminal: types, and waits for what is shown."""

from __future__ import annotations

import fcntl
import os
import re
import select
import subprocess
import termios
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from waiting import TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from typing_extensions import Self

CONTROL_C = "\x03"
CONTROL_D = "\x04"

_CONTROL_SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class PseudoTerminal:
    """A process with a terminal for standard input and standard error; its standard output goes into a pipe."""

    def __init__(self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
        self._master, slave = os.openpty()
        self.process = subprocess.Popen(
            arguments,
            cwd=folder,
            env={**environment, "TERM": "xterm-256color"},
            stdin=slave,
            stdout=subprocess.PIPE,
            stderr=slave,
            start_new_session=True,
            # From then on, Ctrl-C on this terminal is a signal to the process.
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - it takes no lock.
        )
        os.close(slave)
        self.shown = ""
        self._looked_at = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.communicate()
        os.close(self._master)

    def expect(self, words: str) -> str:
        """Wait until some words are shown behind those that were waited for before; return what came up to them."""
        deadline = time.monotonic() + TIMEOUT
        while words not in (unread := plain(self.shown)[self._looked_at :]):
            assert self._read(deadline - time.monotonic()), f"{words!r} is not in {unread!r}"
        end = unread.index(words) + len(words)
        self._looked_at += end
        return unread[:end]

    def type(self, text: str) -> None:
        """Type something."""
        os.write(self._master, text.encode())

    def answer(self, words: str, line: str) -> None:
        """Wait for some words, then type a line."""
        self.expect(words)
        self.type(f"{line}\n")

    def end(self) -> tuple[int, str]:
        """Wait for the end; return the status and standard output."""
        output, _ = self.process.communicate(timeout=TIMEOUT)
        while self._read(0):
            pass
        return self.process.returncode, output.decode()

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self._master], [], [], max(seconds, 0))
        data = b""
        # Linux reports the end of the other side as a failure.
        with suppress(OSError):
            data = os.read(self._master, 65_536) if ready else b""
        self.shown += data.decode("utf-8", "replace")
        return bool(data)


def plain(shown: str) -> str:
    """Return what is shown without colours."""
    return _CONTROL_SEQUENCE.sub("", shown).replace("\r\n", "\n")
