"""Editors and their servers are gone after the tests, however these end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from process_groups import process_group
from waiting import TIMEOUT

# A program that starts another one, and says which.
PARENT = ("/bin/sh", "-c", "sleep 1000 & echo $! > child; wait")
OWNER = f"""
import time
from process_groups import process_group
with process_group({PARENT!r}):
    print("guarded", flush=True)
    time.sleep(1000)
"""


def child_of_the_program(folder: Path) -> int:
    """Return the process that was started by the program, once it is there."""
    path = folder / "child"
    end = time.monotonic() + TIMEOUT
    while not (path.exists() and path.read_text().endswith("\n")):
        assert time.monotonic() < end
        time.sleep(0.02)
    return int(path.read_text())


def ends(process: int) -> bool:
    """Return whether a process is gone, or is within some time."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        try:
            # One that has ended is there until whoever adopted it has taken note.
            if "\nState:\tZ" in Path(f"/proc/{process}/status").read_text():
                return True
            os.kill(process, 0)
        except (ProcessLookupError, FileNotFoundError):
            return True
        time.sleep(0.02)
    return False


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="looks for processes in /proc")
def test_all_that_a_program_started_ends_with_it(tmp_path: Path) -> None:
    """The program that a test starts, and what that one starts."""
    with process_group(PARENT, cwd=tmp_path):
        child = child_of_the_program(tmp_path)
    assert ends(child)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="looks for processes in /proc")
def test_all_that_a_program_started_ends_if_the_tests_are_killed(tmp_path: Path) -> None:
    """No code of theirs runs then."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "support" / "programs")}
    command = [sys.executable, "-c", OWNER]
    with subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == b"guarded\n"
        child = child_of_the_program(tmp_path)
        owner.kill()
    assert ends(child)
