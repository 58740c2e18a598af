"""Peers that run on Node.js: where they are, how they get there, and whether they start."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple


class Program(NamedTuple):
    """A script that starts: what runs it, and its version."""

    node: str
    script: Path
    version: str


def installed(package: str, script: str, *, install: bool = True) -> Path | str:
    """Return the script of a package, put into the folder for temporary files if need be, or why it is not there."""
    folder = Path(tempfile.gettempdir()) / f"rubric-benchmarks-{package.replace('@', '-')}"
    path = folder / "node_modules" / script
    if path.exists():
        return path
    npm = shutil.which("npm")
    if not install or npm is None:
        return "there is no npm to install it with" if npm is None else "it is not installed"
    command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(folder), package]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    said = done.stderr.strip().rpartition("\n")[2]
    return path if path.exists() else f"npm could not install it ({said})"


def tried(script: Path) -> Program | str:
    """Start a script to learn its version, or say why that cannot be."""
    node = shutil.which("node")
    if node is None:
        return "there is no Node.js"
    told = subprocess.run([node, str(script), "--version"], check=False, capture_output=True, text=True)
    version = told.stdout.strip()
    if told.returncode or not version[:1].isdigit():
        return f"{script} does not start: {(told.stderr or told.stdout).strip()[:200]}"
    return Program(node, script, version)
