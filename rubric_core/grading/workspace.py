"""Where an eval file stands, and which folders around it may be used."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from rubric_core.files.configuration import load_config
from rubric_core.files.look import workspace_root
from rubric_core.files.within import is_within
from rubric_core.grading.failures import CannotGrade
from rubric_core.text.patterns import lazily

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rubric_core.config.config import Config
    from rubric_core.model.suite import EvalCase

_INTERPRETER = lazily(r"python[0-9.]*")


def folder_of(source: str) -> Path:
    """Return the folder of an eval file; of a case that was made in Python, the current one."""
    return Path(os.path.abspath(source)).parent if source else Path.cwd()  # noqa: PTH100 - links are kept as they are.


def config_near(source: str) -> Config:
    """Return the configuration that counts for an eval file: the nearest one."""
    return load_config(folder_of(source)).config


def config_of(case: EvalCase) -> Config:
    """Return the configuration that a case was loaded with; of one that was made in Python, the nearest."""
    known: Config | None = case.config
    return config_near(case.source) if known is None else known


def refuse_outside(command: Sequence[str], folder: Path, source: str, config: Config) -> None:
    """Raise CannotGrade where a word of a command is a relative path that leaves the workspace, seen from a folder.

    An absolute path is the user's own choice. Links are followed, except the interpreter of a virtual environment:
    it is one that leads out.
    """
    if config.allow_outside:
        return
    root = os.path.realpath(workspace_root(folder_of(source), config))
    for word in command:
        for path in (word, word.partition("=")[2]):
            if _leaves(path, folder, root):
                raise CannotGrade(
                    f"The path {path} of a script lies outside of the workspace {root}; move it there, or set "
                    f"allow-outside = true."
                )


def _leaves(path: str, folder: Path, root: str) -> bool:
    """Return whether a word is a relative path that leaves the root: it has folders in it, or is the name of a link."""
    whole = os.path.join(folder, path)  # noqa: PTH118 - any text.
    is_path = os.path.dirname(path) or path == os.pardir or os.path.islink(whole)  # noqa: PTH114, PTH120 - the same.
    if os.path.isabs(path) or not is_path:  # noqa: PTH117 - the same.
        return False
    parent, name = os.path.split(whole)
    try:
        real_parent = os.path.realpath(parent)
        is_interpreter = _INTERPRETER.fullmatch(name) and Path(real_parent).parent.joinpath("pyvenv.cfg").is_file()
        return not is_within(real_parent if is_interpreter else os.path.realpath(whole), root)
    except ValueError:
        # A null character: no such path can be opened.
        return False


def working_folder(wanted: str | None, source: str, config: Config) -> Path:
    """Return the folder that a command runs in: the eval file's, or one that is named from there.

    Raises CannotGrade where it does not exist, or lies outside of the workspace and the configuration forbids that.
    """
    folder = folder_of(source)
    if not wanted:
        return folder
    found = Path(os.path.normpath(folder / wanted))
    root = os.path.realpath(workspace_root(folder, config))
    if not config.allow_outside and not is_within(os.path.realpath(found), root):
        raise CannotGrade(
            f"The folder {wanted} lies outside of the workspace {root}; move it there, or set allow-outside = true."
        )
    if not found.is_dir():
        raise CannotGrade(f"There is no folder {wanted} beside the eval file to run the command in; correct cwd.")
    return found
