"""`rubric check` of a folder in which one file is slow or broken: the others are reported all the same."""

from __future__ import annotations

import json
import signal
import time
from typing import TYPE_CHECKING, Any

import pytest
from waiting import TIMEOUT

from rubric_core.cli.parallel import WORTH_A_POOL, can_fork

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.slow,  # Each of these starts processes.
    pytest.mark.skipif(not can_fork(), reason="This system cannot copy a process."),
]

SELECTED = ("--select", "RB104")
SLOW = "b-waits.yaml"

# What happens to a file is in its name. A file that waits does so until there is a file called `go`. The rules are
# imported before, so that a file that does not wait is done soon.
TROUBLE = """
import os, time
from pathlib import Path
import rubric_core.analysis.check
from rubric_core.cli import check_file, workers

workers.TIMEOUT = 0.5
check_read = check_file.check_read

def note(*words):
    with Path("log").open("a") as log:
        log.write(" ".join(words) + "\\n")

def check(source, *arguments, **options):
    note("begun", source.shown)
    while "waits" in source.shown and not Path("go").exists():
        time.sleep(0.01)
    if "dies" in source.shown:
        os._exit(9)
    if "memory" in source.shown:
        raise MemoryError("no room")
    outcome = check_read(source, *arguments, **options)
    note("done", source.shown)
    return outcome

check_file.check_read = check
"""

# A pool of processes as on a system that cannot copy a process; here they are copies all the same.
IN_A_POOL = """
from rubric_core.cli import parallel
parallel.can_fork = lambda: False
"""


def shown_files(stdout: str) -> list[str]:
    """Return the files of the frames, in the order of the report."""
    arrows = [line.partition("-->")[2] for line in stdout.splitlines() if line.strip().startswith("-->")]
    return [arrow.strip().partition(":")[0] for arrow in arrows]


def read_frames(running: Any, number: int) -> str:
    """Read what a process prints until so many frames have begun."""
    text = ""
    while len(shown_files(text)) < number:
        line = running.stdout.readline()
        assert line, running.stderr.read()
        text += line
    return text


def wait_until_one_is_left(folder: Path, names: list[str]) -> None:
    """Wait until a single process has done all files but the slow one, with which it begins again."""
    done: set[str] = set()
    last = ""
    while last != f"begun {SLOW}" or done != {*names} - {SLOW}:
        time.sleep(0.01)
        lines = (folder / "log").read_text().splitlines() if (folder / "log").exists() else []
        done = {line.removeprefix("done ") for line in lines if line.startswith("done ")}
        last = lines[-1] if lines else ""


@pytest.fixture
def names(folder: Path, texts: Any) -> list[str]:
    """Write some files with a problem each; the second one is slow."""
    names = ["a.yaml", SLOW, "c.yaml", "d.yaml", "e.yaml"]
    for name in names:
        (folder / name).write_text(texts.inverted)
    return names


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_text_is_shown_while_a_slow_file_is_checked(process: Any, folder: Path, names: list[str], jobs: str) -> None:
    """The report of the slow file is shown when it is there, and nothing else changes."""
    running = process("check", *SELECTED, "--jobs", jobs, before=TROUBLE)
    early = read_frames(running, 4)
    (folder / "go").touch()
    rest, stderr = running.communicate(timeout=60)
    assert sorted(shown_files(early)) == ["a.yaml", "c.yaml", "d.yaml", "e.yaml"]
    assert shown_files(rest) == [SLOW]
    assert rest.endswith(f"Found {len(names)} errors in 5 files; 5 can be fixed with `rubric fix`.\n")
    assert (running.returncode, stderr) == (1, "")


@pytest.mark.parametrize("slow", ["b-waits.yaml c-waits.yaml", "a-waits.yaml b-waits.yaml c-waits.yaml"])
def test_several_slow_files_keep_nothing_back(process: Any, folder: Path, texts: Any, slow: str) -> None:
    """Also where there are more of them than processes."""
    for name in (*slow.split(), "x.yaml", "y.yaml"):
        (folder / name).write_text(texts.inverted)
    running = process("check", *SELECTED, "--jobs", "2", before=TROUBLE)
    early = read_frames(running, 2)
    (folder / "go").touch()
    rest, _ = running.communicate(timeout=60)
    assert sorted(shown_files(early)) == ["x.yaml", "y.yaml"]
    assert sorted(shown_files(rest)) == slow.split()


