"""A project folder in which `rubric` is run as a process of its own, as a user runs it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pseudo_terminal import PseudoTerminal
from waiting import TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ROOT = Path(__file__).resolve().parents[3]

# Tests in the background of a shell hand down that Ctrl-C and the end of a terminal are ignored; users do not.
_START = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "signal.signal(getattr(signal, 'SIGHUP', signal.SIGTERM), signal.SIG_DFL); "
    "from rubric_core.cli.main import main; main()"
)


@dataclass(frozen=True)
class Ran:
    """What a process wrote, and its exit status."""

    status: int
    output: bytes
    errors: bytes

    @property
    def stdout(self) -> str:
        """Return standard output as text."""
        return self.output.decode()

    @property
    def stderr(self) -> str:
        """Return standard error as text."""
        return self.errors.decode()

    @property
    def json(self) -> Any:
        """Return standard output as one JSON value."""
        assert self.output, self.stderr
        return json.loads(self.output)

    @property
    def results(self) -> dict[str, dict[str, Any]]:
        """Return the results on standard output by the id of their case, from either form of JSON."""
        lines = [json.loads(line) for line in self.output.splitlines() if line.startswith(b"{") and b"}" in line]
        if not lines:
            found = self.json
            lines = found.get("results", [found])
        return {line["eval_id"]: line for line in lines}


class Project:
    """A folder with eval files. The environment holds nothing of whoever runs the tests."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = folder.parent / "home"
        folder.mkdir(parents=True)
        self.home.mkdir()
        # A repository ends the search for configuration and for the store.
        (folder / ".git").mkdir()

    def write(self, name: str, content: str | bytes | Mapping[str, Any]) -> Path:
        """Write a file: a text, bytes, or JSON."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    def environment(self, **variables: str) -> dict[str, str]:
        """Return the environment of a process."""
        usual = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "PYTHONPATH": str(ROOT),
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "100",
        }
        return {**usual, **variables}

    def start(self, *arguments: str | Path, code: str = _START) -> subprocess.Popen[bytes]:
        """Start `rubric`, by some other code where it is given, and do not wait for it."""
        return subprocess.Popen(
            [sys.executable, "-c", code, *map(str, arguments)],
            cwd=self.folder,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def at_terminal(self, *arguments: str | Path) -> PseudoTerminal:
        """Start `rubric` at a terminal."""
        return PseudoTerminal([sys.executable, "-c", _START, *map(str, arguments)], self.folder, self.environment())

    def run(self, *arguments: str | Path, stdin: bytes = b"", **variables: str) -> Ran:
        """Run `rubric` to its end."""
        ended = subprocess.run(
            [sys.executable, "-m", "rubric_core", *map(str, arguments)],
            cwd=self.folder,
            env=self.environment(**variables),
            input=stdin,
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
        return Ran(ended.returncode, ended.stdout, ended.stderr)

    def grade(self, *arguments: str | Path, **settings: Any) -> Ran:
        """Run `rubric grade` to its end."""
        return self.run("grade", *arguments, **settings)

    def judged_by(self, url: str, **settings: str | int) -> None:
        """Let a model at an address judge, with retries that nobody waits for."""
        table = {"provider": "openai", "model": "mini", "base_url": url, "retry_initial_delay_ms": 1, **settings}
        lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in table.items())
        self.write("rubric.toml", f'judge = "mini"\n\n[judges.mini]\n{lines}')


def ended(process: subprocess.Popen[bytes]) -> Ran:
    """Wait for the end of a process that was started."""
    output, errors = process.communicate(timeout=TIMEOUT)
    return Ran(process.returncode, output, errors)


def numbered_cases(count: int, body: str = "rubrics: [It is right]") -> str:
    """Return an eval file with the cases `case-00` and so on; the task of each names it."""
    return cases_with([body] * count)


def cases_with(bodies: Iterable[str]) -> str:
    """Return an eval file with a numbered case for each of these bodies: fields as a flow mapping has them."""
    entries = (
        f"  - {{id: case-{number:02}, expected_outcome: It is right, input: Do case-{number:02}, {body}}}\n"
        for number, body in enumerate(bodies)
    )
    return "evalcases:\n" + "".join(entries)


def numbered_answers(count: int) -> dict[str, str]:
    """Return an answer to each of the numbered cases."""
    return {f"case-{number:02}": f"Done with {number:02}." for number in range(count)}


def case_in(prompt: str) -> str:
    """Return the id of the numbered case that a prompt is about."""
    found = re.search(r"Do (case-\d+)", prompt)
    assert found is not None
    return found[1]


def met(*ids: str, reasoning: str = "Seen.") -> str:
    """Return a judgement that all these checklist criteria are met; `rubric-1` where none is named."""
    return json.dumps(
        {"checks": [{"id": name, "satisfied": True, "reasoning": reasoning} for name in ids or ["rubric-1"]]}
    )


def processes_with(words: str) -> list[int]:
    """Return the ids of all processes whose command line holds some words."""
    return [pid for pid, command in _commands() if words in command]


def _commands() -> Iterable[tuple[int, str]]:
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                yield int(entry.name), (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
            except OSError:
                # It has ended in the meantime.
                continue
