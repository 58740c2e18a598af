"""Output to standard output, files and standard error; exit statuses, and the error that ends a command."""

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
    """An error that ends the whole command; the message says what and where."""

    exit_code = COULD_NOT_RUN

    def show(self, file: object = None) -> None:  # noqa: ARG002 - the signature is click's.
        """Print the message in the form of all messages about files."""
        click.echo(f"rubric: {self.format_message()}", err=True)


def page_for(stream: TextIO) -> Page:
    """Return the page for a stream: a terminal has a width, a pipe and a file have none."""
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
    """Write text for people; characters missing in the console's encoding are escaped, a closed pipe is no error."""
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


def print_diff(shown: str, before: str, after: str) -> None:
    """Write the difference between two texts of a file as a patch."""
    from rubric_core.report.diff import render_diff  # noqa: PLC0415 - most runs show no difference.

    print_exact(render_diff(shown, before, after, page_for(sys.stdout).paint))


def write_file(path: Path, text: str) -> None:
    """Write a file whole or not at all; an error ends the command."""
    from rubric_core.files.write import remove_leftovers, write_text  # noqa: PLC0415 - most runs write no file.

    remove_leftovers([path])
    failure = write_text(path, text.encode("utf-8", "backslashreplace").decode())
    if failure is not None:
        raise CouldNotRun(f"{path}: {failure.message}") from None


def show_rendered(format_: Format, *reported: Any, output: Path | None = None, **options: Any) -> None:
    """Write a report in a format to a file or to standard output; only a terminal gets colours."""
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
    """Write a message about a file to standard error; its name may contain any characters."""
    where = f"{harmless(path)}: " if path else ""
    say(f"rubric: {where}{harmless(message)}")


def suggestion(word: str, valid: Collection[str], otherwise: str, mark: str = "`") -> str:
    """Return a question with the most similar word, or else another sentence."""
    from rubric_core.schema.suggest import closest  # noqa: PLC0415 - only a typing error needs it.

    similar = closest(word, valid)
    return f"Did you mean {mark}{similar}{mark}?" if similar else otherwise


def end_quietly() -> None:
    """Discard the remaining output, so that closing the streams does not fail again."""
    null = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError, ValueError):
        os.dup2(null, sys.stdout.fileno())
    os.close(null)


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
    """A progress bar with words beside it, only on a terminal."""

    def __init__(self, total: int, *, shown: bool = True) -> None:
        self.total = total
        self._live: Live | None = None
        self._next = 0.0
        if shown and stderr_is_terminal():
            from rich.console import Console  # noqa: PLC0415 - most runs show no progress.
            from rich.live import Live  # noqa: PLC0415 - the same.

            # Without automatic refreshes, because no thread may draw when the processes of a check are forked.
            console = Console(stderr=True, force_terminal=True)
            self._live = Live(
                console=console, auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False
            )

    def show(self, done: int, words: str) -> None:
        """Show how many are done, unless the line was updated a moment ago and is not the last one."""
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
        """Remove the line before other text is written."""
        if self._live is not None:
            self._live.stop()
