"""Transcripts of the documentation: the commands of a page run among the examples."""

from __future__ import annotations

import re
import shlex
import shutil
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner
from pages import ROOT, blocks

from rubric_core.cli.check_file import configurations_for
from rubric_core.cli.main import cli

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Work in a copy of the examples, where nothing is known yet."""
    folder = tmp_path / "examples"
    shutil.copytree(ROOT / "examples", folder, ignore=shutil.ignore_patterns(".rubric"))
    (folder / ".git").mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    configurations_for.cache_clear()
    yield folder
    configurations_for.cache_clear()


def failed_steps(name: str) -> list[tuple[str, str]]:
    """Run the commands of a page; return those that print something else, each with its output."""
    failed: list[tuple[str, str]] = []
    status = 0
    for block in blocks(name, "console"):
        for step in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, _, expected = step.partition("\n")
            if command == "echo $?":
                output = f"{status}\n"
            else:
                ran = CliRunner().invoke(cli, shlex.split(command)[1:])
                status, output = ran.exit_code, ran.output
            if not re.fullmatch(_pattern(expected), output):
                failed.append((command, output))
    return failed


def _pattern(expected: str) -> str:
    return "".join(r"(?:.*\n)*?" if line == "...\n" else re.escape(line) for line in expected.splitlines(keepends=True))
