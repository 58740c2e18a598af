"""Where the store lies, and who can look into it."""

from __future__ import annotations

import os
import stat
import subprocess
from typing import TYPE_CHECKING

import pytest

from rubric_core.grading.failures import CannotGrade
from rubric_core.grading.store.store import Store

if TYPE_CHECKING:
    from pathlib import Path


def _make(root: Path, name: str) -> None:
    """Make a folder, or a file with the text after `=`."""
    path, is_file, text = name.partition("=")
    if is_file:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    else:
        (root / path).mkdir(parents=True)


@pytest.mark.parametrize(
    ("there", "found"),
    [
        pytest.param([], "a/b/.rubric", id="nothing marks a project: where the user is"),
        pytest.param([".git"], ".rubric", id="the repository"),
        pytest.param([".git=gitdir: elsewhere"], ".rubric", id="a linked work tree"),
        pytest.param([".git", "a/rubric.toml="], "a/.rubric", id="the nearest configuration"),
        pytest.param([".git", "a/pyproject.toml=[tool.rubric]"], "a/.rubric", id="a table of ours"),
        pytest.param([".git", "a/pyproject.toml=[tool.ruff]"], ".rubric", id="a table of somebody else"),
        pytest.param([".rubric", "a/.git"], "a/.rubric", id="a repository below a store"),
        pytest.param(["a/.rubric", "rubric.toml="], "a/.rubric", id="a store below a configuration"),
        pytest.param(["a/.rubric=a file"], "a/b/.rubric", id="a file of that name is no store"),
    ],
)
def test_the_nearest_project_has_the_store(tmp_path: Path, there: list[str], found: str) -> None:
    """From the current folder upwards: a store, a configuration of ours, a repository."""
    (tmp_path / "a/b").mkdir(parents=True)
    for name in there:
        _make(tmp_path, name)
    assert Store.at(tmp_path / "a/b") == tmp_path / found


def test_looking_for_a_store_makes_none(project: Path) -> None:
    """Only opening does."""
    assert Store.open_existing(Store.at(project)) is None
    assert not (project / ".rubric").exists()
    Store.open(Store.at(project)).close()
    opened = Store.open_existing(Store.at(project))
    assert opened is not None
    opened.close()


def test_git_sees_nothing_of_it(project: Path) -> None:
    """The folder ignores itself, so that no answer is committed by accident."""
    (project / ".git").rmdir()
    subprocess.run(["git", "init", "--quiet"], cwd=project, check=True)  # noqa: S607 - whichever git is there.
    with Store.open(Store.at(project)):
        assert (project / ".rubric" / ".gitignore").read_text() == "*\n"
        told = subprocess.run(
            ["git", "status", "--porcelain"],  # noqa: S607 - the same.
            cwd=project,
            check=True,
            capture_output=True,
            text=True,
        )
    assert told.stdout == ""


def test_who_deletes_the_ignore_file_wants_it_gone(project: Path) -> None:
    """It is written with a new database only."""
    Store.open(Store.at(project)).close()
    (project / ".rubric" / ".gitignore").unlink()
    Store.open(Store.at(project)).close()
    assert not (project / ".rubric" / ".gitignore").exists()


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes.")
def test_only_the_owner_can_read_it(project: Path) -> None:
    """Answers may be private, whatever the user's mask says."""
    before = os.umask(0)
    try:
        with Store.open(Store.at(project)) as store:
            store.begin_run("rubric grade", None, 1)
            folder = project / ".rubric"
            modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in [folder, *folder.iterdir()]}
    finally:
        os.umask(before)
    assert modes == {".rubric": 0o700} | dict.fromkeys(
        [".gitignore", "rubric.db", "rubric.db-wal", "rubric.db-shm"], 0o600
    )


def test_something_in_the_place_of_the_folder_is_left_alone(project: Path) -> None:
    """The message says what to do."""
    (project / ".rubric").write_text("mine")
    with pytest.raises(CannotGrade, match=r"cannot be made in .*\.rubric \(.+\): make the folder writable, or move"):
        Store.open(project / ".rubric")
    assert (project / ".rubric").read_text() == "mine"
