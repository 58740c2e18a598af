"""Where text goes: standard output, a file, standard error. Exit statuses, and the error that ends a command."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from rubric_core.terminal.display import PIPE, Page, harmless, wants_colour

if TYPE_CHECKING:
    from rich.live import Live

    from rubric_core.report.formats import Format

OK = 0
PROBLEMS = 1
COULD_NOT_RUN = 2
INTERRUPTED = 130

STOPPING_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Ctrl-C, a request to end, and a terminal that is closed."""


class CouldNotRun(click.ClickException):
    """Something that stops the whole command; the message says what and where."""

    exit_code = COULD_NOT_RUN

    def show(self, file: object = None) -> None:  # noqa: ARG002 - the signature is click's.
        """Write the message as every other message about a file is written."""
        click.echo(f"rubric: {self.format_message()}", err=True)


def page_for(stream: TextIO) -> Page:
    """Return what a report for a stream is drawn on: a terminal has a width, a pipe and a file have none."""
    if not stream.isatty():
        return Page(None, wants_colour(os.environ, is_terminal=False), stream.encoding)
    from shutil import get_terminal_size  # noqa: PLC0415 - a pipe needs no size, and all of shutil is large.

    return Page(get_terminal_size().columns, wants_colour(os.environ, is_terminal=True), stream.encoding)


def stderr_is_terminal() -> bool:
    """Return whether standard error is a terminal."""
    return sys.stderr.isatty()


def stdout_is_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout.isatty()


def print_text(text: str) -> None:
    """Write text for people; a character that the console does not have is escaped, and a closed pipe is no error."""
    _forgive_encoding(sys.stdout)
    _print(text)


def print_data(text: str, encoding: str = "utf-8") -> None:
    """Write text for machines, in an encoding that does not depend on the console."""
    _print(text.encode(encoding, "backslashreplace"))


def print_exact(text: str) -> None:
    """Write text that another program may read: byte-exact, unless the output is a terminal."""
    if stdout_is_terminal():
        print_text(text)
    else:
        print_data(text)


def write_file(path: Path, text: str) -> None:
    """Write a file whole or not at all; what goes wrong ends the command."""
    from rubric_core.files.write import remove_leftovers, write_text  # noqa: PLC0415 - most runs write no file.

    remove_leftovers([path])
    failure = write_text(path, text.encode("utf-8", "backslashreplace").decode())
    if failure is not None:
        raise CouldNotRun(f"{path}: {failure.message}") from None


def show_rendered(format_: Format, *reported: Any, output: Path | None = None, **options: Any) -> None:
    """Write what is reported in a format to a file or to standard output; only a terminal gets colours."""
    if output is not None:
        write_file(output, format_.render(*reported, page=PIPE, **options))
    elif format_.for_people:
        print_text(format_.render(*reported, page=page_for(sys.stdout), **options))
    else:
        print_data(format_.render(*reported, **options))


def say(message: str) -> None:
    """Write one line to standard error."""
    _forgive_encoding(sys.stderr)
    with suppress(OSError):
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()


def say_failure(path: str, message: str) -> None:
    """Say on standard error that a file could not be checked; its name may hold anything."""
    where = f"{harmless(path)}: " if path else ""
    say(f"rubric: {where}{harmless(message)}")


def suggestion(word: str, valid: Collection[str], otherwise: str, mark: str = "`") -> str:
    """Return a question with the most similar word, or else another sentence."""
    from rubric_core.schema.suggest import closest  # noqa: PLC0415 - only a typing error needs it.

    similar = closest(word, valid)
    return f"Did you mean {mark}{similar}{mark}?" if similar else otherwise


def end_quietly() -> None:
    """Send what is still to be written nowhere, so that closing the streams does not fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError, ValueError):
        os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def _print(data: str | bytes) -> None:
    try:
        if isinstance(data, bytes):
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
        else:
            sys.stdout.write(data)
        sys.stdout.flush()
    except BrokenPipeError:
        end_quietly()


def _forgive_encoding(stream: TextIO) -> None:
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


# The progress of a command

_INTERVAL = 0.1
_BAR_WIDTH = 20


class ProgressLine:
    """A bar with words beside it. It is kept up to date on a terminal and written nowhere else."""

    def __init__(self, total: int, *, shown: bool = True) -> None:
        self.total = total
        self._live = _live() if shown and stderr_is_terminal() else None
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

    # It draws only on request: a thread that draws must not be there when the processes of a check are forked.
    return Live(
        console=Console(stderr=True, force_terminal=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
