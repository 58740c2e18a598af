"""Where the store lies: the folder `.rubric` of a project, closed to other people and to git."""

import os
from contextlib import suppress
from pathlib import Path

from rubric_core.files.configuration import find_config
from rubric_core.grading.failures import CannotGrade

FOLDER = ".rubric"
DATABASE = "rubric.db"
_GIT_FOLDER = ".git"
_IGNORED_BY_GIT = ".gitignore"

# Answers may be private, so only the owner may look; a system without such modes ignores them.
_FOLDER_MODE = 0o700
_FILE_MODE = 0o600


def find_folder(start: Path) -> Path:
    """Return the folder of the store for a place in a project; it need not exist yet.

    Where nothing marks a project it is that of the start itself.
    """
    return (find_project(start) or start.absolute()) / FOLDER


def find_project(start: Path) -> Path | None:
    """Return the nearest folder, from the start upwards, that has a store, a configuration of ours or a repository."""
    start = start.absolute()
    configuration = find_config(start)
    for folder in (start, *start.parents):
        is_configured = configuration is not None and configuration.parent == folder
        # In a linked work tree, `.git` is a file.
        if is_configured or (folder / FOLDER).is_dir() or (folder / _GIT_FOLDER).exists():
            return folder
    return None


def prepare_database(folder: Path) -> Path:
    """Make the folder and an empty database where there is none, and return the database. Raises CannotGrade."""
    database = folder / DATABASE
    if database.exists():
        return database
    try:
        folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
        # It comes first: there is no moment at which git could take the database.
        _create(folder / _IGNORED_BY_GIT, "*\n")
        _create(database, "")
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotGrade(
            f"The store cannot be made in {folder} ({reason}): make the folder writable, or move away what is there."
        ) from None
    return database


def _create(path: Path, text: str) -> None:
    """Make a file that only the owner can read, unless there is one: another process may be faster."""
    with suppress(FileExistsError):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE_MODE)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
