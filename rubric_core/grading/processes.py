"""Running a command to its end: with limits of time and output, and without leaving processes behind.

The command is started without a shell, as the leader of its own process group. When it ends, the whole group is
ended, so that no child process of a judge remains.

Input and output are temporary files, not pipes. A pipe ends only with its last holder, so a command that leaves a
child behind would block until that child ends; and one that never reads its input would break the pipe.
"""

import asyncio
import errno
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from asyncio.subprocess import Process
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from rubric_core.text.patterns import lazily
from rubric_core.text.writing import without_surrogates

OUTPUT_LIMIT = 10 * 1024 * 1024
"""The bytes that a command may write to standard output, and to standard error."""

STDERR_LIMIT = 64 * 1024
"""The bytes that are kept of standard error: its end, which usually has the reason why a command failed."""

_TERMINATION_TIMEOUT = 1.0
"""The seconds that a command gets to end by itself once it is asked to."""

_POLL_INTERVAL = 0.2
"""The seconds between two checks of the size of the output."""

_FOR_A_SHELL = lazily(
    r"""
    (?: [^\\'"|&;<>()$`] | \\. | '[^']*' | "(?:[^\\"$`]|\\.)*" )*  # What means nothing to it, or is quoted,
    (?: ([|&;<>()$`]) | "(?:[^\\"$`]|\\.)*([$`]) )                  # and what does, the last two also in "quotes".
    """,
    re.DOTALL | re.VERBOSE,
)


class CommandFailed(Exception):  # noqa: N818 - reads as a sentence where it is caught.
    """A command that did not run to its end. The message is one sentence for the user."""


class CannotStart(CommandFailed):
    """The command was not started: there is no such program, or it cannot be run."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A command that ended by itself; `status` is negative if a signal ended it.

    `output_is_utf8` is false if bytes of standard output are not UTF-8; they are replaced in `output`.
    """

    status: int
    output: str
    errors: str
    output_is_utf8: bool = True

    @property
    def ending(self) -> str:
        """Return how it ended, as the end of a sentence; a signal is named if the system has a name for it."""
        if self.status >= 0:
            return f"ended with status {self.status}"
        number = -self.status
        names = {number.value: number.name for number in signal.Signals}
        return f"was ended by signal {number}" + (f" ({names[number]})" if number in names else "")

    @property
    def last_words(self) -> str:
        """Return the last line of standard error or, if that is empty, of standard output."""
        lines = (self.errors.strip() or self.output.strip()).splitlines()
        return lines[-1].strip() if lines else ""


def split_command(command: str | Sequence[str]) -> tuple[str, ...]:
    """Return the arguments of a command; a text is split. Raises CannotStart for one that needs a shell."""
    if not isinstance(command, str):
        return tuple(command)
    if (match := _FOR_A_SHELL.match(command)) is not None:
        needed = match[1] or match[2]
        raise CannotStart(
            f"The command `{command}` uses {needed}, which needs a shell, and no shell is started; put the command "
            f"into a script and name the script, or quote the {needed}."
        )
    try:
        return tuple(shlex.split(command))
    except ValueError as error:
        raise CannotStart(f"The command `{command}` cannot be split into arguments: {str(error).lower()}.") from None


async def run_command(
    arguments: Sequence[str],
    *,
    folder: str | os.PathLike[str],
    time_limit: float,
    stdin: str = "",
    environment: Mapping[str, str] | None = None,
) -> Finished:
    """Run a command in a folder, and return what it wrote and how it ended.

    `environment` is the whole environment of the command; None is our own. Raises CommandFailed. Cancelling ends the
    command and all its children before it goes on.
    """
    with ExitStack() as files:
        written, output, errors = (files.enter_context(tempfile.TemporaryFile()) for _ in range(3))
        written.write(without_surrogates(stdin).encode())
        written.seek(0)
        streams = {"stdin": written, "stdout": output, "stderr": errors}
        process = await _start(arguments, cwd=folder, env=environment, **streams)
        try:
            await _watch(process, arguments[0], (output, errors), time_limit)
        finally:
            if await _wait_until_done(asyncio.ensure_future(_end_group(process))):
                raise asyncio.CancelledError
        assert process.returncode is not None  # noqa: S101 - the group has ended, and its leader was waited for.
        (printed, is_utf8), (complained, _) = _tail(output, OUTPUT_LIMIT), _tail(errors, STDERR_LIMIT)
        return Finished(process.returncode, printed, complained, is_utf8)


