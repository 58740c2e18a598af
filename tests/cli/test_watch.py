"""`rubric check --watch`: what is checked again and when."""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest

from rubric_core.cli import watch as watch_module
from rubric_core.cli.check_run import CheckPlan, CheckRun, collect
from rubric_core.cli.inputs import ConfigRequest
from rubric_core.cli.watch import watch_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SELECT = frozenset({"RB104", "RB102"})


def change(path: Path, text: str) -> None:
    """Write a file so that its time changes for sure."""
    path.write_text(text)
    moment = time.time_ns() + 10**9
    os.utime(path, ns=(moment, moment))


class Watched:
    """Runs a watch in which each pause does the next thing, and remembers what was shown and checked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.shown: list[list[str]] = []
        self.failures: list[int] = []
        self.checked: list[list[str]] = []
        real = watch_module.check_sources

        def remember(plan: CheckPlan, sources: Any) -> Any:
            self.checked.append([source.shown for source in sources])
            return real(plan, sources)

        monkeypatch.setattr(watch_module, "check_sources", remember)

    def run(self, plan: CheckPlan, *events: Callable[[], object]) -> int:
        """Watch until the events are used up."""
        left = list(events)

        def pause(_seconds: float) -> None:
            if not left:
                raise KeyboardInterrupt
            left.pop(0)()

        def conclude(run: CheckRun) -> int:
            result = collect(run, lambda _report: None, quiet=True)
            found = [f"{report.path} {problem.code}" for report in result.reports for problem in report.problems]
            self.shown.append(found)
            self.failures.append(len(result.failures))
            return 1 if found else 0

        return watch_files(plan, conclude, pause)


@pytest.fixture
def watched(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Watched:  # noqa: ARG001 - it must be the current folder.
    """Return a watch that has not begun."""
    return Watched(monkeypatch)


def test_only_what_changed_is_checked_again(watched: Watched, folder: Path, texts: Any) -> None:
    """A quiet moment shows nothing, and the status is that of the last check."""
    (folder / "a.yaml").write_text(texts.inverted)
    (folder / "b.yaml").write_text(texts.good)
    plan = CheckPlan(config=ConfigRequest(select=SELECT))
    status = watched.run(
        plan,
        lambda: None,
        lambda: change(folder / "b.yaml", texts.both),
        lambda: None,
        lambda: change(folder / "b.yaml", texts.good),
    )
    assert watched.checked == [["a.yaml", "b.yaml"], ["b.yaml"], ["b.yaml"]]
    assert watched.shown == [["a.yaml RB104"], ["a.yaml RB104", "b.yaml RB104", "b.yaml RB102"], ["a.yaml RB104"]]
    assert status == 1


def test_new_and_deleted_files_are_seen(watched: Watched, folder: Path, texts: Any) -> None:
    """A deleted file takes its problems along; one that comes back is checked again."""
    plan = CheckPlan(config=ConfigRequest(select=SELECT, isolated=True), quiet=True)
    path = folder / "a.yaml"
    status = watched.run(
        plan, lambda: path.write_text(texts.inverted), path.unlink, lambda: path.write_text(texts.inverted), path.unlink
    )
    assert watched.shown == [[], ["a.yaml RB104"], [], ["a.yaml RB104"], []]
    assert status == 0


def test_a_changed_configuration_checks_everything_again(watched: Watched, folder: Path, texts: Any) -> None:
    """Also one that is new."""
    (folder / "a.yaml").write_text(texts.both)
    (folder / "b.yaml").write_text(texts.good)
    rubric_toml = folder / "rubric.toml"
    watched.run(
        CheckPlan(config=ConfigRequest(ignore=frozenset({"RB4", "RB3"}))),
        lambda: rubric_toml.write_text('select = ["RB104"]\n'),
        lambda: change(rubric_toml, 'select = ["RB102"]\n'),
    )
    assert watched.shown[1:] == [["a.yaml RB104"], ["a.yaml RB102"]]
    assert watched.checked == [["a.yaml", "b.yaml"]] * 3


def test_a_named_configuration_is_watched_too(watched: Watched, folder: Path, texts: Any) -> None:
    """It may lie anywhere."""
    named = folder / "conf" / "x.toml"
    named.parent.mkdir()
    named.write_text('select = ["RB104"]\n')
    (folder / "a.yaml").write_text(texts.both)
    watched.run(CheckPlan(config=ConfigRequest(file=named)), lambda: change(named, 'select = ["RB102"]\n'))
    assert watched.shown == [["a.yaml RB104"], ["a.yaml RB102"]]


def test_a_path_that_does_not_exist_yet_is_a_failure_until_it_does(watched: Watched, folder: Path, texts: Any) -> None:
    """The watch goes on."""
    plan = CheckPlan(paths=("late.yaml",), config=ConfigRequest(select=SELECT))
    watched.run(plan, lambda: (folder / "late.yaml").write_text(texts.inverted))
    assert watched.failures == [1, 0]
    assert watched.shown == [[], ["late.yaml RB104"]]


def test_the_screen_is_cleared_on_a_terminal(
    watched: Watched, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A log keeps everything."""
    watched.run(CheckPlan())
    assert capsys.readouterr().out == ""
    monkeypatch.setattr(watch_module, "stdout_is_terminal", lambda: True)
    watched.run(CheckPlan())
    assert capsys.readouterr().out.startswith("\x1b[2J")


def test_a_file_without_a_stamp_is_gone(folder: Path) -> None:
    """Whatever happens between listing and asking."""
    assert watch_module._stamp(folder / "nowhere") is None  # noqa: SLF001 - a moment that no test can catch.


def test_the_option_starts_the_watch(rubric: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the status that the watch gives."""
    monkeypatch.setattr(watch_module, "watch_files", lambda _plan, conclude: conclude(CheckRun()) + 1)
    assert rubric("check", "--watch").exit_code == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Signals are those of Unix.")
def test_an_interrupt_ends_the_process_cleanly(process: Any, folder: Path, texts: Any) -> None:
    """With the status of the last check and without a traceback."""
    (folder / "a.yaml").write_text(texts.inverted)
    running = process("check", "--watch", "--select", "RB104")
    assert "error[RB104]" in running.stdout.readline()
    assert running.stderr.readline() == "Watching for changes. Press Ctrl-C to stop.\n"
    running.send_signal(signal.SIGINT)
    _, stderr = running.communicate(timeout=30)
    assert (running.returncode, stderr) == (1, "")
