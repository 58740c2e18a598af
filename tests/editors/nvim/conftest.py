"""One Neovim of each version serves all tests of a module; each test has files of its own."""

from __future__ import annotations

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
    return editor_host(f"nvim-{request.param}", "nvim")


@pytest.fixture(scope="module")
def nvim(host: EditorHost, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neovim]:
    """Give a running Neovim of each version with our plugin."""
    running = Neovim(host, tmp_path_factory.mktemp(host.name))
    print(f"Neovim {host.version}")  # noqa: T201 - suites of packages move on, so the report tells what was used.
    yield running
    running.close()
