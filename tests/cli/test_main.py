"""The `rubric` command itself: its help, what it imports, and how it ends when something goes wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import click
import pytest

from rubric_core import __version__
from rubric_core.cli import main as main_module
from rubric_core.cli.inputs import CONFIG_FILES
from rubric_core.cli.main import SUBCOMMANDS, load_subcommand, run
from rubric_core.files import configuration

if TYPE_CHECKING:
    from pathlib import Path


def test_help_shows_every_subcommand_without_importing_any(process: Any) -> None:
    """Loading all of them for a list would make the help slow."""
    running = process("--help")
    stdout, _ = running.communicate()
    assert running.returncode == 0
    for name, summary in SUBCOMMANDS.items():
        assert f"  {name} " in stdout
        assert summary in stdout


def test_help_and_completion_know_the_same_subcommands(rubric: Any) -> None:
    """In the order of the table."""
    assert main_module.cli.list_commands(click.Context(main_module.cli)) == list(SUBCOMMANDS)
    assert rubric("--help").stdout.count("\n  check ") == 1


@pytest.mark.parametrize(("name", "summary"), SUBCOMMANDS.items())
def test_the_table_says_what_the_subcommand_says(name: str, summary: str) -> None:
    """The summary is the first line of the subcommand's own help."""
    command = load_subcommand(name)
    assert command.name == name
    assert command.get_short_help_str(200).rstrip(".") == summary.rstrip(".")


def test_version(rubric: Any) -> None:
    """One line that scripts can read."""
    assert rubric("--version").output == f"rubric {__version__}\n"


def test_an_unknown_subcommand_is_two(rubric: Any) -> None:
    """As every usage error."""
    assert rubric("chekc").exit_code == 2


_INTERRUPTED_AT_IMPORT = """
import sys
from rubric_core.cli.start import start

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "click":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
start()
"""


def test_an_interrupt_of_an_import_is_no_traceback() -> None:
    """Short commands are busy with these most of the time."""
    ran = subprocess.run([sys.executable, "-c", _INTERRUPTED_AT_IMPORT], capture_output=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, b"", b"")


def test_a_closed_stream_is_no_error() -> None:
    """The status tells as much as always."""
    code = "import sys; sys.stdin = sys.stdout = None; from rubric_core.cli.start import start; start()"
    ran = subprocess.run([sys.executable, "-c", code, "rules"], capture_output=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, b"", b"")


@pytest.mark.parametrize(
    "module", ["rubric_core.cli.main", "rubric_core.cli.commands.check", "rubric_core.cli.commands.fix"]
)
def test_heavy_libraries_are_not_imported_at_the_start(module: str) -> None:
    """They cost more than the check of a small file."""
    code = f"import sys, json, {module}; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(json.loads(done.stdout))
    heavy = {"pydantic", "rich", "ruamel", "ruamel.yaml", "httpx", "jsonschema", "pygls", "concurrent.futures"}
    assert not loaded & heavy


def test_configuration_files_have_the_names_that_the_loader_looks_for() -> None:
    """The command line asks for them before it imports the loader."""
    assert CONFIG_FILES == (configuration.OWN_FILE, configuration.SHARED_FILE)


def test_check_imports_no_other_subcommand() -> None:
    """Each starts as fast as it can."""
    code = "import sys, json, rubric_core.cli.commands.check; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    others = {f"rubric_core.cli.commands.{name}" for name in SUBCOMMANDS if name != "check"}
    assert not others & set(json.loads(done.stdout))


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (click.UsageError("wrong"), 2, "wrong"),
        (KeyboardInterrupt(), 130, ""),
        (BrokenPipeError(), 0, ""),
        (RuntimeError("broken"), 2, "rubric: RuntimeError: broken (set RUBRIC_DEBUG=1 to see the traceback)\n"),
        (OSError(28, "No space left on device"), 2, "rubric: No space left on device (set RUBRIC_DEBUG=1"),
    ],
)
def test_nothing_ends_in_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], error: BaseException, status: int, message: str
) -> None:
    """An interrupt is quiet, a reader that went away is no error, an error of ours is one line."""
    monkeypatch.delenv("RUBRIC_DEBUG", raising=False)

    def fail(*_arguments: Any, **_options: Any) -> None:
        raise error

    monkeypatch.setattr(main_module, "end_quietly", lambda: None)
    monkeypatch.setattr(main_module.cli, "invoke", fail)
    assert run(["rules"]) == status
    assert message in capsys.readouterr().err


def test_an_error_of_ours_is_shown_whole_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """RUBRIC_DEBUG=1 is for whoever wants to repair it."""

    def fail(*_arguments: Any, **_options: Any) -> None:
        raise RuntimeError("broken")

    monkeypatch.setenv("RUBRIC_DEBUG", "1")
    monkeypatch.setattr(main_module.cli, "invoke", fail)
    with pytest.raises(RuntimeError):
        run(["rules"])


def test_the_status_of_a_subcommand_is_that_of_the_process(
    monkeypatch: pytest.MonkeyPatch, folder: Path, texts: Any
) -> None:
    """Through the very function that the installed command calls."""
    thresholds: list[tuple[int, ...]] = []
    (folder / "a.yaml").write_text(texts.inverted)
    monkeypatch.setattr(sys, "argv", ["rubric", "check", "--quiet"])
    monkeypatch.setattr("gc.set_threshold", lambda *numbers: thresholds.append(numbers))
    with pytest.raises(SystemExit) as ended:
        main_module.main()
    assert ended.value.code == 1
    assert len(thresholds) == 1
    assert run(["schema", "--output", "schema.json"]) == 0