@pytest.mark.parametrize("format_", ["json", "text"])
def test_a_report_for_machines_is_complete_and_in_order(
    process: Any, folder: Path, names: list[str], format_: str
) -> None:
    """However long a file takes; the same holds for text in a file."""
    running = process("check", *SELECTED, "--format", format_, "--output", "report", "--jobs", "1", before=TROUBLE)
    wait_until_one_is_left(folder, names)
    (folder / "go").touch()
    running.communicate(timeout=60)
    report = (folder / "report").read_text()
    assert (shown_files(report) if format_ == "text" else [each["path"] for each in json.loads(report)]) == names


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("format_", ["text", "json"])
def test_what_was_found_is_printed_when_the_check_is_stopped(
    process: Any, folder: Path, names: list[str], format_: str, number: signal.Signals
) -> None:
    """With the name of what was not checked, and a status that tells it apart."""
    running = process("check", *SELECTED, "--format", format_, "--jobs", "1", before=TROUBLE)
    wait_until_one_is_left(folder, names)
    running.send_signal(number)
    stdout, stderr = running.communicate(timeout=60)
    found = shown_files(stdout) if format_ == "text" else [each["path"] for each in json.loads(stdout)]
    assert sorted(found) == ["a.yaml", "c.yaml", "d.yaml", "e.yaml"]
    assert stderr == "rubric: Stopped before 1 of 5 files was checked: b-waits.yaml.\n"
    assert running.returncode == 130


@pytest.mark.parametrize("before", [TROUBLE, TROUBLE + IN_A_POOL], ids=["copies", "pool"])
@pytest.mark.usefixtures("names")
def test_no_process_works_on_when_the_first_is_killed(process: Any, folder: Path, texts: Any, before: str) -> None:
    """Each of them keeps the output open, and the slow file is never done."""
    (folder / "f.yaml").write_text(texts.inverted + "#" * WORTH_A_POOL)
    running = process("check", *SELECTED, "--jobs", "2", before=before)
    while f"begun {SLOW}" not in ((folder / "log").read_text() if (folder / "log").exists() else ""):
        time.sleep(0.01)
    running.kill()
    running.communicate(timeout=TIMEOUT)
    assert not (folder / "go").exists()


@pytest.mark.parametrize("arguments", [["--output", "report"], ["--baseline", "report", "--write-baseline"]])
def test_no_file_is_written_when_the_check_is_stopped(
    process: Any, folder: Path, names: list[str], arguments: list[str]
) -> None:
    """It would be taken for a whole report."""
    running = process("check", *SELECTED, *arguments, "--jobs", "1", before=TROUBLE)
    wait_until_one_is_left(folder, names)
    running.send_signal(signal.SIGINT)
    assert "Stopped before 1 of 5 files" in running.communicate(timeout=60)[1]
    assert running.returncode == 130
    assert not (folder / "report").exists()


def test_a_watch_that_is_stopped_while_it_checks_shows_what_it_has(
    process: Any, folder: Path, names: list[str]
) -> None:
    """It ends there."""
    running = process("check", "--watch", *SELECTED, "--jobs", "1", before=TROUBLE)
    wait_until_one_is_left(folder, names)
    running.send_signal(signal.SIGINT)
    stdout, stderr = running.communicate(timeout=60)
    assert len(shown_files(stdout)) == 4
    assert "Stopped before 1 of 5 files" in stderr
    assert running.returncode == 130


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("format_", ["text", "json", "sarif"])
def test_broken_files_are_named_and_the_others_are_reported(
    process: Any, folder: Path, texts: Any, jobs: str, format_: str
) -> None:
    """A process that dies costs its own file, also if it is the only process."""
    for name in ("a.yaml", "b-dies.yaml", "c-memory.yaml", "d.yaml", "e-dies.yaml", "f.yaml"):
        (folder / name).write_text(texts.inverted)
    (folder / "g.eval.yaml").write_bytes(b"\0")
    running = process("check", *SELECTED, "--format", format_, "--jobs", jobs, before=TROUBLE)
    stdout, stderr = running.communicate(timeout=60)
    assert [name in stdout for name in ("a.yaml", "d.yaml", "f.yaml", "dies", "memory")] == [True] * 3 + [False] * 2
    lines = stderr.splitlines()
    assert [line.split(": ")[1] for line in lines] == ["b-dies.yaml", "c-memory.yaml", "e-dies.yaml", "g.eval.yaml"]
    assert lines[0].startswith("rubric: b-dies.yaml: The worker process of this file ended unexpectedly")
    assert running.returncode == 2


@pytest.mark.parametrize("name", [".gitignore", "prompt.md", "a.answers.json"])
def test_a_pipe_beside_an_eval_file_is_not_waited_for(process: Any, folder: Path, texts: Any, name: str) -> None:
    """Whatever its name says that it is."""
    import os  # noqa: PLC0415 - named pipes are made here only.

    os.mkfifo(folder / name)
    (folder / "a.yaml").write_text(texts.inverted + "    evaluators: [{name: x, type: llm_judge, prompt: prompt.md}]\n")
    running = process("check", *SELECTED)
    assert shown_files(running.communicate(timeout=60)[0]) == ["a.yaml"]
