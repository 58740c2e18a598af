"""Commands run in the eval file's folder, and never leave the workspace unasked."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Any

import pytest

from rubric_core.config.config import Config
from rubric_core.grading import workspace
from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.workspace import config_near, folder_of, prepare_database, refuse_outside, working_folder

if TYPE_CHECKING:
    from pathlib import Path


def test_a_case_without_a_file_belongs_to_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As made in Python."""
    monkeypatch.chdir(tmp_path)
    assert folder_of("") == tmp_path
    assert folder_of("evals/a.eval.yaml") == tmp_path / "evals"


def test_the_nearest_configuration_counts(tmp_path: Path) -> None:
    """Even for an eval file that was not saved yet."""
    (tmp_path / "rubric.toml").write_text("allow-outside = true", encoding="utf-8")
    assert config_near(str(tmp_path / "a.eval.yaml")).allow_outside


@pytest.mark.parametrize(
    ("wanted", "folder"), [(None, "evals"), ("", "evals"), (".", "evals"), ("scripts", "evals/scripts"), ("..", "")]
)
def test_a_folder_is_named_from_the_eval_file(wanted: str | None, folder: str, tmp_path: Path) -> None:
    """Without one, a command runs beside the eval file."""
    (tmp_path / "evals" / "scripts").mkdir(parents=True)
    found = working_folder(wanted, str(tmp_path / "evals" / "a.eval.yaml"), Config(root=tmp_path))
    assert found == tmp_path / folder


def test_a_folder_outside_of_the_workspace_needs_permission(tmp_path: Path) -> None:
    """A path, an absolute one and a link lead out alike."""
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    (inside / "link").symlink_to(outside)
    source = str(inside / "a.eval.yaml")
    for wanted in ("../outside", str(outside), "link"):
        with pytest.raises(CannotGrade, match=r"lies outside of the workspace .*; move it there, or set allow-outside"):
            working_folder(wanted, source, Config(root=inside))
        assert working_folder(wanted, source, Config(root=inside, allow_outside=True)).samefile(outside)


def test_a_script_must_not_leave_the_workspace(tmp_path: Path) -> None:
    """By a relative path, straight or through a link to a folder or a file, seen from where it runs."""
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    (inside / "scripts").mkdir(parents=True)
    outside.mkdir()
    (outside / "evil.sh").touch()
    (inside / "link").symlink_to(outside)
    (inside / "link.sh").symlink_to(outside / "evil.sh")
    (inside / "scripts" / "again.sh").symlink_to(inside / "link.sh")
    (inside / "within.sh").symlink_to(inside / "scripts" / "check.sh")
    source = str(inside / "a.eval.yaml")
    for command in (
        ["../evil.sh"],
        ["sh", "../evil.sh"],
        ["sh", "scripts/../../evil.sh"],
        ["link/evil.sh"],
        ["./link.sh"],
        ["link.sh"],
        ["sh", "link.sh"],
        ["sh", "scripts/again.sh"],
        ["sh", "--file=link.sh"],
        ["sh", ".."],
        ["sh", "-c", "sh ../evil.sh"],
        ["/bin/bash", "-lc", "true;sh '../evil.sh'|cat"],
        ["sh", "-c", "cd .. && sh evil.sh"],
        ["sh", "-c", "sh link.sh"],
        ["python3", "-c", 'exec(open("../evil.sh").read())'],
        ["node", "-e", "require('../evil.js')"],
    ):
        with pytest.raises(CannotGrade, match=r"lies outside of the workspace .*; move it there, or set allow-outside"):
            refuse_outside(command, inside, source, Config(root=inside))
        refuse_outside(command, inside, source, Config(root=inside, allow_outside=True))
    refuse_outside(["sh", "../check.sh"], inside / "scripts", source, Config(root=inside))
    refuse_outside(["sh", "./within.sh"], inside, source, Config(root=inside))


@pytest.mark.parametrize(
    "command",
    [
        ["sh", "check.sh"],
        ["/bin/sh", "/etc/x"],
        ["venv/bin/python3.11", "-c", "print('..')"],
        ["a", "", "x ../.. y"],
        ["sh", "-c", "sh ./check.sh; /bin/sh /etc/x"],
    ],
)
def test_a_script_may_name_what_is_in_the_workspace_and_any_absolute_path(tmp_path: Path, command: list[str]) -> None:
    """The interpreter of a virtual environment is a link that leads out, and is meant."""
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    (tmp_path / "venv" / "pyvenv.cfg").touch()
    (tmp_path / "venv" / "bin" / "python3.11").symlink_to("/usr/bin/env")
    refuse_outside(command, tmp_path, str(tmp_path / "a.eval.yaml"), Config(root=tmp_path))


@pytest.mark.parametrize("link", ["bin/python", "venv/bin/evil.sh", "venv/python"])
def test_only_the_interpreter_of_a_virtual_environment_may_lead_out(tmp_path: Path, link: str) -> None:
    """Neither another name in it, nor the same name elsewhere."""
    (tmp_path / "venv").mkdir()
    (tmp_path / "venv" / "pyvenv.cfg").touch()
    (tmp_path / link).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / link).symlink_to("/usr/bin/env")
    with pytest.raises(CannotGrade, match="lies outside of the workspace"):
        refuse_outside([link], tmp_path, str(tmp_path / "a.eval.yaml"), Config(root=tmp_path))


def test_a_folder_that_does_not_exist_is_named(tmp_path: Path) -> None:
    """The sentence names the setting."""
    with pytest.raises(CannotGrade, match=r"There is no folder scripts beside the eval file .*; correct cwd"):
        working_folder("scripts", str(tmp_path / "a.eval.yaml"), Config(root=tmp_path))


@pytest.mark.parametrize(
    "wanted", ["\0", "a\0b", "x" * 5_000, "/" + "x" * 5_000], ids=["null", "inside", "long", "root"]
)
@pytest.mark.parametrize("allow_outside", [False, True])
def test_a_folder_that_the_system_cannot_name_is_refused(wanted: str, *, allow_outside: bool, tmp_path: Path) -> None:
    """The evaluator gets an error, as for a folder that does not exist."""
    with pytest.raises(CannotGrade, match=r"(The|There is no) folder .{1,60} (lies|beside)"):
        working_folder(wanted, str(tmp_path / "a.eval.yaml"), Config(root=tmp_path, allow_outside=allow_outside))


def test_a_store_that_a_full_disk_refused_is_kept_from_git_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What tells git to ignore it is made again once there is room, and not left empty."""
    folder = tmp_path / ".rubric"
    fdopen = workspace.os.fdopen

    def full(*arguments: Any, **options: Any) -> None:
        fdopen(*arguments, **options).close()
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(workspace.os, "fdopen", full)
        with pytest.raises(CannotGrade, match="No space left on device"):
            prepare_database(folder)
    prepare_database(folder)
    assert (folder / ".gitignore").read_text(encoding="utf-8") == "*\n"