@contextmanager
def temporary_file(name: str, text: str) -> Iterator[Path]:
    """Write a text to a file of this name, in a temporary folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="rubric-", ignore_cleanup_errors=True) as folder:
        path = Path(folder, name)
        path.write_bytes(without_surrogates(text).encode())
        yield path


async def _start(arguments: Sequence[str], **settings: Any) -> Process:
    """Start a process. If this is cancelled while it starts, the process is ended too."""
    if not arguments:
        raise CannotStart("The command is empty; name a program.")
    program, *rest = arguments
    starting = asyncio.ensure_future(asyncio.create_subprocess_exec(program, *rest, **settings, **_OWN_GROUP))
    cancelled = await _wait_until_done(starting)
    try:
        process = starting.result()
    except (OSError, ValueError, NotImplementedError) as error:
        raise CannotStart(_start_error(program, error, settings["cwd"])) from None
    if cancelled:
        await _wait_until_done(asyncio.ensure_future(_end_group(process)))
        raise asyncio.CancelledError
    return process


async def _watch(process: Process, program: str, streams: Sequence[IO[bytes]], time_limit: float) -> None:
    """Wait until a process ends, takes too long or writes too much."""
    clock = asyncio.get_running_loop().time
    deadline = clock() + time_limit
    ended = asyncio.ensure_future(process.wait())
    try:
        while True:
            await asyncio.wait({ended}, timeout=max(0, min(deadline - clock(), _POLL_INTERVAL)))
            if any(os.fstat(stream.fileno()).st_size > OUTPUT_LIMIT for stream in streams):
                raise CommandFailed(f"{program} was ended because it wrote more than {OUTPUT_LIMIT} bytes.")
            if ended.done():
                return
            if clock() >= deadline:
                raise CommandFailed(f"{program} was ended because it took longer than {time_limit:g} seconds.")
    finally:
        ended.cancel()


async def _end_group(process: Process) -> None:
    """End a process and its children: terminate them first, then kill them."""
    try:
        if process.returncode is None:
            _signal_group(process.pid, gently=True)
            await asyncio.wait({asyncio.ensure_future(process.wait())}, timeout=_TERMINATION_TIMEOUT)
    finally:
        _signal_group(process.pid, gently=False)
    await process.wait()


async def _wait_until_done(task: asyncio.Future[Any]) -> bool:
    """Wait until a task is done, in spite of cancellations; return whether there were any."""
    cancelled = False
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:  # noqa: PERF203 - each of them is taken note of.
            cancelled = True
    return cancelled


def _tail(stream: IO[bytes], limit: int) -> tuple[str, bool]:
    """Return the end of what was written, with plain line breaks, and whether it is UTF-8; other bytes are replaced."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - limit))
    written = stream.read(limit)
    text = written.decode("utf-8", "replace")
    return text.replace("\r\n", "\n"), text.encode() == written


def _start_error(program: str, error: Exception, folder: str | os.PathLike[str]) -> str:
    if isinstance(error, NotImplementedError):
        return f"{program} cannot be started from this event loop; use asyncio's ProactorEventLoop on Windows."
    if isinstance(error, ValueError):
        return f"{program} cannot be started: an argument or a variable holds a null character."
    code = getattr(error, "errno", None)
    # A `Path` raises where a name is too long.
    if not os.path.isdir(folder):  # noqa: PTH112 - any text.
        return f"{program} cannot be started: there is no folder {folder} to run it in."
    if code == errno.ENOENT and os.path.isfile(os.path.join(folder, program)):  # noqa: PTH113, PTH118 - the same.
        return f"{program} cannot be started: the program that its first line names does not exist."
    reasons = {
        errno.ENOENT: f"There is no program {program}; install it, or correct the path, which starts at {folder}.",
        errno.EACCES: f"{program} must not be run; make the file executable, or name the program that runs it.",
        errno.ENOEXEC: f"{program} is no program; give it a first line such as #!/usr/bin/env python3.",
        errno.E2BIG: f"{program} cannot be started: its arguments are longer than the system allows; use a file.",
    }
    return reasons.get(code or 0, f"{program} cannot be started: {getattr(error, 'strerror', None) or error}.")


if sys.platform == "win32":  # pragma: no cover - the tests run where there are process groups.
    _OWN_GROUP: dict[str, Any] = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}

    def _signal_group(leader: int, *, gently: bool) -> None:
        force = () if gently else ("/F",)
        command = ["taskkill", *force, "/T", "/PID", str(leader)]
        subprocess.run(command, capture_output=True, check=False)  # noqa: S603 - fixed but for a number.

else:
    _OWN_GROUP: dict[str, Any] = {"start_new_session": True}

    def _signal_group(leader: int, *, gently: bool) -> None:
        # The group is gone, or holds only what has ended and was not waited for; macOS calls that a lack of permission.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(leader, signal.SIGTERM if gently else signal.SIGKILL)
