"""Where text goes when streams misbehave."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubric_core.cli import baseline, output
from rubric_core.cli.baseline import Baseline
from rubric_core.cli.inputs import shown_path, stdin_source

if TYPE_CHECKING:
    import pytest


class Closed(io.StringIO):
    """A pipe whose reader went away."""

    def write(self, _text: str) -> int:
        """Fail as such a pipe does."""
        raise BrokenPipeError


class Terminal(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        """Say so."""
        return True


def test_a_closed_pipe_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither on standard output nor on standard error."""
    ended: list[Any] = []
    monkeypatch.setattr(output, "end_quietly", lambda: ended.append(True))
    monkeypatch.setattr(sys, "stdout", Closed())
    monkeypatch.setattr(sys, "stderr", Closed())
    output.print_text("text")
    output.say("text")
    assert ended == [True]


def test_ending_quietly_works_without_a_real_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream without a file behind it needs no ending."""
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    output.end_quietly()


def test_exact_text_goes_through_the_console_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a console knows its own encoding."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    output.print_exact("日本")
    assert terminal.getvalue() == "日本"


def test_names_of_files_cannot_write_to_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """A name may hold an escape."""
    output.say_failure("a\x1b[31m.yaml", "No\nway.")
    assert capsys.readouterr().err == "rubric: a␛[31m.yaml: No␊way.\n"


def test_paths_are_shown_from_the_current_folder(folder: Path) -> None:
    """Others are shown whole, and standard input has the name that it was given."""
    assert shown_path(folder / "sub" / "a.yaml") == str(Path("sub/a.yaml"))
    assert shown_path(folder.parent / "a.yaml") == str(folder.parent / "a.yaml")
    assert stdin_source(None).shown == "<stdin>"
    assert stdin_source("x/y.yaml").path == folder / "x" / "y.yaml"


def test_a_baseline_on_another_drive_keeps_whole_paths(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No relative path leads there."""

    def no_way(*_arguments: Any) -> str:
        raise ValueError("path is on mount 'C:', start on mount 'D:'")

    monkeypatch.setattr(baseline.os.path, "relpath", no_way)
    name = Baseline(folder / "known.json", {})._name("a.yaml")  # noqa: SLF001 - Windows is not at hand.
    assert name == (folder / "a.yaml").as_posix()
