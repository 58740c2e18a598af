"""A program that fills a whole terminal, and what is on it."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import termios
import time
from contextlib import suppress
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from waiting import TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

ROWS, COLUMNS = 40, 120

_SEQUENCE = re.compile(
    r"\x1b\[(?P<numbers>[0-9;:?<=>]*)[ !\"'$]*(?P<final>[@-~])"
    r"|\x1b[\]PX^_].*?(?:\x07|\x1b\\)|\x1b[()#%].|\x1b[=>NOMDEHc78]",
    re.DOTALL,
)
_UNFINISHED = re.compile(r"\x1b[^@-~]{0,40}\Z|\x1b\[[0-9;:?<=>]*\Z|\x1b[\]PX^_][^\x07]{0,200}\Z", re.DOTALL)
# What a plain terminal answers when it is asked what it is.
_WHO_ARE_YOU, _A_TERMINAL = "\x1b[c", b"\x1b[?62c"


class Screen:
    """The characters on a terminal, as the control sequences of a program place them. Colours are passed over."""

    def __init__(self) -> None:
        self._cells = [[" "] * COLUMNS for _ in range(ROWS)]
        self._row = self._column = 0
        self._rest = ""

    @property
    def text(self) -> str:
        """Return the lines without the spaces at their ends."""
        return "\n".join("".join(row).rstrip() for row in self._cells)

    def write(self, data: str) -> None:
        """Take what the program writes; a sequence that is cut off waits for its end."""
        data, self._rest = self._rest + data, ""
        cut = _UNFINISHED.search(data)
        if cut is not None and not _SEQUENCE.match(data, cut.start()):
            data, self._rest = data[: cut.start()], data[cut.start() :]
        place = 0
        while place < len(data):
            found = _SEQUENCE.match(data, place)
            if found is not None:
                self._control(found)
                place = found.end()
            else:
                self._put(data[place])
                place += 1

    def _put(self, character: str) -> None:
        if character == "\r":
            self._column = 0
        elif character == "\n":
            self._row = min(self._row + 1, ROWS - 1)
        elif character == "\b":
            self._column = max(self._column - 1, 0)
        elif character >= " " and self._column < COLUMNS:
            # A wide character takes two places, the second of which is empty.
            width = 2 if east_asian_width(character) in "WF" else 1
            self._cells[self._row][self._column : self._column + width] = [character, ""][:width]
            self._column += width

    def _control(self, found: re.Match[str]) -> None:
        final = found["final"]
        if final is None or "?" in found["numbers"]:
            return
        numbers = [int(number) if number.isdigit() else 0 for number in found["numbers"].split(";")]
        move = _MOVES.get(final)
        if move is not None:
            row, column = move(self._row, self._column, numbers)
            self._row, self._column = min(max(row, 0), ROWS - 1), min(max(column, 0), COLUMNS - 1)
        elif final == "J":
            self._cells = [[" "] * COLUMNS for _ in range(ROWS)]
        elif final == "K":
            self._cells[self._row][self._column :] = [" "] * (COLUMNS - self._column)


def _at(numbers: list[int], place: int) -> int:
    """Return a number of a sequence, which is 1 where it is left out."""
    return max(numbers[place], 1) if place < len(numbers) else 1


_MOVES: dict[str, Callable[[int, int, list[int]], tuple[int, int]]] = {
    "H": lambda _row, _column, numbers: (_at(numbers, 0) - 1, _at(numbers, 1) - 1),
    "f": lambda _row, _column, numbers: (_at(numbers, 0) - 1, _at(numbers, 1) - 1),
    "A": lambda row, column, numbers: (row - _at(numbers, 0), column),
    "B": lambda row, column, numbers: (row + _at(numbers, 0), column),
    "C": lambda row, column, numbers: (row, column + _at(numbers, 0)),
    "D": lambda row, column, numbers: (row, column - _at(numbers, 0)),
    "G": lambda row, _column, numbers: (row, _at(numbers, 0) - 1),
    "d": lambda _row, column, numbers: (_at(numbers, 0) - 1, column),
}


class ScreenProgram:
    """A program with a terminal of its own."""

    def __init__(self, command: Sequence[str | Path], folder: Path, environment: Mapping[str, str]) -> None:
        self._master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        # Some programs open the terminal by its name, so it must be that of their session. `timeout` ends a program
        # that a test leaves behind.
        self._process = subprocess.Popen(
            ["setsid", "--ctty", "timeout", "--foreground", "300", *command],  # noqa: S607 - the usual ones.
            cwd=folder,
            env={**environment, "TERM": "xterm-256color", "COLORTERM": "truecolor"},
            stdin=slave,
            stdout=slave,
            stderr=slave,
        )
        os.close(slave)
        self.screen = Screen()

    def expect(self, words: str) -> str:
        """Wait until some words are on the screen, and return all of it."""
        return self.until(lambda text: words in text, words)

    def until(self, holds: Callable[[str], bool], what: str) -> str:
        """Wait until the screen is as a test wants it, and return all of it."""
        end = time.monotonic() + TIMEOUT
        while not holds(self.screen.text):
            assert time.monotonic() < end, f"{what!r} does not come:\n{self.screen.text}"
            self._read()
        return self.screen.text

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self._master, keys.encode())

    def close(self) -> None:
        """End the program with all that it started: an editor without its terminal would go on for ever."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        os.close(self._master)

    def _read(self) -> None:
        ready, _, _ = select.select([self._master], [], [], 0.2)
        # Linux reports the end of the other side as a failure.
        with suppress(OSError):
            data = os.read(self._master, 65_536).decode("utf-8", "replace") if ready else ""
            if _WHO_ARE_YOU in data:
                os.write(self._master, _A_TERMINAL)
            self.screen.write(data)
