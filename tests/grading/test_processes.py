"""A command is run to its end, and nothing of it is left: no process, no open file, no endless wait."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rubric_core.grading import processes
from rubric_core.grading.processes import (
    STDERR_LIMIT,
    CannotStart,
    CommandFailed,
    Finished,
    run_command,
    split_command,
)

if TYPE_CHECKING:
    from collections.abc import Callable

HANG_GUARD = 30.0
"""No test waits longer for what must happen at once."""

SHORT = 1.0
"""A time limit that every sleeping command exceeds."""


async def _run(code: str, folder: Path, *, time_limit: float = HANG_GUARD, **more: object) -> Finished:
    """Run a Python program."""
    command = [sys.executable, "-I", "-S", "-c", code]
    return await run_command(command, folder=folder, time_limit=time_limit, **more)  # type: ignore[arg-type]


@pytest.mark.asyncio
async def test_a_command_reads_its_input_and_its_output_comes_back(tmp_path: Path) -> None:
    """Standard output, standard error and the exit status are kept apart."""
    code = "import sys; print(sys.stdin.read().upper()); print('careful', file=sys.stderr); sys.exit(3)"
    finished = await _run(code, tmp_path, stdin="größe\n")
    assert finished == Finished(3, "GRÖSSE\n\n", "careful\n")


@pytest.mark.asyncio
async def test_a_command_runs_in_its_folder_with_its_environment(tmp_path: Path) -> None:
    """Nothing of our own environment is added to the one that is given."""
    code = "import os; print(os.getcwd()); print(os.environ.get('COLOUR')); print('HOME' in os.environ)"
    finished = await _run(code, tmp_path, environment={"COLOUR": "red"})
    assert finished.output == f"{tmp_path}\nred\nFalse\n"


@pytest.mark.asyncio
async def test_input_that_nobody_reads_is_no_failure(tmp_path: Path) -> None:
    """A command may end without a look at megabytes of input."""
    finished = await _run("print('done')", tmp_path, stdin="x" * 5_000_000)
    assert finished == Finished(0, "done\n", "")


@pytest.mark.asyncio
async def test_text_comes_back_whatever_the_bytes(tmp_path: Path) -> None:
    """Bytes that are no text are replaced, and line breaks are plain."""
    finished = await _run("import sys; sys.stdout.buffer.write(b'a\\xff\\r\\nb')", tmp_path)
    assert (finished.output, finished.output_is_utf8) == ("a\ufffd\nb", False)


@pytest.mark.asyncio
async def test_a_signal_that_ends_a_command_is_a_negative_status(tmp_path: Path) -> None:
    """As everywhere in Python."""
    finished = await _run("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", tmp_path)
    assert finished.status == -9


@pytest.mark.parametrize(
    ("finished", "words"),
    [
        (Finished(1, "out\n", "first\n  last \n\n"), "last"),
        (Finished(1, "first\nout\n", " \n"), "out"),
        (Finished(1, "", ""), ""),
    ],
)
def test_the_last_words_of_a_command_show_why_it_failed(finished: Finished, words: str) -> None:
    """They are at the end of standard error, or of standard output where that is empty."""
    assert finished.last_words == words


# Each program notes the process ids that it makes in the file `pids`, and then does what a bad command does.
_NOTE = """
import os, signal, sys, time
def note():
    with open("pids", "a") as file:
        file.write(f"{os.getpid()}\\n")
note()
"""
_ENDLESS = {
    "sleeps": "time.sleep(600)",
    "ignores being asked to end": "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nopen('ready', 'w')\ntime.sleep(600)",
    "forks and sleeps": "os.fork() == 0 and note()\ntime.sleep(600)",
    "forks children that ignore being asked": (
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nfor _ in range(3):\n    os.fork() or note()\ntime.sleep(600)"
    ),
    "closes its output": "os.close(1); os.close(2)\ntime.sleep(600)",
    "forks twice": "os.fork() == 0 and os.fork() == 0 and note()\ntime.sleep(600)",
    "is stopped": "os.kill(os.getpid(), signal.SIGSTOP)",
    "never stops working": "while True: pass",
}


def _is_running(pid: int) -> bool:
    """Return whether a process still does something; one that waits for somebody to notice its end does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def _noted(folder: Path) -> list[int]:
    path = folder / "pids"
    return [int(line) for line in path.read_text(encoding="utf-8").split()] if path.exists() else []


def _eventually(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + HANG_GUARD
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.01)
    return False


def _all_gone(folder: Path) -> bool:
    return _eventually(lambda: not any(_is_running(pid) for pid in _noted(folder)))


