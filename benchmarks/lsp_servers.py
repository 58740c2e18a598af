"""The language servers that are compared: how each is found, started and told about the schema."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

_PACKAGE = "yaml-language-server"
_OUR_NAME = "rubric-lsp"
# The peer waits so long after a change before it looks at a file (`validationDelayMs` in its settings).
_PEER_DELAY = 0.2
_BARE_SERVER = 'from pygls.lsp.server import LanguageServer\n\nLanguageServer("bare", "1").start_io()\n'


class Server(NamedTuple):
    """A language server: how to start it, and how it is treated."""

    name: str
    command: tuple[str, ...]
    # Seconds that it waits on purpose before it looks at a change; they are taken off its times.
    delay: float = 0.0
    # What it is told when it asks for the settings of a section.
    settings: tuple[tuple[str, dict[str, Any]], ...] = ()

    def configuration(self, params: Any) -> list[dict[str, Any]]:
        """Answer a `workspace/configuration` request."""
        known = dict(self.settings)
        return [known.get(item.get("section"), {}) for item in params["items"]]


def ours() -> Server:
    """Return the server of this Python environment, started as an editor starts it."""
    script = Path(sys.executable).parent / _OUR_NAME
    command = (str(script),) if script.exists() else (sys.executable, "-m", "rubric_server.main")
    return Server(_OUR_NAME, command)


def write_schema(folder: Path) -> Path:
    """Write the JSON Schema that our own command prints."""
    path = folder / "eval-file.schema.json"
    command = [sys.executable, "-m", "rubric_core", "schema"]
    path.write_bytes(subprocess.run(command, check=True, capture_output=True).stdout)
    return path


def find_peer(path: Path | None, schema: Path, *, install: bool) -> Server | str:
    """Return yaml-language-server with our schema, or a sentence part that says why it is not there."""
    node = shutil.which("node")
    if node is None:
        return "there is no Node.js"
    script = path or _installed(install=install)
    if isinstance(script, str):
        return script
    told = subprocess.run([node, str(script), "--version"], check=False, capture_output=True, text=True)
    version = told.stdout.strip()
    if told.returncode or not version[:1].isdigit():
        return f"{script} does not start: {(told.stderr or told.stdout).strip()[:200]}"
    yaml = {
        "validate": True,
        "hover": True,
        "completion": True,
        "schemas": {schema.as_uri(): ["*.eval.yaml"]},
        # Without this it would fetch a catalogue of schemas from the network first.
        "schemaStore": {"enable": False},
        "kubernetesCRDStore": {"enable": False},
    }
    return Server(f"{_PACKAGE} {version}", (node, str(script), "--stdio"), _PEER_DELAY, (("yaml", yaml),))


def _installed(*, install: bool) -> Path | str:
    """Return the script of the npm package in the folder for temporary files, installed now if that is asked for."""
    folder = Path(tempfile.gettempdir()) / f"rubric-benchmarks-{_PACKAGE}"
    script = folder / "node_modules" / _PACKAGE / "bin" / _PACKAGE
    if script.exists():
        return script
    if not install:
        return "it is not installed: say --install, or --yaml-language-server PATH"
    npm = shutil.which("npm")
    if npm is None:
        return "there is no npm to install it with"
    command = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(folder), _PACKAGE]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    said = done.stderr.strip().rpartition("\n")[2]
    return script if script.exists() else f"npm could not install it ({said})"


def bare_pygls(folder: Path) -> Server | None:
    """Return a server that has nothing but the library pygls, or None where that is not installed."""
    if find_spec("pygls") is None:
        return None
    script = folder / "bare_server.py"
    script.write_text(_BARE_SERVER, encoding="utf-8")
    return Server("bare pygls", (sys.executable, str(script)))
