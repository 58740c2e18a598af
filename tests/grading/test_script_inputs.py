"""A result of a code judge is taken over only where everything is known that its script reads."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from rubric_core.grading.questions import known_script

if TYPE_CHECKING:
    from pathlib import Path

    from rubric_core.model.evaluators import Command

HARMLESS = """\
from __future__ import annotations
import json, re, sys
from decimal import Decimal

def judge(answer):
    return {"score": 1 if re.search("day", answer) else 0}

if __name__ == "__main__":
    json.dump(judge(json.load(sys.stdin)["candidate_answer"]), sys.stdout)
"""


@pytest.mark.parametrize(
    "command",
    [
        ("python3", "judge.py"),
        ("/usr/bin/python3.12", "-I", "-u", "./judge.py", "7", "--strict"),
        "python judge.py {{ answer_file }}",
    ],
)
def test_a_script_that_reads_its_input_alone_is_known(tmp_path: Path, command: Command) -> None:
    """It is run by Python, and imports nothing that reads anything else."""
    (tmp_path / "judge.py").write_text(HARMLESS, encoding="utf-8")
    assert known_script(command, tmp_path, tmp_path) == HARMLESS.encode()


@pytest.mark.parametrize(
    "command",
    [
        *("python3 -m judge", "python3 -c pass", "python3", "python3 missing.py", "python3 | cat", "python3 'judge.py"),
        *("sh judge.py", "uv run python3 judge.py", "./judge.py", "judge.py", "env python3 judge.py", "node judge.py"),
        *(("sh", "-c", "python3 judge.py"), (), ("python3", "-")),
    ],
)
def test_other_commands_are_not_known(tmp_path: Path, command: Command) -> None:
    """A shell, a module or another program may run anything."""
    (tmp_path / "judge.py").write_text(HARMLESS, encoding="utf-8")
    assert known_script(command, tmp_path, tmp_path) is None


def test_a_program_of_the_workspace_is_no_known_interpreter(tmp_path: Path) -> None:
    """Whatever its name is, it may read anything; a link of a virtual environment leads to one outside."""
    evals, bin_ = tmp_path / "evals", tmp_path / ".venv" / "bin"
    evals.mkdir()
    bin_.mkdir(parents=True)
    (evals / "judge.py").write_text(HARMLESS, encoding="utf-8")
    for wrapper in (evals / "python3", tmp_path / "python3"):
        wrapper.write_text("#!/bin/sh\nexec python3 other.py\n", encoding="utf-8")
    (bin_ / "python").symlink_to(sys.executable)
    for program in ("./python3", "../python3", "./a\0/python3", str(evals / "python3"), str(tmp_path / "python3")):
        assert known_script((program, "judge.py"), evals, tmp_path) is None
    for program in ("../.venv/bin/python", str(bin_ / "python"), sys.executable):
        assert known_script((program, "judge.py"), evals, tmp_path) == HARMLESS.encode()


@pytest.mark.parametrize(
    "line",
    [
        *("import helper", "from helper import check", "from . import helper", "import json, helper", "import os"),
        *("import importlib", "import subprocess", "import sqlite3", "import pathlib", "import random", "import time"),
        *("open('expected.json')", "exec('import helper')", "eval('1')", "__import__('helper')", "print(__file__)"),
        *("import sys; sys.path.insert(0, 'lib')", "import json; json.codecs.open('x')", "from ast import sys"),
        *("def judge():\n    import helper", "this is no Python", "\0"),
    ],
)
def test_a_script_that_may_read_more_is_not_known(tmp_path: Path, line: str) -> None:
    """Wherever in the script it does so."""
    (tmp_path / "judge.py").write_text(line, encoding="utf-8")
    assert known_script(("python3", "judge.py"), tmp_path, tmp_path) is None


@pytest.mark.parametrize("name", ["json.py", "json", "json.so"])
def test_a_file_beside_the_script_hides_a_module(tmp_path: Path, name: str) -> None:
    """Python finds it first."""
    (tmp_path / "judge.py").write_text(HARMLESS, encoding="utf-8")
    (tmp_path / name).mkdir()
    assert known_script(("python3", "judge.py"), tmp_path, tmp_path) is None
