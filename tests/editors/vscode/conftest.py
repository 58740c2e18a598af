"""One editor for all tests of this folder: starting it takes longer than most of what they try."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from browser import Browser
from vscode import EXTENSION, HOST, NODE, SCREENSHOTS, TESTS, CodeServer, Workbench, built_vsix, require_host

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def vsix() -> Path:
    """Our extension as a person installs it."""
    return built_vsix()


@pytest.fixture(scope="session")
def packaged(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Package an extension of the tests by the name of its folder."""
    require_host()

    def package(name: str) -> Path:
        path = tmp_path_factory.mktemp("packaged") / f"{name}.vsix"
        vsce = EXTENSION / "node_modules" / ".bin" / "vsce"
        options = ["--no-dependencies", "--allow-missing-repository", "--skip-license", "--out", path]
        subprocess.run([vsce, "package", *options], cwd=TESTS / name, check=True, capture_output=True)
        return path

    return package


@pytest.fixture(scope="package")
def one_browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser."""
    require_host()
    with Browser(NODE, TESTS / "driver.mjs", HOST, tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture
def browser(one_browser: Browser) -> Iterator[Browser]:
    """That browser, which shows nothing after the test: an editor in it would take time from all other tests."""
    yield one_browser
    one_browser.page.goto("about:blank")


@pytest.fixture(scope="package")
def code_server(
    tmp_path_factory: pytest.TempPathFactory, vsix: Path, packaged: Callable[[str], Path]
) -> Iterator[CodeServer]:
    """One editor with our extension and a language model, in which everything is trusted."""
    require_host()
    with CodeServer(tmp_path_factory.mktemp("code") / "server", [vsix, packaged("model-extension")]) as running:
        yield running


@pytest.fixture
def workbench(code_server: CodeServer, browser: Browser, request: pytest.FixtureRequest) -> Iterator[Workbench]:
    """The window of the editor. What it shows at the end of a test is kept as a picture."""
    shown = Workbench(code_server, browser)
    yield shown
    shown.screenshot(re.sub(r"\W+", "-", request.node.name).strip("-"))


@pytest.fixture(scope="session", autouse=True)
def _screenshots() -> None:
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
