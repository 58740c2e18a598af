"""Times `rubric check` from the start of the process to its end, beside AgentV's `validate` on the same files.

Usage: python benchmarks/check.py [--repeat 7] [--agentv PATH]

Without `--agentv` the npm package is installed into the folder for temporary files, once. Where that is not possible
the peer is skipped, and the reason is printed.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import npm
from measure import Noise, milliseconds, print_machine, print_table, timed
from suites import make_suite

if TYPE_CHECKING:
    from collections.abc import Sequence

# The format that we check is that of releases 2.5.5 to 2.6.1; a later one will do where none of these can be had.
_RELEASES = ("2.6.1", "2.6.0", "2.5.8", "2.5.7", "2.5.6", "2.5.5", "latest")
_FIRST_OF_AGENTV_4 = 3
_COMMAND = (sys.executable, "-m", "rubric_core", "check")
_STATUS_CHECKED = (0, 1)


class Peer(NamedTuple):
    """A program to compare with."""

    name: str
    command: tuple[str, ...]
    dialect: str


class Workload(NamedTuple):
    """Files to check: so many, with so many cases in each."""

    files: int
    cases: int
    problems: int = 0

    @property
    def label(self) -> str:
        """Return the first cell of a row."""
        found = f", {self.problems:,} with a problem" if self.problems else ""
        cases = "one case" if self.cases == 1 else f"{self.cases:,} cases"
        return (f"{self.files} files of {cases}" if self.files > 1 else cases) + found


WORKLOADS = (Workload(1, 1), Workload(1, 1_000), Workload(1, 1_000, 100), Workload(100, 10), Workload(1, 5_000, 500))


class Duration(NamedTuple):
    """How long a process took: on the clock, and on the processors."""

    wall: float
    processor: float


# The peer


def find_peer(path: Path | None) -> Peer | str:
    """Return AgentV, or a sentence that says why it is not there."""
    script = path or _install()
    program = npm.tried(script) if isinstance(script, Path) else script
    if isinstance(program, str):
        return program
    dialect = "agentv-4" if int(program.version.partition(".")[0]) >= _FIRST_OF_AGENTV_4 else "agentv-2"
    return Peer(f"AgentV {program.version}", (program.node, str(program.script), "validate"), dialect)


def _install() -> Path | str:
    """Install the nearest release that there is and return its script."""
    said: Path | str = "there is no release to install"
    for release in _RELEASES:
        said = npm.installed(f"agentv@{release}", ".bin/agentv")
        if isinstance(said, Path):
            break
    return said


# Files and runs


def write_files(folder: Path, workload: Workload, dialect: str) -> list[str]:
    """Write the files of a workload and return their names."""
    names = []
    for number in range(workload.files):
        text = make_suite(workload.cases, workload.problems, number, dialect)
        path = folder / f"suite-{workload.cases}-{workload.problems}-{number:03}.eval.yaml"
        path.write_text(text, encoding="utf-8")
        names.append(path.name)
    return names


def run_once(command: Sequence[str], names: Sequence[str], folder: Path) -> Duration:
    """Run a command over files and return how long it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = _environment(folder)
    wall, done = timed(
        lambda: subprocess.run([*command, *names], cwd=folder, env=environment, check=False, capture_output=True)
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in _STATUS_CHECKED:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr.decode()[-2_000:]}")
    return Duration(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _environment(folder: Path) -> dict[str, str]:
    """Return an environment in which our byte code is there from the second run on, as it is once installed."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "NO_COLOR": "1", "PYTHONPYCACHEPREFIX": str(folder / "byte-code")}


def compare(workload: Workload, peer: Peer | None, folder: Path, repeat: int) -> list[str]:
    """Run both programs in turn and return a row of the table."""
    names = write_files(folder, workload, peer.dialect if peer is not None else "agentv-2")
    # The first run writes byte code and fills the disk's cache.
    run_once(_COMMAND, names, folder)
    ours: list[Duration] = []
    theirs: list[Duration] = []
    for _ in range(repeat):
        ours.append(run_once(_COMMAND, names, folder))
        if peer is not None:
            theirs.append(run_once(peer.command, names, folder))
    row = [workload.label]
    for runs in (ours, theirs):
        row += [_cell([run.wall for run in runs]), _cell([run.processor for run in runs])]
    return [*row, _ratio(ours, theirs, "wall"), _ratio(ours, theirs, "processor")]


def _cell(seconds: Sequence[float]) -> str:
    return f"{milliseconds(median(seconds))} ({milliseconds(min(seconds))})" if seconds else "-"


def _ratio(ours: Sequence[Duration], theirs: Sequence[Duration], clock: str) -> str:
    if not theirs:
        return "-"
    return f"{median(getattr(run, clock) for run in theirs) / median(getattr(run, clock) for run in ours):.1f}x"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Time `rubric check` beside AgentV's `validate`.")
    parser.add_argument("--repeat", type=int, default=7, help="runs of each program (default: 7)")
    parser.add_argument("--agentv", type=Path, help="the script that starts AgentV, if it is installed already")
    arguments = parser.parse_args()
    print_machine()
    found = find_peer(arguments.agentv)
    peer = found if isinstance(found, Peer) else None
    print(f"Skipped: AgentV, because {found}." if isinstance(found, str) else f"Peer: {found.name}.")
    noise = Noise()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # AgentV resolves file references from the root of a git repository and refuses files outside of one.
        (folder / ".git").mkdir()
        rows = []
        for workload in WORKLOADS:
            rows.append(compare(workload, peer, folder, arguments.repeat))
            noise.sample()
    theirs = peer.name if peer is not None else "AgentV"
    columns = ["files", "rubric", "on processors", theirs, "on processors", "ratio", "on processors"]
    print_table(f"Cold process, ms, median (best) of {arguments.repeat}.", columns, rows)
    print(f"\n{noise}")


if __name__ == "__main__":
    main()
