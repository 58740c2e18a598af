"""Starting in Visual Studio Code: without a usable Python, in a workspace that is not trusted, and again."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import venv
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import CannotDo, HasText
from vscode import CodeServer, Workbench, copy_examples, eventually, processes_of_server, require_host

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from browser import Browser

pytestmark = pytest.mark.slow

TOO_OLD = {
    "executable": "/usr/bin/python3",
    "version": "3.8.10",
    "fits": False,
    "grades": False,
    "platform": "linux-x64",
    "implementation": "CPython",
}

MISSPELT = """\
evalcases:
  - id: thanks
    expected_outcome: Answers in kind
    input_messages: [{role: user, content: Thank you!}]
    rubrics:
      - id: polite
        expected_outcome: Stays polite
        wieght: 2
"""


@contextmanager
def _editor(folder: Path, browser: Browser, extensions: list[Path], **options: object) -> Iterator[Workbench]:
    require_host()
    with CodeServer(folder / "code", extensions, **options) as server:  # type: ignore[arg-type]
        workbench = Workbench(server, browser)
        try:
            yield workbench
        finally:
            workbench.screenshot(folder.name)


def _commands(folder: Path, **scripts: str) -> str:
    """Write some commands into a folder of their own, and return a PATH that has these and no Python."""
    own = folder / "commands"
    own.mkdir()
    for name, script in scripts.items():
        (own / name).write_text(f"#!/bin/sh\n{script}\n")
        (own / name).chmod(0o755)
    return str(own)


def _choose_file(workbench: Workbench, path: str) -> None:
    """Choose a file in the editor's own dialog, which goes on writing into its box after it has come up."""
    box = workbench.page.locator(".quick-input-widget input").first()
    eventually(lambda: str(box.inputValue()).startswith("/"), "The choice of a file")

    def choose() -> bool:
        try:
            box.fill(path, {"timeout": 2000})
            if box.inputValue() != path:
                return False
            workbench.press("Enter")
            box.waitFor({"state": "hidden", "timeout": 2000})
        except CannotDo:
            # It may take longer than that to go.
            return not box.isVisible()
        return True

    eventually(choose, f"The choice of {path}")


def test_without_a_usable_python_one_message_says_what_to_do(tmp_path: Path, browser: Browser, vsix: Path) -> None:
    """It names what was found. Its button leads to a choice, and the choice starts the server at once."""
    path = _commands(tmp_path, python3=f"echo '{json.dumps(TOO_OLD)}'", python="exit 1")
    (file,) = copy_examples(tmp_path / "work", "broken.eval.yaml")
    with _editor(tmp_path, browser, [vsix], environment={"PATH": path}) as workbench:
        workbench.open(file.parent, file)
        message = workbench.notification("Rubric needs Python 3.10 or newer")
        assert "Found only older versions: python3 is 3.8.10." in message
        workbench.screenshot("no-python")
        assert workbench.page.locator(".notifications-toasts .notification-list-item").count() == 1
        workbench.wait_for_status("No Python", "bracket-error")
        workbench.answer_notification("Rubric needs Python", "Choose Python")
        workbench.question("Choose the Python for the Rubric language server")
        workbench.pick("Browse")
        _choose_file(workbench, sys.executable)
        workbench.wait(".squiggly-error")
        assert processes_of_server(workbench.server)


def test_a_setting_that_names_no_python_is_named(workbench: Workbench, tmp_path: Path) -> None:
    """What the user set is not passed over in silence, neither at the start nor when a command needs the server."""
    (file,) = copy_examples(tmp_path, "broken.eval.yaml")
    (tmp_path / ".vscode").mkdir()
    (tmp_path / ".vscode" / "settings.json").write_text('{"rubric.interpreter": "/nowhere/python"}')
    workbench.open(tmp_path, file)
    message = workbench.notification("Rubric needs Python 3.10 or newer")
    assert "/nowhere/python of the setting `rubric.interpreter` cannot be run" in message
    workbench.command("Notifications: Clear All Notifications")
    workbench.wait(".notifications-toasts .notification-list-item", gone=True)
    workbench.command("Rubric: Preview Prompt")
    workbench.notification("/nowhere/python of the setting `rubric.interpreter` cannot be run")


