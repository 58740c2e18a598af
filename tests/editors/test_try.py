"""`make try EDITOR=...`: the examples in the user's own editor, with one command."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

import pytest
from editor_hosts import editor_environment, editor_host
from hosts import ROOT
from terminal_screen import ScreenProgram

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = ROOT / "scripts" / "try.sh"


class Tried(NamedTuple):
    """An editor on a terminal: what it shows when it is ready, what to press then, and what comes of it."""

    host: str
    command: str
    options: tuple[str, ...]
    ready: str
    keys: str
    shown: str


TRIED = [
    Tried("nvim-0.7", "nvim", (), "usr` is not a role", ":RubricFixAll\r", "role: user"),
    Tried("nvim-0.7", "nvim", (), "usr` is not a role", ":n | RubricGradeAll\r", "pass"),
    Tried("helix", "hx", (), "●", "]d", "`usr` is not a role"),
    Tried("emacs", "emacs", ("-nw",), "Flymake[7 4 1]", "\x1bxrubric-grade-file\r", "pass"),
]


@pytest.mark.slow
@pytest.mark.parametrize("tried", TRIED, ids=lambda tried: tried.host)
def test_the_examples_are_opened_with_everything_set_up(tried: Tried, tmp_path: Path) -> None:
    """Problems are shown, and what the user presses works, without any setting of theirs."""
    host = editor_host(tried.host, tried.command)
    environment = editor_environment(tmp_path / "home")
    environment["PATH"] = os.pathsep.join([str(host.program.parent), environment["PATH"]])
    environment["FOLDER"] = str(tmp_path / "try")
    with closing(ScreenProgram([SCRIPT, tried.command, *tried.options], tmp_path, environment)) as program:
        program.expect(tried.ready)
        program.type(tried.keys)
        program.expect(tried.shown)


PROBLEMS = 12
# Ends with the number of problems as soon as all are there, since they come in two steps; the unpacked editor cannot
# draw on a terminal from 0.10 on.
_LEAVES = f"""lua vim.defer_fn(function()
  vim.wait(30000, function() return #vim.diagnostic.get(0) >= {PROBLEMS} end)
  vim.cmd(#vim.diagnostic.get(0) .. "cq")
end, 0)"""


@pytest.mark.slow
@pytest.mark.parametrize("version", ["0.10", "0.12"])
def test_newer_versions_of_neovim_find_the_problems_too(version: str, tmp_path: Path) -> None:
    """They start the server in another way."""
    done = _try({**_with_neovim(version, tmp_path), "FOLDER": str(tmp_path / "try")}, *_COUNTING)
    assert done.returncode == PROBLEMS, done.stderr


_COUNTING = ("nvim", "--headless", "-c", _LEAVES)


def _with_neovim(version: str, folder: Path) -> dict[str, str]:
    """Return an environment with Neovim of a version."""
    host = editor_host(f"nvim-{version}", "nvim")
    environment = editor_environment(folder / "home")
    return {**environment, "PATH": os.pathsep.join([str(host.program.parent), environment["PATH"]])}


def _try(environment: dict[str, str], *words: str, script: Path = SCRIPT) -> subprocess.CompletedProcess[str]:
    return subprocess.run([script, *words], env=environment, check=False, capture_output=True, text=True)


@pytest.fixture
def spaced(tmp_path: Path) -> Path:
    """Give the repository in a folder whose name has a space."""
    folder = tmp_path / "my work"
    folder.mkdir()
    for path in ROOT.iterdir():
        if path.name not in {"scripts", ".git", "build"}:
            (folder / path.name).symlink_to(path)
    shutil.copytree(SCRIPT.parent, folder / "scripts")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("version", ["0.7", "0.12"])
def test_a_space_in_the_path_is_no_problem(version: str, spaced: Path, tmp_path: Path) -> None:
    """The plugin is found all the same."""
    done = _try(_with_neovim(version, tmp_path), *_COUNTING, script=spaced / "scripts" / "try.sh")
    assert done.returncode == PROBLEMS, done.stderr


@pytest.mark.parametrize("target", ["try", "vsix"])
def test_make_names_the_whole_path(target: str, spaced: Path) -> None:
    """What it starts finds the commands below a folder with a space."""
    # Nothing is installed here, whatever is older than what it is made from.
    made = ["-o", ".venv/.ready", "-o", "vscode-extension/node_modules/.ready"]
    command = ["make", "-C", spaced, "--no-print-directory", "--dry-run", *made, target]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert shlex.split(done.stdout)[:2] == [f"BIN={spaced / '.venv' / 'bin'}", "bash"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "Name your editor, for example: make try EDITOR=nvim"),
        (("no-such-editor",), "There is no command no-such-editor here."),
        (("ls",), "docs/editors.md has the lines to paste"),
    ],
)
def test_what_cannot_be_started_is_said(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    """In one sentence, with what to do."""
    done = _try({**os.environ, "FOLDER": str(tmp_path)}, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


def test_without_node_the_extension_is_not_built(tmp_path: Path) -> None:
    """What is missing is said before anything is built."""
    commands = tmp_path / "bin"
    commands.mkdir()
    for name in ("bash", "env", "dirname", "basename", "mkdir", "cp"):
        (commands / name).symlink_to(str(shutil.which(name)))
    (commands / "code").symlink_to(str(shutil.which("true")))
    done = _try({"PATH": str(commands), "FOLDER": str(tmp_path / "try")}, "code")
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no command npm here" in done.stderr


def test_files_that_are_there_already_end_nothing(tmp_path: Path) -> None:
    """Some versions of `cp -n` fail where a file exists."""
    commands = tmp_path / "bin"
    commands.mkdir()
    strict = commands / "cp"
    strict.write_text(f'#!/bin/sh\n[ "$1" != -n ] || exit 1\nexec {shutil.which("cp")} "$@"\n', encoding="utf-8")
    strict.chmod(0o755)
    environment = {**os.environ, "PATH": f"{commands}{os.pathsep}{os.environ['PATH']}", "FOLDER": str(tmp_path / "try")}
    for _ in range(2):
        assert "docs/editors.md has the lines to paste" in _try(environment, "ls").stderr


def test_what_was_changed_is_kept(tmp_path: Path) -> None:
    """Trying a second time does not take back what somebody wrote."""
    (tmp_path / "broken.eval.yaml").write_text("mine\n", encoding="utf-8")
    _try({**os.environ, "FOLDER": str(tmp_path)}, "ls")
    assert (tmp_path / "broken.eval.yaml").read_text(encoding="utf-8") == "mine\n"
    assert (tmp_path / "scorecard.eval.yaml").exists()
