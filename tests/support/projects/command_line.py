"""Fixtures for tests of the command line: a folder with eval files, and a way to run `rubric` in it."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from rubric_core.cli.check_file import configurations_for
from rubric_core.cli.main import cli

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from click.testing import Result

ROOT = Path(__file__).resolve().parents[3]

TEMPLATE = """\
evalcases:
  - id: greeting
    expected_outcome: Answers the greeting of the user
    input_messages:
      - role: user
        content: Hello
    rubrics:
      - id: greets-by-name
        expected_outcome: Greets the user by name
        score_ranges:
          - score_range: {first}  # kept
            expected_outcome: There is no greeting at all
          - score_range: {second}
            expected_outcome: The greeting has the name of the user
"""


@dataclass(frozen=True)
class Texts:
    """Eval files with a known number of problems each."""

    good: str = TEMPLATE.format(first="[0, 5]", second="[6, 10]")
    inverted: str = TEMPLATE.format(first="[5, 0]", second="[6, 10]")
    """One error (RB104) with a safe fix."""
    out_of_bounds: str = TEMPLATE.format(first="[0, 5]", second="[6, 12]")
    """One error (RB102) with an unsafe fix."""
    both: str = TEMPLATE.format(first="[5, 0]", second="[6, 12]")
    hint: str = TEMPLATE.format(first="[0, 5]", second="[6, 10]").replace(
        "expected_outcome: There is", "description: There is"
    )
    """One hint (RB006) with a safe fix."""
    other: str = "services:\n  web:\n    image: nginx\n"


@pytest.fixture(scope="session")
def texts() -> Texts:
    """Return the eval files."""
    return Texts()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Work in an empty folder, without the environment of whoever runs the tests."""
    work = tmp_path / "work"
    work.mkdir()
    # A repository ends the search for ignore files, so that nothing above this folder counts.
    (work / ".git").mkdir()
    monkeypatch.chdir(work)
    for name in ("NO_COLOR", "FORCE_COLOR", "RUBRIC_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    configurations_for.cache_clear()
    yield work
    configurations_for.cache_clear()


@pytest.fixture
def rubric(folder: Path) -> Callable[..., Result]:  # noqa: ARG001 - it must be the current folder.
    """Return a function that runs `rubric` with arguments in this process."""

    def run(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
        configurations_for.cache_clear()
        result = CliRunner().invoke(cli, [str(argument) for argument in arguments], input=stdin)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


# Tests that run in the background of a shell hand down that Ctrl-C is ignored; users do not.
_START = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
_MAIN = "from rubric_core.cli.main import main; main()"


@pytest.fixture
def process(folder: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Give a function that starts `rubric` as a process of its own; what still runs at the end is ended.

    `before` is Python code that runs there first.
    """
    with ExitStack() as started:

        def start(*arguments: str, before: str = "", **environment: str) -> subprocess.Popen[str]:
            paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
            running = subprocess.Popen(
                [sys.executable, "-c", f"{_START}\n{before}\n{_MAIN}", *arguments],
                cwd=folder,
                env={**os.environ, "PYTHONPATH": paths, **environment},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            started.enter_context(running)
            started.callback(running.kill)
            return running

        yield start
