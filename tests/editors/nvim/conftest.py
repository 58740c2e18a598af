"""One Neovim of each version serves all tests of a module; each test has files of its own."""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from editor_hosts import editor_host
from neovim import Neovim

if TYPE_CHECKING:
    from collections.abc import Iterator

    from editor_hosts import EditorHost

# The oldest that we serve, the one before `vim.lsp.enable`, and a new one.
VERSIONS = ("0.7", "0.10", "0.12")


@pytest.fixture(scope="session", params=VERSIONS)
def host(request: pytest.FixtureRequest) -> EditorHost:
    """Give Neovim of each version."""
    found = editor_host(f"nvim-{request.param}", "nvim")
    print(f"Neovim {found.version}")  # noqa: T201 - suites of packages move on, so the report tells what was used.
    return found


@pytest.fixture(scope="session")
def project_of_all(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the project that the files of all tests lie in, and with it the one store of their gradings."""
    folder = tmp_path_factory.mktemp("neovim")
    (folder / "one-server").touch()
    return folder


@pytest.fixture
def tmp_path(project_of_all: Path) -> Path:
    """Give the folder of one test, in that project; above the usual one, every other test would find the store."""
    return Path(tempfile.mkdtemp(dir=project_of_all))


@pytest.fixture(scope="module")
def plain_nvim(host: EditorHost, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neovim]:
    """Give a running Neovim of each version with our plugin as it comes."""
    with closing(Neovim(host, tmp_path_factory.mktemp(host.name))) as running:
        yield running


@pytest.fixture(scope="module")
def one_server(host: EditorHost, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neovim]:
    """Give a running Neovim of each version in which one server serves all tests, since grading takes time to load."""
    setup = "require('rubric').setup({ root_markers = { 'one-server' } })"
    with closing(Neovim(host, tmp_path_factory.mktemp(host.name), setup)) as running:
        yield running


@pytest.fixture
def nvim(one_server: Neovim) -> Neovim:
    """Give a Neovim of each version with nothing of an earlier test in it."""
    one_server.lua("start_anew()")
    return one_server