def test_a_command_says_that_the_server_is_turned_off(workbench: Workbench, tmp_path: Path) -> None:
    """Nothing that a person asks for is passed over in silence."""
    (file,) = copy_examples(tmp_path, "broken.eval.yaml")
    (tmp_path / ".vscode").mkdir()
    (tmp_path / ".vscode" / "settings.json").write_text('{"rubric.enable": false}')
    workbench.open(tmp_path, file)
    workbench.wait(".statusbar-item", "Judge")
    workbench.command("Rubric: Preview Prompt")
    workbench.notification("Rubric is disabled. Set `rubric.enable` to use it.")


def test_the_choice_of_the_python_extension_counts(
    tmp_path: Path, browser: Browser, vsix: Path, packaged: Callable[[str], Path]
) -> None:
    """Where `python3` is none that fits, the environment that the user chose there runs the server."""
    path = _commands(tmp_path, python3="exit 1", python="exit 1")
    (file,) = copy_examples(tmp_path / "work", "broken.eval.yaml")
    (file.parent / "chosen-python").write_text(sys.executable)
    extensions = [vsix, packaged("python-extension")]
    with _editor(tmp_path, browser, extensions, environment={"PATH": path}) as workbench:
        workbench.open(file.parent, file)
        workbench.wait(".squiggly-error")


def test_a_later_choice_in_the_python_extension_is_noticed(
    tmp_path: Path, browser: Browser, vsix: Path, packaged: Callable[[str], Path]
) -> None:
    """Wherever the Python came from before, and each choice starts the server once."""
    path = _commands(tmp_path, python3=f'exec {sys.executable} "$@"', python="exit 1")
    (file,) = copy_examples(tmp_path / "work", "broken.eval.yaml")
    chosen = file.parent / "chosen-python"
    chosen.write_text("/nowhere/python")
    extensions = [vsix, packaged("python-extension")]
    with _editor(tmp_path, browser, extensions, environment={"PATH": path}) as workbench:
        workbench.open(file.parent, file)
        workbench.wait(".squiggly-error")
        for name in ("one", "two", "last"):
            venv.create(tmp_path / name)
            python = str(tmp_path / name / "bin" / "python")
            chosen.write_text(python)
            eventually(lambda python=python: _pythons_of(workbench.server) == [python], f"The server of {name}")
        (log,) = workbench.server.folder.rglob("Rubric.log")

        def started() -> list[str]:
            return re.findall(r"(\w+)/bin/python \(Python extension\)", log.read_text())

        # A second start for the same choice would come before the one that is asked for here.
        workbench.command("Rubric: Restart Server")
        eventually(lambda: started().count("last") > 1, "The start that was asked for")
        eventually(lambda: len(_pythons_of(workbench.server)) == 1, "One server")
        assert started() == ["one", "two", "last", "last"]


def _pythons_of(server: CodeServer) -> list[str]:
    """Return what runs each language server of an editor."""
    return [_program_of(process) for process in processes_of_server(server)]


