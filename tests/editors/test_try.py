"""`make try EDITOR=...`: the examples in the user's own editor, with one command."""

from __future__ import annotations

import os
import subprocess
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

import pytest
from editor_hosts import editor_environment, editor_host
from hosts import ROOT
from screen import ScreenProgram

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


# Ends as soon as there are problems; the unpacked editor cannot draw on a terminal from 0.10 on.
_LEAVES = """lua vim.defer_fn(function()
  vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end)
  vim.cmd(#vim.diagnostic.get(0) .. "cq")
end, 0)"""


@pytest.mark.slow
@pytest.mark.parametrize("version", ["0.10", "0.12"])
def test_newer_versions_of_neovim_find_the_problems_too(version: str, tmp_path: Path) -> None:
    """They start the server in another way."""
    host = editor_host(f"nvim-{version}", "nvim")
    environment = editor_environment(tmp_path / "home")
    environment["PATH"] = os.pathsep.join([str(host.program.parent), environment["PATH"]])
    done = _try({**environment, "FOLDER": str(tmp_path / "try")}, "nvim", "--headless", "-c", _LEAVES)
    assert done.returncode == 12, done.stderr


def _try(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([SCRIPT, *words], env=environment, check=False, capture_output=True, text=True)


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


def test_what_was_changed_is_kept(tmp_path: Path) -> None:
    """Trying a second time does not take back what somebody wrote."""
    (tmp_path / "broken.eval.yaml").write_text("mine\n", encoding="utf-8")
    _try({**os.environ, "FOLDER": str(tmp_path)}, "ls")
    assert (tmp_path / "broken.eval.yaml").read_text(encoding="utf-8") == "mine\n"
    assert (tmp_path / "scorecard.eval.yaml").exists()
