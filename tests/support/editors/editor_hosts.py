"""The editors that some tests drive: `scripts/hosts-editors.sh` unpacks them into `.hosts`.

The tests do so themselves where CI=true. Without the editors their tests are skipped by name for a newcomer, and fail
where CI=true.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from hosts import ROOT, do_without

_SCRIPT = "scripts/hosts-editors.sh"


class EditorHost(NamedTuple):
    """An editor that is there: its program and its version."""

    name: str
    program: Path
    version: str


def editor_host(name: str, program: str) -> EditorHost:
    """Return an editor for a test that needs it; without it the test is skipped, or fails where CI=true."""
    folder = ROOT / ".hosts" / name
    if os.environ.get("CI") == "true":
        done = subprocess.run([ROOT / _SCRIPT, name], check=False, capture_output=True, text=True)
        if done.returncode:
            do_without(f"{name} cannot be unpacked: {(done.stderr or done.stdout).strip()[-500:]}")
    if not (folder / "version").exists():
        do_without(f"{name} is not there; `{_SCRIPT} {name}` unpacks it")
    return EditorHost(name, folder / "bin" / program, (folder / "version").read_text(encoding="utf-8").strip())


def editor_environment(folder: Path) -> dict[str, str]:
    """Return an environment in which an editor finds our server, and none of the developer's own settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "NVIM", "VIM"))}
    homes = {f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    for home in homes.values():
        Path(home).mkdir(parents=True, exist_ok=True)
    own_commands = str(Path(sys.executable).parent)
    return {**kept, **homes, "HOME": str(folder), "PATH": os.pathsep.join([own_commands, os.environ["PATH"]])}
