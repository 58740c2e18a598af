"""The language servers that are compared: how each is found, started and told about the schema."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import npm

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
    script = path or npm.installed(_PACKAGE, f"{_PACKAGE}/bin/{_PACKAGE}", install=install)
    program = npm.tried(script) if isinstance(script, Path) else script
    if isinstance(program, str):
        return f"{program}; say --install, or --yaml-language-server PATH"
    yaml = {
        "validate": True,
        "hover": True,
        "completion": True,
        "schemas": {schema.as_uri(): ["*.eval.yaml"]},
        # Without this it would fetch a catalogue of schemas from the network first.
        "schemaStore": {"enable": False},
        "kubernetesCRDStore": {"enable": False},
    }
    command = (program.node, str(program.script), "--stdio")
    return Server(f"{_PACKAGE} {program.version}", command, _PEER_DELAY, (("yaml", yaml),))


def server_of(checkout: Path, folder: Path) -> Server:
    """Return our own server as it is in another checkout, such as one of the commit before."""
    script = folder / "server_before.py"
    paths = [str(checkout.resolve()), str(checkout.resolve() / "server")]
    script.write_text(
        f"import sys\n\nsys.path[:0] = {paths!r}\nfrom rubric_server.main import main\n\nmain()\n", "utf-8"
    )
    return Server(f"rubric-lsp in {checkout.name}", (sys.executable, str(script)))


def bare_pygls(folder: Path) -> Server | None:
    """Return a server that has nothing but the library pygls, or None where that is not installed."""
    if find_spec("pygls") is None:
        return None
    script = folder / "bare_server.py"
    script.write_text(_BARE_SERVER, encoding="utf-8")
    return Server("bare pygls", (sys.executable, str(script)))