def _is_zombie_of_ours(pid: int) -> bool:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return False
    return fields[0] == "Z" and int(fields[1]) == os.getpid()


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks processes up in /proc")


@needs_proc
@pytest.mark.slow
@pytest.mark.asyncio
@pytest.mark.parametrize("program", _ENDLESS.values(), ids=_ENDLESS.keys())
async def test_nothing_is_left_of_a_command_whose_time_is_over(program: str, tmp_path: Path) -> None:
    """The whole process group is ended, and the message tells the limit."""
    with pytest.raises(CommandFailed, match=r"python\S* was ended because it took longer than 1 seconds\."):
        await _run(_NOTE + program, tmp_path, time_limit=SHORT)
    assert _noted(tmp_path)
    assert _all_gone(tmp_path)
    assert not any(_is_zombie_of_ours(pid) for pid in _noted(tmp_path))


@needs_proc
@pytest.mark.slow
@pytest.mark.asyncio
@pytest.mark.parametrize("program", _ENDLESS.values(), ids=_ENDLESS.keys())
@pytest.mark.parametrize("times", [1, 3], ids=["once", "again and again"])
async def test_nothing_is_left_of_a_command_that_is_cancelled(program: str, times: int, tmp_path: Path) -> None:
    """A cancellation goes on when everything has ended, however often it is repeated."""
    running = asyncio.ensure_future(_run(_NOTE + program, tmp_path))
    assert await asyncio.to_thread(_eventually, lambda: bool(_noted(tmp_path)))
    for _ in range(times):
        running.cancel()
        await asyncio.sleep(0.05)
    with pytest.raises(asyncio.CancelledError):
        await running
    assert _all_gone(tmp_path)
    assert not any(_is_zombie_of_ours(pid) for pid in _noted(tmp_path))


@needs_proc
@pytest.mark.asyncio
@pytest.mark.parametrize("turns", range(4))
async def test_a_command_that_is_cancelled_while_it_starts_is_ended(turns: int, tmp_path: Path) -> None:
    """There is no moment at which a process is forgotten."""
    running = asyncio.ensure_future(_run(_NOTE + "time.sleep(600)", tmp_path))
    for _ in range(turns):
        await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert _all_gone(tmp_path)
    assert not any(_is_running(pid) for pid in _children_that_sleep())


def _children_that_sleep() -> list[int]:
    """Return our children that run a test program."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            fields = (path / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            command = (path / "cmdline").read_bytes()
        except OSError:
            continue
        if int(fields[1]) == os.getpid() and b"time.sleep(600)" in command:
            found.append(int(path.name))
    return found


@needs_proc
@pytest.mark.asyncio
async def test_a_child_that_outlives_its_command_neither_holds_us_up_nor_stays(tmp_path: Path) -> None:
    """The child holds the output of the command open, and is ended with the group."""
    finished = await _run(_NOTE + "if os.fork() == 0:\n    note()\n    time.sleep(600)\nprint('done')", tmp_path)
    assert (finished.status, finished.output) == (0, "done\n")
    assert _all_gone(tmp_path)


@needs_proc
@pytest.mark.asyncio
async def test_a_child_in_a_session_of_its_own_does_not_hold_us_up(tmp_path: Path) -> None:
    """A daemon is nobody's child; it holds the output open, and we do not wait for it."""
    program = "if os.fork() == 0:\n    os.setsid()\n    note()\n    time.sleep(600)\n"
    program += "while len(open('pids').read().split()) < 2:\n    time.sleep(0.01)\nprint('done')"
    finished = await _run(_NOTE + program, tmp_path)
    assert finished.output == "done\n"
    os.kill(_noted(tmp_path)[1], 9)


