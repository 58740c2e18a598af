"""A minute of the soak: editing, kills, hostile judges and hostile files, with nothing wrong and nothing lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.slow
def test_a_minute_of_everything_breaks_nothing() -> None:
    """The figures are on one line; `make soak MINUTES=10` does the same for longer."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "soak.py"), "--minutes", "1"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 wrong, 0 lost, 0 crashes" in done.stdout.splitlines()[-1]