def _program_of(process: int) -> str:
    """Return the program of a process, nothing where it has just ended."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")[0].decode()
    except OSError:
        return ""


def test_the_server_of_an_environment_can_run(tmp_path: Path, browser: Browser, vsix: Path) -> None:
    """Where it is not installed, the message says the command that installs it; where it is, it is run."""
    venv.create(tmp_path / "empty")
    empty = str(tmp_path / "empty" / "bin" / "python")
    (file,) = copy_examples(tmp_path / "work", "broken.eval.yaml")
    (file.parent / ".vscode").mkdir()
    settings = {"rubric.importStrategy": "fromEnvironment", "rubric.interpreter": empty}
    (file.parent / ".vscode" / "settings.json").write_text(json.dumps(settings))
    with _editor(tmp_path, browser, [vsix]) as workbench:
        workbench.open(file.parent, file)
        workbench.notification(f"rubric-lsp is not installed for {empty}", "-m pip install rubric-lsp")
        workbench.wait_for_status("Not installed", "bracket-error")
        workbench.answer_notification("rubric-lsp is not installed", "Choose Python")
        workbench.question("Choose the Python for the Rubric language server")
        workbench.pick("Browse")
        _choose_file(workbench, sys.executable)
        workbench.wait(".squiggly-error")
        assert not processes_of_server(workbench.server)


def test_a_workspace_that_is_not_trusted_is_checked_and_nothing_more(
    tmp_path: Path, browser: Browser, vsix: Path
) -> None:
    """Problems are shown, and a lens that would grade says why it does not; trusting the workspace changes that."""
    file = tmp_path / "work" / "thanks.eval.yaml"
    judged = tmp_path / "judged"
    file.parent.mkdir()
    file.write_text(MISSPELT)
    (file.parent / "thanks.answers.json").write_text('{"thanks": "You are welcome."}')
    (file.parent / "rubric.toml").write_text(
        f'judge = "own"\n[judges.own]\nprovider = "command"\ncommand = ["touch", "{judged}"]\n'
    )
    with _editor(tmp_path, browser, [vsix], trusts=False) as workbench:
        workbench.open(file.parent, file)
        workbench.wait(".squiggly-warning")
        workbench.wait_for_status("Python 3.")
        assert not [name for name in workbench.commands_named("Rubric: Grade") if name.startswith("Rubric: Grade")]
        assert "Judge" not in " ".join(workbench.texts(".statusbar-item"))
        workbench.lens("Grade")
        workbench.notification("Trust this workspace first")
        workbench.screenshot("untrusted")
        assert not judged.exists()
        assert not (file.parent / ".rubric").exists()
        workbench.answer_notification("Trust this workspace first", "Manage Workspace Trust")
        workbench.page.locator(".workspace-trust-editor .monaco-button").filter(HasText("Trust")).first().click()
        workbench.wait(".workspace-trust-editor", "You trust this folder")
        workbench.page.locator(".monaco-modal-editor-block .codicon-close").last().click()
        workbench.wait(".statusbar-item", "Judge")
        workbench.lens("Grade")
        eventually(judged.exists, "The judge's command")


def test_the_server_can_be_started_again(workbench: Workbench, tmp_path: Path) -> None:
    """The old process ends, a new one shows the problems again, and the log can be read."""
    (file,) = copy_examples(tmp_path, "broken.eval.yaml")
    workbench.open(tmp_path, file)
    workbench.wait(".squiggly-error")
    before = eventually(lambda: set(processes_of_server(workbench.server)), "The server")
    workbench.command("Rubric: Restart Server")
    eventually(lambda: set(processes_of_server(workbench.server)) - before, "A new process")
    eventually(lambda: not set(processes_of_server(workbench.server)) & before, "The end of the old process")
    workbench.wait(".squiggly-error")
    workbench.command("Rubric: Show Log")
    workbench.wait_for_text(".output-view-content .view-lines, .panel .view-lines", "Python 3.")


def test_the_status_item_shows_the_state_of_the_server(workbench: Workbench, tmp_path: Path) -> None:
    """That it starts, what runs it, that it is turned off, and that it cannot run; it goes on to the next at once."""
    (file,) = copy_examples(tmp_path / "work", "broken.eval.yaml")
    go = tmp_path / "go"
    waiting = tmp_path / "python"
    # A Python that takes its time.
    waiting.write_text(f'#!/bin/sh\nuntil [ -e {go} ]; do sleep 0.1; done\nexec {sys.executable} "$@"\n')
    waiting.chmod(0o755)
    settings = file.parent / ".vscode" / "settings.json"
    settings.parent.mkdir()
    settings.write_text(json.dumps({"rubric.interpreter": str(waiting)}))
    workbench.open(file.parent, file)
    workbench.wait_for_status("Starting", "loading")
    go.touch()
    workbench.wait_for_status("Python 3.")
    settings.write_text('{"rubric.enable": false}')
    workbench.wait_for_status("Disabled")
    settings.write_text('{"rubric.interpreter": "/nowhere/python"}')
    workbench.wait_for_status("No Python", "bracket-error")
    go.unlink()
    settings.write_text(json.dumps({"rubric.interpreter": str(waiting)}))
    workbench.wait_for_status("Starting", "loading")
    go.touch()
    workbench.wait_for_status("Python 3.")


def test_the_status_item_leads_to_the_log(workbench: Workbench, tmp_path: Path) -> None:
    """Above all where the server does not run, and it is reported there why."""
    (file,) = copy_examples(tmp_path, "broken.eval.yaml")
    (tmp_path / ".vscode").mkdir()
    (tmp_path / ".vscode" / "settings.json").write_text('{"rubric.interpreter": "/nowhere/python"}')
    workbench.open(tmp_path, file)
    workbench.wait_for_status("No Python", "bracket-error")
    workbench.page.locator("#status\\.languageStatus").click()
    told = workbench.page.locator(".hover-language-status").filter(HasText("Rubric language server")).first()
    told.getByText("Show Log").first().click()
    # The line is wrapped inside of the path.
    log = ".output-view-content .view-lines, .panel .view-lines"
    workbench.wait_for_text(log, "/nowhere/", "cannot be run")


def _only_server(workbench: Workbench) -> int:
    """Return the process of the server, when that of a window before it has ended."""

    def look() -> int | None:
        processes = processes_of_server(workbench.server)
        return processes[0] if len(processes) == 1 else None

    process: int = eventually(look, "The only server")
    return process


def test_a_server_that_hangs_can_be_started_again(workbench: Workbench, tmp_path: Path) -> None:
    """Another one takes its place, and it is ended although it does not listen."""
    (file,) = copy_examples(tmp_path, "broken.eval.yaml")
    workbench.open(tmp_path, file)
    workbench.wait(".squiggly-error")
    hanging = _only_server(workbench)
    os.kill(hanging, signal.SIGSTOP)
    try:
        workbench.command("Rubric: Restart Server")
        eventually(lambda: set(processes_of_server(workbench.server)) - {hanging}, "A new process")
        eventually(lambda: hanging not in processes_of_server(workbench.server), "The end of the old process")
        workbench.wait(".squiggly-error")
        workbench.wait_for_status("Python 3.")
    finally:
        # The next test must not find it.
        with suppress(ProcessLookupError):
            os.kill(hanging, signal.SIGKILL)


def _kill(workbench: Workbench, process: int) -> None:
    """Kill a server, and wait until it is gone."""
    os.kill(process, signal.SIGKILL)
    eventually(lambda: process not in processes_of_server(workbench.server), "Its end")


def _tells_of_the_description(workbench: Workbench) -> bool:
    """Return whether a hover over a field says what it is for, which only a server that runs does."""
    workbench.press("Escape")
    workbench.go_to(2, 3)
    workbench.press("Control+k", "Control+i")
    try:
        workbench.page.locator(".monaco-hover .hover-contents").first().waitFor({"timeout": 3000})
    except CannotDo:
        return False
    return True


def test_a_server_that_crashes_for_good_comes_back_with_the_next_command(workbench: Workbench, tmp_path: Path) -> None:
    """The editor gives up after some crashes; the user need not."""
    (file,) = copy_examples(tmp_path, "broken.eval.yaml")
    workbench.open(tmp_path, file)
    workbench.wait(".squiggly-error")
    for _ in range(4):
        # An answer shows that it is there, and not still on its way; what it found may be on the screen from before.
        eventually(lambda: _tells_of_the_description(workbench), "A hover")
        _kill(workbench, _only_server(workbench))
    workbench.notification("server crashed")
    workbench.wait_for_status("Not running", "bracket-error")
    assert not processes_of_server(workbench.server)
    workbench.command("Rubric: Preview Prompt")
    workbench.wait(".squiggly-error")
    workbench.wait_for_status("Python 3.")
    assert processes_of_server(workbench.server)


def test_closing_the_window_ends_the_server(workbench: Workbench, tmp_path: Path) -> None:
    """No process stays behind."""
    (file,) = copy_examples(tmp_path, "broken.eval.yaml")
    workbench.open(tmp_path, file)
    workbench.wait(".squiggly-error")
    assert processes_of_server(workbench.server)
    workbench.page.goto("about:blank")
    eventually(lambda: not processes_of_server(workbench.server), "The end of the server")