@pytest.mark.asyncio
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
async def test_a_command_that_writes_without_end_is_ended(
    stream: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message tells the limit; the disk is not filled."""
    monkeypatch.setattr(processes, "OUTPUT_LIMIT", 1000)
    with pytest.raises(CommandFailed, match="wrote more than 1000 bytes"):
        await _run(f"import sys\nwhile True: sys.{stream}.write('x' * 99)", tmp_path)


@pytest.mark.asyncio
async def test_output_over_the_limit_is_never_cut_in_silence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that ends at once has written too much all the same."""
    monkeypatch.setattr(processes, "OUTPUT_LIMIT", 1000)
    with pytest.raises(CommandFailed, match="wrote more than"):
        await _run("print('x' * 2000)", tmp_path)


@pytest.mark.asyncio
async def test_of_standard_error_the_end_is_kept(tmp_path: Path) -> None:
    """Why a command failed is last."""
    finished = await _run(f"import sys; sys.stderr.write('x' * {STDERR_LIMIT} + 'why')", tmp_path)
    assert len(finished.errors) == STDERR_LIMIT
    assert finished.errors.endswith("xwhy")


def _script(folder: Path, name: str, text: str, *, mode: int = 0o755) -> None:
    (folder / name).write_text(text, encoding="utf-8")
    (folder / name).chmod(mode)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "The command is empty"),
        (["no-such-program"], "There is no program no-such-program; install it"),
        (["./missing.py"], r"There is no program \./missing\.py"),
        (["./plain.txt"], r"\./plain\.txt must not be run; make the file executable"),
        (["./lost.sh"], r"\./lost\.sh cannot be started: the program that its first line names does not exist"),
        (["./garbage"], r"\./garbage is no program; give it a first line"),
        ([sys.executable, "a\0b"], "holds a null character"),
        ([sys.executable, "-c", "pass", "x" * 4_000_000], "arguments are longer than the system allows"),
    ],
)
async def test_a_command_that_cannot_be_started_is_named_with_the_reason(
    arguments: list[str], reason: str, tmp_path: Path
) -> None:
    """Each sentence says what to do."""
    _script(tmp_path, "plain.txt", "text", mode=0o644)
    _script(tmp_path, "lost.sh", "#!/no/such/interpreter\n")
    _script(tmp_path, "garbage", "\x7f no program")
    with pytest.raises(CannotStart, match=reason):
        await run_command(arguments, folder=tmp_path, time_limit=HANG_GUARD)


@pytest.mark.asyncio
async def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    """The system would say of the program that it does not exist."""
    with pytest.raises(CannotStart, match=r"there is no folder .*/missing to run it in"):
        await _run("pass", tmp_path / "missing")


@pytest.mark.asyncio
async def test_an_event_loop_without_processes_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Notebooks on Windows have one."""

    async def refuse(*_: object, **__: object) -> None:
        raise NotImplementedError

    monkeypatch.setattr(asyncio, "create_subprocess_exec", refuse)
    with pytest.raises(CannotStart, match="cannot be started from this event loop"):
        await _run("pass", tmp_path)


def _open_files() -> int:
    gc.collect()
    return len(list(Path("/proc/self/fd").iterdir()))


@needs_proc
@pytest.mark.asyncio
async def test_many_commands_run_at_once_and_leave_no_file_open(tmp_path: Path) -> None:
    """Each run gives back what it opened."""
    await _run("pass", tmp_path)
    before = _open_files()
    finished = await asyncio.gather(*(_run(f"print({number})", tmp_path) for number in range(20)))
    assert [each.output for each in finished] == [f"{number}\n" for number in range(20)]
    assert _open_files() <= before


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        (["a b", "c"], ("a b", "c")),
        (("a", "$b"), ("a", "$b")),
        ("uv run python -m py_compile", ("uv", "run", "python", "-m", "py_compile")),
        ("check 'two words' \"and three more\" back\\ slash", ("check", "two words", "and three more", "back slash")),
        ("grep 'a|b' \"c;d\" e\\>f", ("grep", "a|b", "c;d", "e>f")),
        ("python -c 'print($x)'", ("python", "-c", "print($x)")),
        ("check # no comment", ("check", "#", "no", "comment")),
    ],
)
def test_a_command_is_split_as_a_shell_would(command: str | list[str], arguments: tuple[str, ...]) -> None:
    """A list is taken as it is, and quotes group words."""
    assert split_command(command) == arguments


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("check | tee log", r"uses \|, which needs a shell"),
        ("check && echo ok", "uses &, which needs a shell"),
        ("check > out", "uses >, which needs a shell"),
        ("check; true", "uses ;, which needs a shell"),
        ("check $HOME", r"uses \$, which needs a shell"),
        ('check "$HOME"', r"uses \$, which needs a shell"),
        ("check `date`", "uses `, which needs a shell"),
        ("check 'open", "cannot be split into arguments: no closing quotation"),
    ],
)
def test_a_command_that_needs_a_shell_is_refused(command: str, reason: str) -> None:
    """Nobody wants a `|` handed over as an argument."""
    with pytest.raises(CommandFailed, match=reason):
        split_command(command)


@pytest.mark.parametrize("name", ["a\0b", "x" * 5_000], ids=["null", "long"])
def test_what_the_system_cannot_name_is_no_command(name: str, tmp_path: Path) -> None:
    """As the program, and as the folder."""
    for command, folder in (([name], tmp_path), (["true"], tmp_path / name)):
        with pytest.raises(CannotStart):
            asyncio.run(run_command(command, folder=folder, time_limit=HANG_GUARD))
