"""A small file whose aliases repeat very much takes little memory, whichever command reads it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads the memory of a process in /proc")

CASE = "  - id: c{}\n    expected_outcome: Says it\n    input: Hi\n"
ITEMS = ", ".join(f"k{number}: v" for number in range(1000))
BOMBS = {
    "lists": f"a: &a [{ITEMS}]\nevalcases:\n{CASE}    rubrics: *a\n",
    "merge keys": f"a: &a {{{ITEMS}}}\nevalcases:\n{CASE}    <<: *a\n",
    "lists of aliases": f"a: &a [{ITEMS}]\nevalcases:\n{CASE}    metadata: [{', '.join(['*a'] * 10)}]\n",
    "long texts": f"a: &a |\n{'  Some text here.' * 50_000}\nevalcases:\n{CASE}    notes: [*a, *a]\n",
}
COMMAND = """\
import re, sys
from pathlib import Path
from rubric_core.cli.main import main
try:
    main()
finally:
    sys.stderr.write("peak " + re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
"""
SAID = {"check": "repeat more nodes than the limit allows", "grade": "1,000 cases with errors", "fix": ""}
MOST = 150 * 1024
"""Kilobytes."""


@pytest.mark.slow
@pytest.mark.parametrize("command", [("check",), ("grade", "--dry-run"), ("fix", "--diff")], ids=lambda each: each[0])
@pytest.mark.parametrize("bomb", BOMBS)
def test_a_bomb_of_aliases_takes_little_memory(tmp_path: Path, bomb: str, command: tuple[str, ...]) -> None:
    """Beside a configuration that asks for no limit."""
    head, _, case = BOMBS[bomb].partition("  - id")
    text = head + "".join(f"  - id{case}".replace("{}", str(number)) for number in range(1000))
    (tmp_path / "a.eval.yaml").write_text(text)
    (tmp_path / "rubric.toml").write_text("limits = { alias-expansion = 1000000000 }\n")
    run = subprocess.run(
        [sys.executable, "-c", COMMAND, *command, "a.eval.yaml"],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert SAID[command[0]] in run.stdout + run.stderr
    assert int(run.stderr.rpartition("peak ")[2]) < MOST
